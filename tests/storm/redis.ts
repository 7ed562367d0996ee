import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { parseLines, parseSnapshot } from "./model.ts";
import type { Ground, Place } from "./place.ts";
import type { Store } from "./store.ts";

const SERVER = process.env.CONTEXT_REDIS_SERVER || "/usr/bin/redis-server";
const PREFIX = "storm";

/** A storm of a project whose machines are kept in a server that keeps all it was told; null where there is none. */
export async function redisPlace(
  root: string,
  ground: Ground,
  { kills, outages }: { readonly kills: boolean; readonly outages: boolean },
): Promise<Place | null> {
  if (!existsSync(SERVER)) return null;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "context-storm-redis-"));
  let server = await start(port, folder);
  const store = redisStore(port);
  let busy: Promise<void> = Promise.resolve();
  const outage = async (kind: number): Promise<void> => {
    if (kind < 2) {
      server.child.kill("SIGSTOP");
      await pause(kind === 0 ? 200 : 3500);
      server.child.kill("SIGCONT");
      return;
    }
    server.child.kill("SIGKILL");
    await server.ended;
    await pause(300);
    server = await start(port, folder);
  };
  const calm = async () => busy;
  return {
    options: {
      root,
      store,
      engines: ground.native === null ? [ground.node] : [ground.node, ground.native],
      kills,
      clocks: false,
      weather: ({ below }) => {
        if (outages && below(12) === 0) {
          const kind = below(3);
          busy = busy.then(() => outage(kind));
        }
      },
      calm,
    },
    end: async () => {
      await busy;
      server.child.kill("SIGKILL");
      await server.ended;
      rmSync(folder, { recursive: true, force: true });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function redisStore(port: number): Store {
  const ask = async (name: string, ...words: readonly string[]): Promise<unknown> => {
    const client = new Redis(port, "127.0.0.1", { protocol: 2, maxRetriesPerRequest: 0, retryStrategy: () => null });
    try {
      return await client.call(name, ...words);
    } finally {
      client.disconnect();
    }
  };
  return {
    env: { CONTEXT_STORE: `redis://127.0.0.1:${port}`, CONTEXT_STORE_PREFIX: PREFIX },
    role: async (role) => {
      const machine = role.replaceAll("-", "_");
      const text = await ask("HGET", `context:{${PREFIX}}:machines`, machine);
      const rows = await ask("XRANGE", `context:{${PREFIX}}:history:${machine}`, "-", "+");
      const lines = Array.isArray(rows) ? rows.map((row) => `${row[1][1]}\n`).join("") : "";
      const snapshot = typeof text === "string" ? (parseSnapshot(text) ?? `holds no whole state: ${text}`) : null;
      return { snapshot, ...parseLines(lines) };
    },
    left: () => [],
  };
}

async function start(port: number, folder: string) {
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const child = spawn(SERVER, [...words, "--appendonly", "yes", "--appendfsync", "always"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (/ready to accept connections/i.test(said)) resolve();
    });
    child.once("close", () => reject(new Error(`The server did not start: ${said}`)));
  });
  return { child, ended };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
