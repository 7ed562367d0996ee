import { statSync } from "node:fs";
import { errnoOf } from "./fs-error.ts";

/** A file's size now, in bytes; null where there is no such file, or it cannot be looked at. */
export function fileSize(path: string): number | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
