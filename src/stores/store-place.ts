import { err, ok, type Result } from "../base/result.ts";

/** The server that `CONTEXT_STORE` names. */
export interface StorePlace {
  /** As the client library takes it, the password in it. */
  readonly url: string;
  /** As anybody may see it. */
  readonly shown: string;
}

/** Valkey speaks Redis's protocol, and its URLs name nothing else. */
const SCHEMES: Readonly<Record<string, string>> = {
  "redis:": "redis:",
  "rediss:": "rediss:",
  "valkey:": "redis:",
  "valkeys:": "rediss:",
};

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
  const scheme = SCHEMES[url.protocol];
  if (scheme === undefined) return err(`CONTEXT_STORE names "${url.protocol}//", which is no store.`);
  if (url.hostname === "") return err("CONTEXT_STORE names no host.");
  if (!/^\/?\d{0,5}$/.test(url.pathname)) return err("CONTEXT_STORE names no database: it is a number, as in /0.");
  // The rest of a URL means nothing here, and the library would take it for something.
  const shown = `${url.protocol}//${url.host}${url.pathname.replace(/^\/$/, "")}`;
  const access = url.username === "" && url.password === "" ? "" : `${url.username}:${url.password}@`;
  return ok({ url: `${scheme}//${access}${url.host}${url.pathname}`, shown });
}
