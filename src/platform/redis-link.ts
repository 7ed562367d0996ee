import { printableLine } from "../base/printable.ts";
import { err, ok, type Result } from "../base/result.ts";
import { describeErrno } from "./fs-error.ts";

export interface LinkError {
  /** `refused`: the server is there and answers, but not with what was asked for. */
  readonly kind: "no-library" | "lost" | "refused";
  /** What is wrong, as the end of a sentence that begins with the server's address. */
  readonly message: string;
}

export type Reply = string | number | null | readonly Reply[];

/** One connection to a server that speaks Redis's protocol. After `lost` every further request is lost. */
export interface RedisLink {
  /** `moreMs`: for a request that waits on the server, beside the limit that holds for every one. */
  readonly send: (words: readonly string[], moreMs?: number) => Promise<Result<Reply, LinkError>>;
  readonly close: () => void;
}

export interface LinkOptions {
  /** `redis://` or `rediss://`, with the password where it takes one. It is in no message. */
  readonly url: string;
  /** For the connection, and for each answer; in milliseconds. */
  readonly limitMs: number;
}

/** Opens a connection; there is one attempt, and what is lost is not opened again. */
export async function openRedis({ url, limitMs }: LinkOptions): Promise<Result<RedisLink, LinkError>> {
  const library = await loadLibrary();
  if (library === null) return err({ kind: "no-library", message: "needs the package redis, which is not installed" });
  const client = library.createClient({
    url,
    // Plain strings and lists, from every server.
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    socket: { connectTimeout: limitMs, reconnectStrategy: false },
  });
  let lost: LinkError | null = null;
  const close = (): void => {
    if (client.isOpen) client.destroy();
  };
  // What it tells fails a request as well; without a listener it would end the process.
  client.on("error", (error) => {
    lost ??= linkError(error);
  });
  const ask = async (work: () => Promise<unknown>, ms: number, what: string): Promise<Result<Reply, LinkError>> => {
    if (lost !== null) return err(lost);
    const answer = await bounded(work(), ms);
    switch (answer.kind) {
      case "done":
        return isReply(answer.value) ? ok(answer.value) : ok(null);
      case "late":
        lost = { kind: "lost", message: `${what} within ${ms} ms` };
        close();
        return err(lost);
      case "threw": {
        const error = linkError(answer.error);
        if (error.kind === "lost") {
          lost ??= error;
          close();
        }
        return err(error);
      }
      default:
        return answer satisfies never;
    }
  };
  const connected = await ask(() => client.connect().then(() => null), limitMs, "does not let this program in");
  if (!connected.ok) {
    close();
    return connected;
  }
  const send: RedisLink["send"] = (words, moreMs = 0) =>
    ask(() => client.sendCommand([...words]), limitMs + moreMs, "does not answer");
  return ok({ send, close });
}

async function loadLibrary() {
  try {
    return await import("redis");
  } catch (error) {
    if (error instanceof Error && "code" in error && /MODULE_NOT_FOUND$/.test(String(error.code))) return null;
    throw error;
  }
}

type Settled =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "late" };

async function bounded(work: Promise<unknown>, ms: number): Promise<Settled> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Settled>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "late" }), ms);
  });
  const settled = work.then(
    (value): Settled => ({ kind: "done", value }),
    (error: unknown): Settled => ({ kind: "threw", error }),
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server's own answers begin with a word in capitals, such as `WRONGPASS`; everything else is a matter of the connection. */
const ANSWER = /^[A-Z]{2,}[A-Z0-9]* /;
const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection (ECONNREFUSED)",
  ECONNRESET: "closed the connection (ECONNRESET)",
  ENOTFOUND: "has no known address (ENOTFOUND)",
  EAI_AGAIN: "has no known address now (EAI_AGAIN)",
};

function linkError(error: unknown): LinkError {
  // Of a name with several addresses, the first one's tells enough.
  const cause: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  if (ANSWER.test(text))
    return { kind: "refused", message: `answers: ${printableLine(text.slice(0, 200)).replace(/\.+$/, "")}` };
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : null;
  if (code !== null) return { kind: "lost", message: CONNECTION[code] ?? `cannot be reached: ${describeErrno(code)}` };
  if (/timeout/i.test(text)) return { kind: "lost", message: "does not let this program in in time" };
  return { kind: "lost", message: "closed the connection" };
}

function isReply(value: unknown): value is Reply {
  if (value === null || typeof value === "string" || typeof value === "number") return true;
  return Array.isArray(value) && value.every(isReply);
}
