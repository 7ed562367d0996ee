import { err, ok, type Result } from "../base/result.ts";

/** The server that `CONTEXT_STORE` names. */
export interface StorePlace {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** Empty: the server's default user. */
  readonly username: string;
  /** Empty where there is none. */
  readonly password: string;
  readonly database: number;
  /** The address as anybody may see it. */
  readonly shown: string;
}

/** Whether it is encrypted. Valkey speaks Redis's protocol, and its URLs name nothing else. */
const SCHEMES: Readonly<Record<string, boolean>> = {
  "redis:": false,
  "rediss:": true,
  "valkey:": false,
  "valkeys:": true,
};
/** Of every scheme: encrypted servers have no port of their own. */
const PORT = 6379;

/** Whether the machines are kept elsewhere than in files; where, `storePlace` tells. */
export function isElsewhere(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.CONTEXT_STORE) && env.CONTEXT_STORE !== "files";
}

/** Reads `CONTEXT_STORE`. What is wrong is told without its text, which may hold a password. */
export function storePlace(text: string): Result<StorePlace, string> {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return err("CONTEXT_STORE is no address.");
  }
  const secure = SCHEMES[url.protocol];
  if (secure === undefined) return err(`CONTEXT_STORE names "${url.protocol}//", which is no store.`);
  if (url.hostname === "") return err("CONTEXT_STORE names no host.");
  if (!/^\/?\d{0,5}$/.test(url.pathname)) return err("CONTEXT_STORE names no database: it is a number, as in /0.");
  const username = decoded(url.username);
  const password = decoded(url.password);
  if (username === null || password === null) {
    return err("CONTEXT_STORE has a % in its user or password that begins no %40 or the like; a % itself is %25.");
  }
  return ok({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? PORT : Number(url.port),
    secure,
    username,
    password,
    database: Number(url.pathname.slice(1)),
    shown: `${url.protocol}//${url.host}${url.pathname.replace(/^\/$/, "")}`,
  });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
