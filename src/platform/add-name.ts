import { closeSync, linkSync, openSync, readFileSync, statSync } from "node:fs";
import { flush, tryUnlink, writeAll } from "./atomic-write.ts";
import { errnoOf } from "./fs-error.ts";

/**
 * Gives a file a second name. Where no file can have two (FAT, many a mount, Android) a copy gets the name: no other process
 * can take it at the same time either, but it stands without the bytes for a moment. Throws what the system says: EEXIST
 * where something has the name, which keeps it.
 */
export function addName(path: string, name: string): "link" | "copy" {
  try {
    linkSync(path, name);
    return "link";
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
  }
  const bytes = readFileSync(path);
  const fd = openSync(name, "wx", statSync(path).mode);
  try {
    writeAll(fd, bytes);
    flush(fd);
    return "copy";
  } catch (error) {
    tryUnlink(name);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** As `addName`; null where something has the name. */
export function addFreeName(path: string, name: string): ReturnType<typeof addName> | null {
  try {
    return addName(path, name);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return null;
    throw error;
  }
}
