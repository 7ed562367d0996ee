import { type Stats, statSync } from "node:fs";
import { orNull } from "./fs-error.ts";

/** What the system tells of a file or a folder; null where there is none, one above it is a file, or it may not be looked at. */
export function statOf(path: string): Stats | null {
  return orNull(() => statSync(path, { throwIfNoEntry: false }) ?? null);
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** Whether nothing stands there; one that may not be looked at is not known to be gone. */
export function isGone(path: string): boolean {
  return orNull(() => statSync(path, { throwIfNoEntry: false }) === undefined) ?? false;
}

/** By what they are and not by their names: either may be a link, as a home often is and what a package manager puts on the PATH. */
export function isSameFile(path: string, other: string): boolean {
  const [a, b] = [statOf(path), statOf(other)];
  return a !== null && b !== null && a.ino === b.ino && a.dev === b.dev;
}
