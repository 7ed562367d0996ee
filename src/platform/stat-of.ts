import { type Stats, statSync } from "node:fs";
import { isFsError } from "./fs-error.ts";

/** What the system tells of a file or a folder; null where there is none, one above it is a file, or it may not be looked at. */
export function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (isFsError(error)) return null;
    throw error;
  }
}
