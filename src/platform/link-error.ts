import { printableLine } from "../base/printable.ts";
import { describeErrno } from "./fs-error.ts";

/** Why a server was not reached, or did not do what it was asked. */
export interface LinkError {
  /**
   * `passing`: the server says that it cannot do it now. `refused`: it does not give what was asked for, or is not whom
   * it should be, or nothing here can ask it; trying again changes nothing.
   */
  readonly kind: "lost" | "passing" | "refused";
  /** What a refusal is about: who is asked, or who asks, or what may be done, or what it would be asked with. */
  readonly about?: "certificate" | "password" | "rights" | "library";
  /** What is wrong, as the end of a sentence that begins with the server's address. */
  readonly message: string;
}

/** What a server says while it starts, or while another one takes its place: it passes. */
const PASSING = /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY) /;

/** Why a server that answered did not do what was asked, from its own sentence; `secrets` are left out of it. */
export function refusal(sentence: string, secrets: readonly string[]): LinkError {
  // A server that does not know AUTH says with which words it was called, or with their beginnings.
  const [head = ""] = sentence.split(" with args beginning with");
  const said = secrets.reduce((text, secret) => (secret === "" ? text : text.replaceAll(secret, "…")), head);
  const message = `answers: ${printableLine(said.slice(0, 200)).replace(/[.,]+$/, "")}`;
  if (PASSING.test(said)) return { kind: "passing", message };
  if (/^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password) /.test(said))
    return { kind: "refused", about: "password", message };
  return { kind: "refused", about: "rights", message };
}

const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection (ECONNREFUSED)",
  ECONNRESET: "closed the connection (ECONNRESET)",
  EPIPE: "closed the connection (EPIPE)",
  ENOTFOUND: "has no known address (ENOTFOUND)",
  EAI_AGAIN: "has no known address now (EAI_AGAIN)",
  ETIMEDOUT: "does not answer (ETIMEDOUT)",
  ENETUNREACH: "cannot be reached: there is no way to its network (ENETUNREACH)",
  EHOSTUNREACH: "cannot be reached: there is no way to it (EHOSTUNREACH)",
};

const CERTIFICATE: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: "is signed by nobody who is trusted",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is signed by itself",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is signed by nobody who is trusted",
  UNABLE_TO_GET_ISSUER_CERT: "is signed by nobody who is trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is signed by nobody who is trusted",
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another name than this one",
};

/** Why there is no connection, from what the socket, TLS or the reader of the answers threw. */
export function connectionError(error: unknown): LinkError {
  // Of a name with several addresses, the first one's tells enough.
  const cause: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const certificate = CERTIFICATE[code];
  if (certificate !== undefined)
    return { kind: "refused", about: "certificate", message: `shows a certificate that ${certificate} (${code})` };
  if (/^(?:ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO)/.test(code))
    return { kind: "refused", about: "certificate", message: `does not agree on TLS: ${opensslReason(cause)}` };
  // The reader's own errors have no code.
  if (code === "") return { kind: "lost", message: "speaks another protocol: it sent something else than answers" };
  return { kind: "lost", message: CONNECTION[code] ?? `cannot be reached: ${describeErrno(code)}` };
}

/** The part of OpenSSL's sentence that a person reads, without its source files. */
export function opensslReason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
  return printableLine(reason.slice(0, 120)).replace(/\.+$/, "");
}
