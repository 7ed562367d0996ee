import { closeSync, constants, openSync, readSync } from "node:fs";
import { orNull } from "./fs-error.ts";

/**
 * A file's beginning, at most so many bytes of it, as text; null where it cannot be read: a folder can only be opened, and nobody
 * writes to a pipe.
 */
export function readHead(path: string, maxBytes: number): string | null {
  const fd = orNull(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (fd === null) return null;
  try {
    const bytes = Buffer.alloc(maxBytes);
    const length = orNull(() => readSync(fd, bytes, 0, maxBytes, 0));
    return length === null ? null : bytes.toString(undefined, 0, length);
  } finally {
    closeSync(fd);
  }
}

/** The whole lines at a file's beginning, at most so many bytes of them; none where it cannot be read. */
export function headLines(path: string, maxBytes: number): readonly string[] {
  return readHead(path, maxBytes)?.split("\n").slice(0, -1) ?? [];
}
