import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type StorePlace, storePlace } from "../../src/stores/store-place.ts";
import { need } from "./need.ts";

/** Debian's; another one, or Valkey's, where `CONTEXT_REDIS_SERVER` names it. */
export const REDIS_PROGRAM: string = process.env.CONTEXT_REDIS_SERVER || "/usr/bin/redis-server";

/**
 * Why no server can be had, or null where one can. `CONTEXT_REDIS=required` makes its absence a failure, so that a build
 * that should have run these tests cannot pass without them.
 */
export function redisMissing(program = REDIS_PROGRAM, wanted = process.env.CONTEXT_REDIS): string | null {
  if (existsSync(program)) return null;
  const missing = `${program} is missing: install redis-server, or name one in CONTEXT_REDIS_SERVER`;
  if (wanted === "required") throw new Error(`${missing}. CONTEXT_REDIS=required, so this is a failure.`);
  return missing;
}

export const PASSWORD = "s3cret-w0rd";

export interface RedisUnderTest {
  readonly port: number;
  /** With the password in it. */
  readonly url: string;
  readonly shown: string;
  readonly place: StorePlace;
  /** One request over a connection of its own. */
  readonly ask: (...words: readonly string[]) => Promise<unknown>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it as a failing machine would. */
  readonly kill: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** A server on loopback that keeps nothing, unless it is told to by further words of its command line. */
export async function startRedis(
  port?: number,
  more: readonly string[] = [],
): Promise<RedisUnderTest & { readonly stop: () => Promise<void> }> {
  const at = port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), "context-redis-"));
  const words = ["--port", String(at), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const given = [...words, "--requirepass", PASSWORD, ...more];
  const child = spawn(REDIS_PROGRAM, given, { stdio: ["ignore", "pipe", "inherit"] });
  await ready(child);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = `redis://:${PASSWORD}@127.0.0.1:${at}`;
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return {
    port: at,
    url,
    shown: `redis://127.0.0.1:${at}`,
    place: placeOf(url),
    ask: async (...words) => {
      const client = new Redis(url, { protocol: 2, maxRetriesPerRequest: 0, retryStrategy: () => null });
      try {
        const [name = "", ...rest] = words;
        return await client.call(name, ...rest);
      } finally {
        client.disconnect();
      }
    },
    pause: () => child.kill("SIGSTOP"),
    resume: () => child.kill("SIGCONT"),
    kill,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function placeOf(url: string): StorePlace {
  return need(storePlace(url));
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (/ready to accept connections/i.test(said)) resolve();
    });
    child.once("close", () => reject(new Error(`The server did not start: ${said}`)));
    child.once("error", reject);
  });
}

/** One server for the tests of a file; each takes a prefix of its own. */
export function useRedis(): () => RedisUnderTest {
  let server: Awaited<ReturnType<typeof startRedis>> | null = null;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === null) throw new Error("The server is not started yet.");
    return server;
  };
}

/** A server that has its machines again when it is started again, on the same port. */
export async function keptServer() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "context-redis-kept-"));
  const start = (at = port) => startRedis(at, ["--dir", folder, "--appendonly", "yes", "--appendfsync", "always"]);
  let redis = await start();
  onTestFinished(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    env: { CONTEXT_STORE: redis.url, CONTEXT_STORE_PREFIX: "kept" },
    shown: redis.shown,
    kill: () => redis.kill(),
    pause: () => redis.pause(),
    resume: () => redis.resume(),
    ask: (...words: readonly string[]) => redis.ask(...words),
    again: async () => {
      await redis.stop();
      redis = await start();
    },
    /** Runs something with the machines on another port: nobody who knows the first one sees it done. */
    elsewhere: async (work: (env: Readonly<Record<string, string>>) => void) => {
      const other = await start(await freePort());
      work({ CONTEXT_STORE: other.url, CONTEXT_STORE_PREFIX: "kept" });
      await other.stop();
    },
    againWith: async (password: string) => {
      await redis.stop();
      redis = await startRedis(port, ["--requirepass", password]);
    },
  };
}
