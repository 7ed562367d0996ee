import { resolve } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { readText } from "../platform/read-text.ts";
import type { LinkTls } from "../platform/redis-link.ts";

/** A bundle of every public authority has a quarter of it. */
const PEM_MAX_BYTES = 1024 * 1024;

/**
 * The certificates for an encrypted store: `CONTEXT_STORE_CA` names the file of those who may have signed the server's,
 * `CONTEXT_STORE_CERT` and `CONTEXT_STORE_KEY` the program's own. A path is relative to the project's root, since hooks
 * run in any folder. The error is a sentence; it holds paths, and nothing of what stands there.
 */
export function storeTls(root: string, env: Readonly<Record<string, string | undefined>>): Result<LinkTls, string> {
  const ca = pem(root, env, "CONTEXT_STORE_CA", "CERTIFICATE");
  if (!ca.ok) return ca;
  const cert = pem(root, env, "CONTEXT_STORE_CERT", "CERTIFICATE");
  if (!cert.ok) return cert;
  const key = pem(root, env, "CONTEXT_STORE_KEY", "PRIVATE KEY");
  if (!key.ok) return key;
  if (cert.value === null && key.value === null) return ok({ ca: ca.value, own: null });
  if (cert.value === null || key.value === null) {
    const [given, missing] = cert.value === null ? ["KEY", "CERT"] : ["CERT", "KEY"];
    return err(
      `CONTEXT_STORE_${given} is set and CONTEXT_STORE_${missing} is not; a certificate and its key go together.`,
    );
  }
  return ok({ ca: ca.value, own: { cert: cert.value, key: key.value } });
}

function pem(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
  kind: "CERTIFICATE" | "PRIVATE KEY",
): Result<string | null, string> {
  const path = env[variable];
  if (!path) return ok(null);
  const file = readText(resolve(root, path), PEM_MAX_BYTES);
  if (!file.ok) return err(`${variable}: ${path} ${file.error.message}.`);
  // Node trusts nobody where a file holds none, and says so only of the server's certificate.
  if (!new RegExp(`-----BEGIN [A-Z ]*${kind}-----`).test(file.value.text)) {
    return err(`${variable}: ${path} holds no ${kind === "CERTIFICATE" ? "certificate" : "private key"} in PEM form.`);
  }
  return ok(file.value.text);
}
