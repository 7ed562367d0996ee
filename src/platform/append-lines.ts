import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { flush, type WriteError, writeAll, writeError } from "./atomic-write.ts";
import { errnoOf, orNull } from "./fs-error.ts";
import { giveToOwner } from "./give-to-owner.ts";

/**
 * Appends whole lines and flushes them. Before that, lines at the end that `keep` refuses are cut off, and so is a last
 * line without its newline: both are what a writer left that was killed in the middle. Call it under a lock.
 */
export function appendLines(
  path: string,
  lines: readonly string[],
  options: { readonly keep: (line: string) => boolean; readonly mode: number },
): Result<void, WriteError> {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | NO_FOLLOW, options.mode);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return err({ path, message: "is no regular file" });
      // One that holds something, or has another name, may be a file of the system's.
      if (stat.size === 0 && stat.nlink === 1) giveToOwner(fd, dirname(path));
      const end = keptEnd(fd, stat.size, options.keep);
      if (end === null) return err({ path, message: `ends in more than ${LONGEST_LINE} bytes without a newline` });
      if (end < stat.size) ftruncateSync(fd, end);
      writeAll(fd, Buffer.from(lines.map((line) => `${line}\n`).join("")), end);
      flush(fd);
      return ok(undefined);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // What the system calls too many links is, with this flag, a single one.
    if (errnoOf(error) === "ELOOP") return err({ path, message: "is a link, expected a regular file" });
    return err(writeError(path, error));
  }
}

/** A file that ends in a longer line is none that we wrote, and nothing is cut off from it. */
const LONGEST_LINE = 1024 * 1024;

/** Each is a look at the file: of millions that are none of ours, in a file that came with a clone, a hook would not come to an end. */
const MOST_LINES = 4096;

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** The last whole line that `accept` takes, or null where none of the last thousands is or the file cannot be read. */
export function lastLine(path: string, accept: (line: string) => boolean): string | null {
  return orNull(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      let line = stat.isFile() ? readLastLine(fd, stat.size) : "none";
      for (let looked = 0; typeof line === "object" && looked < MOST_LINES; looked++) {
        if (accept(line.text)) return line.text;
        line = readLastLine(fd, line.start);
      }
      return null;
    } finally {
      closeSync(fd);
    }
  });
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The last line that ends with a newline, of the first `size` bytes. */
function readLastLine(fd: number, size: number): Line | "none" | "too-long" {
  for (let window = Math.min(size, 4096); ; window = Math.min(size, window * 4)) {
    const bytes = Buffer.alloc(window);
    readSync(fd, bytes, 0, window, size - window);
    const last = bytes.lastIndexOf(10);
    const before = last <= 0 ? -1 : bytes.lastIndexOf(10, last - 1);
    if (last !== -1 && (before !== -1 || window === size)) {
      const start = size - window + before + 1;
      return { start, end: size - window + last + 1, text: bytes.toString(undefined, before + 1, last) };
    }
    if (window === size) return "none";
    if (window > LONGEST_LINE) return "too-long";
  }
}

/** Where the lines end that are kept, or null where that cannot be told. */
function keptEnd(fd: number, size: number, keep: (line: string) => boolean): number | null {
  let end = size;
  for (;;) {
    const line = readLastLine(fd, end);
    if (line === "none") return 0;
    if (line === "too-long") return null;
    if (keep(line.text)) return line.end;
    end = line.start;
  }
}
