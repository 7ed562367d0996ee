import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from "node:fs";
import { err, ok, type Result } from "../base/result.ts";
import { type WriteError, writeAll, writeError } from "./atomic-write.ts";
import { isFsError } from "./fs-error.ts";

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
      const end = keptEnd(fd, stat.size, options.keep);
      if (end < stat.size) ftruncateSync(fd, end);
      writeAll(fd, Buffer.from(lines.map((line) => `${line}\n`).join(""), "utf8"), end);
      fsyncSync(fd);
      return ok(undefined);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return err(writeError(path, error));
  }
}

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** The last whole line that `accept` takes, or null where there is none or the file cannot be read. */
export function lastLine(path: string, accept: (line: string) => boolean): string | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      let line = stat.isFile() ? readLastLine(fd, stat.size) : null;
      while (line !== null && !accept(line.text)) line = line.start === 0 ? null : readLastLine(fd, line.start);
      return line?.text ?? null;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (isFsError(error)) return null;
    throw error;
  }
}

/** The last line that ends with a newline, or null where the file holds none. */
function readLastLine(fd: number, size: number): { start: number; end: number; text: string } | null {
  for (let window = Math.min(size, 4096); ; window = Math.min(size, window * 4)) {
    const bytes = Buffer.alloc(window);
    readSync(fd, bytes, 0, window, size - window);
    const last = bytes.lastIndexOf(10);
    const before = last <= 0 ? -1 : bytes.lastIndexOf(10, last - 1);
    if (last !== -1 && (before !== -1 || window === size)) {
      const start = size - window + before + 1;
      return { start, end: size - window + last + 1, text: bytes.toString("utf8", before + 1, last) };
    }
    if (window === size) return null;
  }
}

function keptEnd(fd: number, size: number, keep: (line: string) => boolean): number {
  let end = size;
  for (;;) {
    const line = end === 0 ? null : readLastLine(fd, end);
    if (line === null) return 0;
    if (keep(line.text)) return line.end;
    end = line.start;
  }
}
