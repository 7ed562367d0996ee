import { readSync } from "node:fs";
import { monotonicMs } from "../clock.ts";
import { isTerminal } from "../is-terminal.ts";
import { withRoom } from "../room.ts";
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
  let room: Buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = room.subarray(0, 0);
  const ended = (end: StdinEnd): StdinBytes => ({ bytes, end });
  try {
    if (isTerminal(0)) return ended("terminal");
    for (;;) {
      if (host.poll(0, idleMs) === 0) return ended("idle");
      room = withRoom(room, bytes.length, CHUNK_BYTES);
      const count = readSync(0, room, bytes.length, room.length - bytes.length, null);
      if (count === 0) return ended("closed");
      bytes = room.subarray(0, bytes.length + count);
      if (bytes.length > maxBytes) {
        discard(idleMs);
        return ended("too-large");
      }
      if (enough(bytes)) return ended("enough");
    }
  } catch {
    return ended("failed");
  }
};

function discard(idleMs: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const begun = monotonicMs();
  while (monotonicMs() - begun < DISCARD_MS) {
    if (host.poll(0, idleMs) === 0 || readSync(0, chunk, 0, chunk.length, null) === 0) return;
  }
}

/** No command of the native program waits for a person. */
export const readWholeStdin: typeof import("../stdin.ts").readWholeStdin = () => host.handOver();
