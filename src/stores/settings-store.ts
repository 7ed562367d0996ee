import { chmodSync, mkdirSync, readdirSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { err, ok, type Result } from "../base/result.ts";
import { type WriteError, writeError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { isFsError } from "../platform/fs-error.ts";
import type { SetupFile } from "./setup-file.ts";

export function writeSetupFile({ path, root }: SetupFile, text: string, mode: number): Result<void, WriteError> {
  return writeWhole(path, text, { mode, root });
}

export function makeRunnable({ path, root }: SetupFile, mode: number): Result<void, WriteError> {
  const target = realPathInside(root, path);
  if (target === null) return err({ path, message: `is a link that leads out of ${root}; it is not changed` });
  return attempt(path, () => chmodSync(target, mode));
}

/** Removes a file, or the link that stands in its place. */
export function removeSetupFile({ path }: SetupFile): Result<void, WriteError> {
  return attempt(path, () => unlinkSync(path));
}

export function makeFolder(root: string, path: string): Result<void, WriteError> {
  if (realPathInside(root, path) === null) {
    return err({ path, message: `is a link that leads out of ${root}; nothing is made there` });
  }
  return attempt(path, () => mkdirSync(path, { recursive: true }));
}

/** Whether a folder is there and holds nothing but what is named. */
export function holdsOnly(path: string, names: ReadonlySet<string>): boolean {
  try {
    return readdirSync(path).every((name) => names.has(name));
  } catch (error) {
    if (isFsError(error)) return false;
    throw error;
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Removes a folder that is empty; one that is not, or that is a link, stays. */
export function removeEmptyFolder(path: string): Result<void, WriteError> {
  return attempt(path, () => rmdirSync(path));
}

function attempt(path: string, action: () => void): Result<void, WriteError> {
  try {
    action();
    return ok(undefined);
  } catch (error) {
    return err(writeError(path, error));
  }
}
