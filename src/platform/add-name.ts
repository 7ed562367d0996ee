import { closeSync, fsyncSync, linkSync, openSync, readFileSync, statSync } from "node:fs";
import { tryUnlink, writeAll } from "./atomic-write.ts";
import { errnoOf } from "./fs-error.ts";

/**
 * Gives a file a second name, unless something has it: then null. Where no file can have two (FAT, many a mount, Android) a
 * copy gets the name: no other process can take it at the same time either, but it stands without the bytes for a moment.
 */
export function addName(path: string, name: string): "link" | "copy" | null {
  let fd: number | null = null;
  try {
    try {
      linkSync(path, name);
      return "link";
    } catch (error) {
      if (errnoOf(error) === "EEXIST") throw error;
    }
    const bytes = readFileSync(path);
    fd = openSync(name, "wx", statSync(path).mode);
    writeAll(fd, bytes);
    fsyncSync(fd);
    return "copy";
  } catch (error) {
    if (fd !== null) tryUnlink(name);
    else if (errnoOf(error) === "EEXIST") return null;
    throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
