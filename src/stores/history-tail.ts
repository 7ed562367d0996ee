import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { HistoryEntry } from "../lifecycle/advance.ts";
import { orNull } from "../platform/fs-error.ts";
import { statOf } from "../platform/stat-of.ts";
import { rowText, walkRows } from "../platform/tail.ts";
import { parseHistoryLine } from "./machine-store.ts";

/** Reads what a role's history has gained since the last time. */
export interface HistoryTail {
  /** The transitions after the last call's, up to the revision that the machine has reached, oldest first. */
  readonly read: (reached: number) => readonly HistoryEntry[];
}

/** Far more than a role gains between two looks. */
const BLOCK_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

/** `after`: the revision that is known already. */
export function historyTail(path: string, after: number): HistoryTail {
  let known = after;
  let { inode, offset } = placeBehind(path, after);
  return {
    read: (reached) => {
      const entries: HistoryEntry[] = [];
      for (let more = true; more; ) {
        const block = readBlock(path, { inode, offset });
        if (block === null) break;
        ({ inode } = block);
        const lines = linesUpTo(block.bytes, reached);
        entries.push(...lines.entries);
        offset = block.from + lines.length;
        more = block.bytes.length === BLOCK_BYTES && lines.length > 0 && lines.whole;
      }
      const last = entries.at(-1)?.revision ?? known;
      // Removed, and begun anew from the first revision on.
      if (last < known && entries[0]?.revision === 1) known = 0;
      const fresh = entries.filter(({ revision }) => revision > known);
      known = Math.max(known, last);
      return fresh;
    },
  };
}

/** So far back a revision is looked for that is known already; it is nearly always the last one. */
const LOOK_BACK = { blockBytes: 16 * 1024, maxLines: 10_000, maxBytes: BLOCK_BYTES, maxScanBytes: BLOCK_BYTES };

/** Where the lines begin that follow a revision; the file's start where that cannot be told. A history can have a gigabyte. */
function placeBehind(path: string, after: number): { readonly inode: number | null; readonly offset: number } {
  if (after === 0) return { inode: null, offset: 0 };
  // Before the look: a file that takes the name meanwhile is another one, and is read from its start.
  const inode = statOf(path)?.ino ?? null;
  let offset = 0;
  walkRows(path, LOOK_BACK, ({ text, offset: start, terminated }) => {
    const entry = terminated ? parseHistoryLine(rowText(text)) : null;
    if (entry === null || entry.revision > after) return true;
    offset = start + text.length + 1;
    return false;
  });
  return { inode, offset };
}

/** The whole lines of a block, and the bytes that they take; a line of a revision that is not reached ends them. */
function linesUpTo(bytes: Buffer, reached: number): Lines {
  const entries: HistoryEntry[] = [];
  let length = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, length)) {
    const entry = parseHistoryLine(bytes.toString(undefined, length, end));
    // It comes with the state, or was left by a writer that was killed and will be cut off.
    if (entry !== null && entry.revision > reached) return { entries, length, whole: false };
    if (entry !== null) entries.push(entry);
    length = end + 1;
  }
  return { entries, length, whole: true };
}

interface Lines {
  readonly entries: readonly HistoryEntry[];
  readonly length: number;
  /** No line was left out. */
  readonly whole: boolean;
}

interface Block {
  readonly bytes: Buffer;
  readonly from: number;
  readonly inode: number;
}

/** What the file holds from the offset on; from its start where it is another file, or shorter than that. */
function readBlock(path: string, last: { readonly inode: number | null; readonly offset: number }): Block | null {
  return orNull(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return null;
      const from = stat.ino === last.inode && stat.size >= last.offset ? last.offset : 0;
      const bytes = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, stat.size - from));
      const length = readSync(fd, bytes, 0, bytes.length, from);
      return { bytes: bytes.subarray(0, length), from, inode: stat.ino };
    } finally {
      closeSync(fd);
    }
  });
}
