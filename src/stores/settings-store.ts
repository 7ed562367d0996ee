import {
  closeSync,
  constants,
  fchmodSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { err, ok, type Result } from "../base/result.ts";
import { attempt, type WriteError, writeWholeIf } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { orNull } from "../platform/fs-error.ts";
import { makeFolders } from "../platform/make-folders.ts";
import { statOf } from "../platform/stat-of.ts";
import type { SetupFile } from "./setup-file.ts";

/** `isStillWanted` is asked last of all, since the client and people write these files too; where it says no, nothing is written. */
export function writeSetupFile(
  { path, root }: SetupFile,
  text: string,
  mode: number,
  isStillWanted: () => boolean = () => true,
): Result<boolean, WriteError> {
  const old = statOf(path);
  // Whom it belongs to it stays with where root sets up, as in a container.
  return writeWholeIf(path, text, { mode, root, like: old === null ? undefined : path }, (temporary) => {
    // And with its group where the person is in it: to others of that group it may be theirs to change too.
    if (old !== null) orNull(() => lchownSync(temporary, -1, old.gid));
    return isStillWanted();
  });
}

/** Gives a file that nobody may run these permission bits. FAT and its like say that they did, and keep none. */
export function makeRunnable({ path, root }: SetupFile, mode: number): Result<void, WriteError> {
  const target = realPathInside(root, path);
  if (target === null) return err({ path, message: `is a link that leads out of ${root}; it is not changed` });
  const isRunnable = (): boolean => ((statOf(target)?.mode ?? 0) & 0o100) !== 0;
  const done = isRunnable() ? ok(undefined) : attempt(path, "made runnable", () => setMode(target, mode));
  return !done.ok || isRunnable() ? done : err({ path, message: NO_RUN_BITS });
}

/** By the number of the open file, as its name may be a link to another by now. */
function setMode(path: string, mode: number): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

/** Why a script cannot be made to run. */
export const NO_RUN_BITS = "cannot be made runnable: its file system keeps no run bits";

/** Removes a file, or the link that stands in its place. */
export function removeSetupFile({ path }: SetupFile): Result<void, WriteError> {
  return attempt(path, "written", () => unlinkSync(path));
}

/** Makes a folder, with those above it; one outside of `root` is refused. */
export function makeFolder(root: string, path: string): Result<void, WriteError> {
  if (realPathInside(root, path) === null) {
    return err({ path, message: `is a link that leads out of ${root}; nothing is made there` });
  }
  return attempt(path, "written", () => makeFolders(path));
}

/** Whether a folder is there, by no link, and holds nothing but what is named. */
export function holdsOnly(path: string, names: ReadonlySet<string>): boolean {
  const held = orNull(() => lstatSync(path).isDirectory() && readdirSync(path));
  return held ? held.every((name) => names.has(name)) : false;
}

/** Removes a folder that is empty; one that is not, or that is a link, stays. */
export function removeEmptyFolder(path: string): Result<void, WriteError> {
  return attempt(path, "written", () => rmdirSync(path));
}
