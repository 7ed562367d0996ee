import { closeSync, openSync, readSync } from "node:fs";
import { errnoOf } from "./fs-error.ts";

/** The whole lines at a file's beginning, at most so many bytes of them; none where it cannot be read. */
export function headLines(path: string, maxBytes: number): readonly string[] {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
  try {
    const bytes = Buffer.alloc(maxBytes);
    const length = readSync(fd, bytes, 0, maxBytes, 0);
    return bytes.toString("utf8", 0, length).split("\n").slice(0, -1);
  } catch (error) {
    // A folder can be opened and not be read.
    if (errnoOf(error) === null) throw error;
    return [];
  } finally {
    closeSync(fd);
  }
}
