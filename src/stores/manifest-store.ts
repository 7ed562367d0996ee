import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { writeWhole } from "../platform/atomic-write.ts";

import { type LockError, withLock } from "../platform/lock.ts";
import { type ReadError, readText, type TextFile } from "../platform/read-text.ts";
import { replaceUnchanged } from "../platform/replace-unchanged.ts";
import { sweepAbandoned, sweepTemporaries } from "../platform/sweep.ts";

import type { ProjectPaths } from "./paths.ts";
import { PLANNING_FILE_MAX_BYTES, projectFolder, readProjectFile } from "./project-store.ts";

/** Where a project's manifest lies, relative to the project. */
export const MANIFEST = "01-planning/resume-context.md";
/** Where older tools put it: in the planning folder, or in the project's root. */
export const LEGACY_MANIFESTS = ["01-planning/_resume.md", "_resume.md"] as const;

export interface FoundManifest {
  /** Relative to the project. */
  readonly relative: string;
  readonly legacy: boolean;
  readonly file: TextFile;
}

export interface ManifestError {
  readonly path: string;
  /** What is wrong, as the end of a sentence that begins with the path. */
  readonly message: string;
  readonly locked: boolean;
  /** The errno, where the system refused it. */
  readonly code?: string;
}

/** Where a project's manifest lies, whether there is one or not. */
export function manifestPath(paths: ProjectPaths, config: Config, id: ProjectId): string {
  return join(projectFolder(paths, config, id), MANIFEST);
}

/** The project's manifest, under its old name where the new one is absent; null where there is none. */
export function findManifest(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
): Result<FoundManifest | null, ReadError> {
  for (const relative of [MANIFEST, ...LEGACY_MANIFESTS]) {
    const file = readProjectFile(paths, config, id, relative);
    if (file.ok) return ok({ relative, legacy: relative !== MANIFEST, file: file.value });
    if (file.error.problem !== "missing") return file;
  }
  return ok(null);
}

/** Whether this absolute path is where the project's manifest lies, under any of its names. */
export function isManifestOf(paths: ProjectPaths, config: Config, id: ProjectId, path: string): boolean {
  return [MANIFEST, ...LEGACY_MANIFESTS].some((name) => path === join(projectFolder(paths, config, id), name));
}

/** Writes a project's first manifest, and returns its path; one that is there by then stays. */
export function createManifest(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  text: string,
): Result<string, ManifestError> {
  const target = manifestPath(paths, config, id);
  return underLock(target, (): Result<string, ManifestError> => {
    if (isThere(target)) return err({ path: target, message: "is there already", locked: false });
    const written = writeWhole(target, text, { mode: 0o644, root: paths.root });
    return written.ok ? ok(target) : err({ ...written.error, locked: false });
  });
}

/** A link that leads nowhere is there too. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

const LOCK_WAIT_MS = 2000;
/** An editor that does not know the lock may write at the same moment; more often than this it is no coincidence. */
const EDIT_TRIES = 5;

/**
 * Reads a file, lets `edit` make the new text, and writes it, under a lock beside the file. A change that someone made
 * without the lock in between is seen and taken into account: the edit is made again on what is there then. `edit` returns
 * null to leave the file alone.
 */
export function editManifest<T>(
  paths: ProjectPaths,
  path: string,
  edit: (text: string) => { readonly text: string | null; readonly result: T },
): Result<T, ManifestError> {
  const failed = (message: string): Result<never, ManifestError> => err({ path, message, locked: false });
  return underLock(path, (): Result<T, ManifestError> => {
    for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
      const before = readText(path, PLANNING_FILE_MAX_BYTES);
      if (!before.ok) return failed(before.error.message);
      const { text, result } = edit(before.value.text);
      if (text === null || text === before.value.text) return ok(result);
      if (text.trim() === "") return failed("would become empty; it is left as it is");
      const limits = { root: paths.root, maxBytes: PLANNING_FILE_MAX_BYTES };
      const replaced = replaceUnchanged(path, before.value, text, limits);
      if (!replaced.ok) return err({ ...replaced.error, locked: false });
      if (replaced.value) return ok(result);
    }
    return failed("is being changed by someone else all the time; it is left as it is");
  });
}

/** Does the work under the lock of a manifest, and removes what killed writers left: the folder is a person's own. */
export function underLock<T>(path: string, work: () => Result<T, ManifestError>): Result<T, ManifestError> {
  const lock = lockOf(path);
  const locked = withLock(lock, { waitMs: LOCK_WAIT_MS, folderMode: 0o777 }, (tookOver) => {
    const folder = dirname(path);
    if (tookOver) sweepTemporaries(folder, basename(path));
    sweepAbandoned(folder, basename(lock), new Date());
    return work();
  });
  return locked.ok ? locked.value : err(lockProblem(path, locked.error));
}

function lockOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.lock`);
}

function lockProblem(path: string, error: LockError): ManifestError {
  if (error.kind === "failed") return { path, message: error.message, locked: false, code: error.code };
  const holder = error.owner === null ? "another process" : `process ${error.owner.pid} on ${error.owner.host}`;
  return { path, message: `is locked by ${holder}, for longer than ${error.waitedMs} ms`, locked: true };
}
