import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A process that answers orders, one after the other, by `serve.mjs`: asked without a promise, as tests ask. */
export interface Servant<Answer> {
  /** Order and answer go as JSON. */
  readonly ask: (order: object) => Answer;
}

/** `script` is a file of this folder. The process ends with this one: nobody else holds the pipe of its orders. */
export function startServant<Answer>(script: string, args: readonly string[] = []): Servant<Answer> {
  const folder = mkdtempSync(join(tmpdir(), "context-servant-"));
  const names = ["orders", "answers"].map((name) => join(folder, name));
  execFileSync("mkfifo", names);
  const [orders = "", answers = ""] = names;
  // Whoever opens one end alone waits for the other one.
  const both = names.map((name) => openSync(name, "r+"));
  const its = [openSync(orders, "r"), openSync(answers, "w")];
  const ours = { orders: openSync(orders, "w"), answers: openSync(answers, "r") };
  const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
  spawn(process.execPath, [path, ...args], { stdio: ["ignore", "ignore", "inherit", ...its] }).unref();
  for (const fd of [...both, ...its]) closeSync(fd);
  rmSync(folder, { recursive: true });
  return {
    ask: (order) => {
      const line = Buffer.from(`${JSON.stringify(order)}\n`);
      for (let at = 0; at < line.length; ) at += writeSync(ours.orders, line, at);
      return JSON.parse(readLine(ours.answers, script));
    },
  };
}

const NEW_LINE = 10;

function readLine(fd: number, script: string): string {
  const read: Buffer[] = [];
  for (let last = 0; last !== NEW_LINE; ) {
    const chunk = Buffer.alloc(65_536);
    const count = readSync(fd, chunk);
    if (count === 0) throw new Error(`${script} is gone`);
    read.push(chunk.subarray(0, count));
    last = chunk[count - 1] ?? 0;
  }
  return Buffer.concat(read).toString("utf8");
}
