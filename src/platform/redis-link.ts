import { statSync } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { invariant } from "../base/invariant.ts";
import { printableLine } from "../base/printable.ts";
import { err, ok, type Result } from "../base/result.ts";
import { monotonicMs } from "./clock.ts";
import { connectionError, type LinkError, opensslReason, refusal } from "./link-error.ts";

/** What a server answers: text, number, nothing, or a list of such. */
export type Reply = string | number | null | readonly Reply[];

/** One connection to a server that speaks Redis's protocol. After `lost` every further request is lost. */
export interface RedisLink {
  /**
   * A request's name is in capitals. `moreMs`: for one that waits on the server, beside the limit that holds for every
   * one.
   */
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

type Ask = (words: readonly string[], ms: number, late: string) => Promise<Result<Reply, LinkError>>;

/** Opens a connection; there is one attempt, and what is lost is not opened again. */
export async function openRedis(options: LinkOptions): Promise<Result<RedisLink, LinkError>> {
  const { limitMs, username, password, database, signal } = options;
  const library = await loadLibrary();
  if (!library.ok) return library;
  const tls = options.tls === null ? ok({}) : await encryption(options.host, options.tls);
  if (!tls.ok) return tls;
  const { connect, ask, close, closed } = requests(library.value, options, tls.value);
  signal?.addEventListener("abort", close);
  closed(() => signal?.removeEventListener("abort", close));
  if (signal?.aborted) close();
  const late = `does not let this program in within ${limitMs} ms`;
  const began = monotonicMs();
  const connected = await connect(limitMs, late);
  if (!connected.ok) return connected;
  // The limit is for the whole. The library's own lets a password pass where the server wants none.
  const leftMs = limitMs - (monotonicMs() - began);
  const greeting = [
    ...(username === "" && password === "" ? [] : [["AUTH", ...(username === "" ? [] : [username]), password]]),
    ...(database === 0 ? [] : [["SELECT", String(database)]]),
  ];
  const answers = await Promise.all(greeting.map((words) => ask(words, leftMs, late)));
  for (const answer of answers) {
    if (answer.ok) continue;
    close();
    return answer;
  }
  const send: RedisLink["send"] = (words, moreMs = 0) =>
    ask(words, limitMs + moreMs, `does not answer within ${limitMs + moreMs} ms`);
  return ok({ send, close });
}

type Library = Pick<typeof import("ioredis"), "Redis">;

/** The client library is whoever's who wants a store: it is no part of this program. */
async function loadLibrary(): Promise<Result<Library, LinkError>> {
  // Node takes links for folders while the last thing that was looked at is a pipe, as a hook's stdin is: pnpm's are links.
  statSync("/");
  try {
    return ok(await import("ioredis"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && /MODULE_NOT_FOUND$/.test(String(error.code)))) throw error;
    const [sentence = ""] = error.message.split("\n");
    const state = /'ioredis'/.test(sentence) ? "is not installed" : `is not whole: ${printableLine(sentence)}`;
    return err({ kind: "refused", about: "library", message: `needs the package ioredis, which ${state}` });
  }
}

async function encryption(host: string, { ca, own }: LinkTls): Promise<Result<{ tls: ConnectionOptions }, LinkError>> {
  // Two milliseconds that only who needs it pays.
  const { createSecureContext } = await import("node:tls");
  try {
    const secureContext = createSecureContext({ ...(ca === null ? {} : { ca }), ...(own === null ? {} : own) });
    const tls = {
      secureContext,
      // An address is no name: such a server is asked for none, and its certificate has to hold the address.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // Not even where the environment says otherwise.
      rejectUnauthorized: true,
    };
    return ok({ tls });
  } catch (error) {
    // A certificate or key that is none: it is read before anything is sent.
    const message = `cannot be asked with these certificates: ${opensslReason(error)}`;
    return err({ kind: "refused", about: "certificate", message });
  }
}

const BROKEN: LinkError = { kind: "lost", message: "sends what is no answer" };
const CLOSED: LinkError = { kind: "lost", message: "closed the connection" };

/** Requests to the library's client: what ends the connection is the answer to each that waits. */
function requests({ Redis }: Library, options: LinkOptions, tls: { tls?: ConnectionOptions }) {
  const secrets = [options.password, options.username];
  const client = new Redis({
    host: options.host,
    port: options.port,
    ...tls,
    // Plain texts and lists, from every server.
    protocol: 2,
    // A user of this store need not be allowed to ask for these.
    disableClientInfo: true,
    enableReadyCheck: false,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: () => null,
    // The limits are ours; a server that is gone does not hold up the end of the process.
    connectTimeout: 0,
    disconnectTimeout: 0,
  });
  let lost: LinkError | null = null;
  const lose = (error: LinkError): LinkError => {
    if (lost !== null) return lost;
    lost = error;
    process.off("uncaughtException", guard);
    client.disconnect();
    return error;
  };
  // On an answer that no server gives the library throws where nobody can catch it, which would end the process.
  const guard = (error: Error): void => {
    if (!isOfLibrary(error)) throw error;
    lose(BROKEN);
  };
  process.on("uncaughtException", guard);
  // Without a listener the library writes to stderr.
  client.on("error", (error) => lose(connectionError(error)));
  client.on("end", () => lose(CLOSED));
  const bounded = async <T>(ms: number, late: string, work: () => Promise<T>): Promise<Result<T, LinkError>> => {
    if (lost !== null) return err(lost);
    const timer = setTimeout(() => lose({ kind: "lost", message: late }), ms);
    try {
      return ok(await work());
    } catch (error) {
      // What the library says of a connection that ended is less than what ended it.
      return err(isAnswer(error) ? refusal(error.message, secrets) : lose(CLOSED));
    } finally {
      clearTimeout(timer);
    }
  };
  const connect = (ms: number, late: string): Promise<Result<void, LinkError>> =>
    bounded(ms, late, () => client.connect());
  const ask: Ask = async ([name = "", ...words], ms, late) => {
    // In capitals a name is sent as it stands; behind `hgetall` and the like the library makes objects of lists.
    const answer = await bounded(ms, late, () => client.call(name, ...words));
    return answer.ok ? readReply(answer.value, secrets) : answer;
  };
  const closed = (listener: () => void): unknown => client.once("end", listener);
  return { connect, ask, close: () => void lose(CLOSED), closed };
}

function readReply(value: unknown, secrets: readonly string[]): Result<Reply, LinkError> {
  if (value === null || typeof value === "string" || typeof value === "number") return ok(value);
  if (isAnswer(value)) return err(refusal(value.message, secrets));
  invariant(Array.isArray(value), "the library gives texts, numbers, null and lists");
  const items: Reply[] = [];
  for (const item of value) {
    const read = readReply(item, secrets);
    if (!read.ok) return read;
    items.push(read.value);
  }
  return ok(items);
}

function isOfLibrary(error: Error): boolean {
  return /[\\/]node_modules[\\/]ioredis[\\/]/.test(error.stack ?? "");
}

/** The server's own sentence, as the library gives it. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}
