import { execFileSync, type SpawnSyncOptions, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What `spawnSync` gives; the error is its message. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: string;
}

/**
 * `spawnSync` by a small process that waits for such orders. Node forks, and the system copies the page tables of whoever
 * does so: of a worker that has run a hundred files of tests, that takes a third of what the program itself takes.
 */
export function startAndWait(
  file: string,
  args: readonly string[],
  input: string | Uint8Array,
  options: SpawnSyncOptions,
): Outcome {
  starter ??= startStarter();
  const order = { file, args, input: Buffer.from(input).toString("base64"), options };
  const line = Buffer.from(`${JSON.stringify(order)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(starter.orders, line, at);
  const read: Buffer[] = [];
  for (let last = 0; last !== NEW_LINE; ) {
    const chunk = Buffer.alloc(65_536);
    const count = readSync(starter.answers, chunk);
    if (count === 0) throw new Error(`the process that starts programs is gone; it was to start ${file}`);
    read.push(chunk.subarray(0, count));
    last = chunk[count - 1] ?? 0;
  }
  return JSON.parse(Buffer.concat(read).toString("utf8"));
}

const NEW_LINE = 10;

interface Starter {
  readonly orders: number;
  readonly answers: number;
}

let starter: Starter | null = null;

/** It ends with this process: nobody else holds the pipe of its orders. */
function startStarter(): Starter {
  const folder = mkdtempSync(join(tmpdir(), "context-starter-"));
  const orders = join(folder, "orders");
  const answers = join(folder, "answers");
  execFileSync("mkfifo", [orders, answers]);
  // Whoever opens one end alone waits for the other one.
  const both = [openSync(orders, "r+"), openSync(answers, "r+")];
  const its = [openSync(orders, "r"), openSync(answers, "w")];
  const ours: Starter = { orders: openSync(orders, "w"), answers: openSync(answers, "r") };
  const script = fileURLToPath(new URL("./starter.mjs", import.meta.url));
  spawn(process.execPath, [script], { stdio: [...its, "inherit"] }).unref();
  for (const fd of [...both, ...its]) closeSync(fd);
  rmSync(folder, { recursive: true });
  return ours;
}
