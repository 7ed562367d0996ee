import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { orNull } from "./fs-error.ts";

/**
 * A file's beginning, at most so many bytes of it, as text; null where it cannot be read: a folder can only be opened, and nobody
 * writes to a pipe.
 */
export function readHead(path: string, maxBytes: number): string | null {
  return readFrom(path, maxBytes, () => 0);
}

/** Its end likewise, which may begin in the middle of a character. */
export function readEnd(path: string, maxBytes: number): string | null {
  return readFrom(path, maxBytes, (size) => Math.max(0, size - maxBytes));
}

function readFrom(path: string, maxBytes: number, startIn: (size: number) => number): string | null {
  const fd = orNull(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (fd === null) return null;
  try {
    const bytes = Buffer.alloc(maxBytes);
    const length = orNull(() => readSync(fd, bytes, 0, maxBytes, startIn(fstatSync(fd).size)));
    return length === null ? null : bytes.toString(undefined, 0, length);
  } finally {
    closeSync(fd);
  }
}

/** The whole lines at a file's beginning, at most so many bytes of them; none where it cannot be read. */
export function headLines(path: string, maxBytes: number): readonly string[] {
  return readHead(path, maxBytes)?.split("\n").slice(0, -1) ?? [];
}
