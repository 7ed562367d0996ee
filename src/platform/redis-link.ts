import { connect, isIP, type Socket } from "node:net";
import { printableLine } from "../base/printable.ts";
import { type Answer, encodeRequest, type Reply, respReader } from "../base/resp.ts";
import { err, ok, type Result } from "../base/result.ts";
import { describeErrno } from "./fs-error.ts";

export interface LinkError {
  /**
   * `passing`: the server says that it cannot do it now. `refused`: it does not give what was asked for, or is not whom
   * it should be; trying again changes nothing.
   */
  readonly kind: "lost" | "passing" | "refused";
  /** What a refusal is about: who is asked, or who asks, or what may be done. */
  readonly about?: "certificate" | "password" | "rights";
  /** What is wrong, as the end of a sentence that begins with the server's address. */
  readonly message: string;
}

/** One connection to a server that speaks Redis's protocol. After `lost` every further request is lost. */
export interface RedisLink {
  /** `moreMs`: for a request that waits on the server, beside the limit that holds for every one. */
  readonly send: (words: readonly string[], moreMs?: number) => Promise<Result<Reply, LinkError>>;
  readonly close: () => void;
}

/** What TLS is to be checked and proved with; PEM texts. */
export interface LinkTls {
  /** Who may have signed the server's certificate; null: whom Node trusts. */
  readonly ca: string | null;
  /** This program's own certificate and its key, where the server wants one. */
  readonly own: { readonly cert: string; readonly key: string } | null;
}

export interface LinkOptions {
  readonly host: string;
  readonly port: number;
  /** Empty where the server's default user is meant. */
  readonly username: string;
  /** Empty where the server wants none. It is in no message. */
  readonly password: string;
  readonly database: number;
  /** Null: not encrypted. */
  readonly tls: LinkTls | null;
  /** For the connection, and for each answer; in milliseconds. */
  readonly limitMs: number;
  /** Ends the connection, and every attempt at one. */
  readonly signal?: AbortSignal;
}

/** Opens a connection; there is one attempt, and what is lost is not opened again. */
export async function openRedis(options: LinkOptions): Promise<Result<RedisLink, LinkError>> {
  const { limitMs, username, password, database } = options;
  let socket: Socket;
  try {
    socket = await openSocket(options);
  } catch (error) {
    // A certificate or key that is none: it is read before anything is sent.
    const message = `cannot be asked with these certificates: ${detail(error)}`;
    return err({ kind: "refused", about: "certificate", message });
  }
  socket.setNoDelay(true);
  const channel = requests(socket, options.tls === null ? "connect" : "secureConnect");
  const ask = async (words: readonly string[], ms: number, late: string): Promise<Result<Reply, LinkError>> => {
    const answer = await channel.ask(words, ms, late);
    if (!answer.ok) return answer;
    return answer.value.ok ? answer.value : err(refusal(withoutSecrets(answer.value.error, options)));
  };
  const greeting = [
    ...(username === "" && password === "" ? [] : [["AUTH", ...(username === "" ? [] : [username]), password]]),
    ...(database === 0 ? [] : [["SELECT", String(database)]]),
  ];
  const { signal } = options;
  signal?.addEventListener("abort", channel.close);
  socket.once("close", () => signal?.removeEventListener("abort", channel.close));
  if (signal?.aborted) channel.close();
  // All at once: the limit is for the whole, and the answers come in order.
  const late = `does not let this program in within ${limitMs} ms`;
  const answers = await Promise.all([
    channel.connected(limitMs, late),
    ...greeting.map((words) => ask(words, limitMs, late)),
  ]);
  for (const answer of answers) {
    if (answer.ok) continue;
    channel.close();
    return answer;
  }
  const send: RedisLink["send"] = (words, moreMs = 0) =>
    ask(words, limitMs + moreMs, `does not answer within ${limitMs + moreMs} ms`);
  return ok({ send, close: channel.close });
}

async function openSocket({ host, port, tls }: LinkOptions): Promise<Socket> {
  if (tls === null) return connect({ host, port });
  // Two milliseconds that only who needs it pays.
  const { connect: connectTls } = await import("node:tls");
  return connectTls({
    host,
    port,
    // An address is no name: such a server is asked for none, and its certificate has to hold the address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(tls.own === null ? {} : tls.own),
    // Not even where the environment says otherwise.
    rejectUnauthorized: true,
  });
}

/** Requests over a socket: what is answered is answered in their order. */
function requests(socket: Socket, connects: "connect" | "secureConnect") {
  let arrive: ((result: Result<null, LinkError>) => void) | null = null;
  const waiting: ((answer: Result<Answer, LinkError>) => void)[] = [];
  const reader = respReader();
  let lost: LinkError | null = null;
  const lose = (error: LinkError): void => {
    lost ??= error;
    socket.destroy();
    arrive?.(err(lost));
    for (const settle of waiting.splice(0)) settle(err(lost));
  };
  socket.on("data", (bytes) => {
    const read = reader.push(bytes);
    if (!read.ok) {
      lose({ kind: "lost", message: `speaks another protocol: it sent ${read.error}` });
      return;
    }
    for (const answer of read.value) waiting.shift()?.(ok(answer));
  });
  socket.on("error", (error) => lose(connectionError(error)));
  socket.on("close", () => lose({ kind: "lost", message: "closed the connection" }));
  const connected = (ms: number, late: string): Promise<Result<null, LinkError>> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => lose({ kind: "lost", message: late }), ms);
      arrive = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      socket.once(connects, () => arrive?.(ok(null)));
    });
  const ask = (words: readonly string[], ms: number, late: string): Promise<Result<Answer, LinkError>> => {
    if (lost !== null) return Promise.resolve(err(lost));
    return new Promise((resolve) => {
      const timer = setTimeout(() => lose({ kind: "lost", message: late }), ms);
      waiting.push((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      socket.write(encodeRequest(words));
    });
  };
  return { connected, ask, close: () => lose({ kind: "lost", message: "closed the connection" }) };
}

/** What a server says while it starts, or while another one takes its place: it passes. */
const PASSING = /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY) /;

/** A server that does not know AUTH says with which words it was called, or with their beginnings. */
function withoutSecrets(sentence: string, { username, password }: LinkOptions): string {
  const [text = ""] = sentence.split(" with args beginning with");
  return [password, username].reduce((said, secret) => (secret === "" ? said : said.replaceAll(secret, "…")), text);
}

function refusal(sentence: string): LinkError {
  const message = `answers: ${printableLine(sentence.slice(0, 200)).replace(/[.,]+$/, "")}`;
  if (PASSING.test(sentence)) return { kind: "passing", message };
  if (/^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password) /.test(sentence))
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

function connectionError(error: unknown): LinkError {
  // Of a name with several addresses, the first one's tells enough.
  const cause: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const certificate = CERTIFICATE[code];
  if (certificate !== undefined)
    return { kind: "refused", about: "certificate", message: `shows a certificate that ${certificate} (${code})` };
  if (/^(?:ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO)/.test(code))
    return { kind: "refused", about: "certificate", message: `does not agree on TLS: ${detail(cause)}` };
  const known = CONNECTION[code];
  return {
    kind: "lost",
    message: known ?? (code === "" ? "closed the connection" : `cannot be reached: ${describeErrno(code)}`),
  };
}

/** The part of OpenSSL's sentence that a person reads, without its source files. */
function detail(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
  return printableLine(reason.slice(0, 120)).replace(/\.+$/, "");
}
