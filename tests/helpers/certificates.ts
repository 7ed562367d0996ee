import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files of an authority that nobody knows, and of what it signed; in a folder of their own. */
export interface Certificates {
  readonly ca: string;
  /** For the name or address that was asked for. */
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
  readonly remove: () => void;
}

/** Throw-away certificates for a server of this name, such as `IP:127.0.0.1` or `DNS:elsewhere`. */
export function makeCertificates(name = "IP:127.0.0.1,DNS:localhost"): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "context é tls-"));
  const file = (word: string): string => join(folder, word);
  const make = (who: string, more: readonly string[]): { cert: string; key: string } => {
    const pair = { cert: file(`${who}.pem`), key: file(`${who}.key`) };
    const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const ran = spawnSync("openssl", [...kind, "-subj", `/CN=${who}`, "-keyout", pair.key, "-out", pair.cert, ...more]);
    if (ran.status !== 0) throw new Error(`openssl: ${ran.stderr.toString()}`);
    return pair;
  };
  const ca = make("authority", []);
  const signed = ["-CA", ca.cert, "-CAkey", ca.key];
  return {
    ca: ca.cert,
    server: make("server", [...signed, "-addext", `subjectAltName=${name}`]),
    client: make("client", signed),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The words that make a redis-server encrypt; `clients`: whether it wants a certificate of them. */
export function tlsWords(port: number, made: Certificates, clients: "yes" | "no"): readonly string[] {
  const { ca, server } = made;
  const files = ["--tls-cert-file", server.cert, "--tls-key-file", server.key, "--tls-ca-cert-file", ca];
  return ["--port", "0", "--tls-port", String(port), ...files, "--tls-auth-clients", clients];
}
