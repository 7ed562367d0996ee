import { readSync } from "node:fs";
import { monotonicMs } from "../clock.ts";
import { isTerminal } from "../is-terminal.ts";
import type { StdinBytes, StdinEnd } from "../stdin.ts";
import "./host.ts";

const CHUNK_BYTES = 64 * 1024;

/** As there: half a gigabyte takes no longer. */
const DISCARD_MS = 1000;

/**
 * In place of `../stdin.ts`. `poll` waits for files, pipes and sockets alike and needs no other descriptor than the first;
 * Node has no such call.
 */
export const readStdin: typeof import("../stdin.ts").readStdin = async ({ idleMs, enough, maxBytes }) => {
  let bytes: Buffer = Buffer.alloc(0);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const ended = (end: StdinEnd): StdinBytes => ({ bytes, end });
  try {
    if (isTerminal(0)) return ended("terminal");
    for (;;) {
      if (host.poll(0, idleMs) === 0) return ended("idle");
      const count = readSync(0, chunk, 0, chunk.length, null);
      if (count === 0) return ended("closed");
      bytes = Buffer.concat([bytes, chunk.subarray(0, count)]);
      if (bytes.length > maxBytes) {
        discard(chunk, idleMs);
        return ended("too-large");
      }
      if (enough(bytes)) return ended("enough");
    }
  } catch {
    return ended("failed");
  }
};

function discard(chunk: Buffer, idleMs: number): void {
  const begun = monotonicMs();
  while (monotonicMs() - begun < DISCARD_MS) {
    if (host.poll(0, idleMs) === 0 || readSync(0, chunk, 0, chunk.length, null) === 0) return;
  }
}

/** No command of the native program waits for a person. */
export const readWholeStdin: typeof import("../stdin.ts").readWholeStdin = () => host.handOver();
