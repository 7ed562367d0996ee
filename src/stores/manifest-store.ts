import { existsSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { temporaryPrefix, tryUnlink, type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { describeErrno, isFsError } from "../platform/fs-error.ts";
import { type LockError, withLock } from "../platform/lock.ts";
import { uniqueToken } from "../platform/process-identity.ts";
import { type ReadError, readText, type TextFile } from "../platform/read-text.ts";
import { sweepTemporaries } from "../platform/sweep.ts";
import { classifyPath, REFUSALS } from "../resume/manifest-paths.ts";
import type { ProjectPaths } from "./paths.ts";
import { PLANNING_FILE_MAX_BYTES, projectFolder, readProjectFile } from "./project-store.ts";

export const MANIFEST = "01-planning/resume-context.md";
/** Where older tools put it: in the planning folder, or in the project's root. */
const LEGACY_MANIFESTS = ["01-planning/_resume.md", "_resume.md"] as const;

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
}

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

export interface ListedFile {
  /** As the manifest writes it. */
  readonly listed: string;
  readonly state: "present" | "missing" | "refused" | "empty" | "binary" | "too-large" | "unreadable";
  /** Why, for every state but `present` and `missing`. */
  readonly reason: string | null;
  readonly bytes: number | null;
}

/** Looks at a path of `files_to_load` without reading what is not the project's own. */
export function lookAtFile(paths: ProjectPaths, config: Config, id: ProjectId, listed: string): ListedFile {
  const refused = (reason: string): ListedFile => ({ listed, state: "refused", reason, bytes: null });
  const place = classifyPath(listed);
  if (place.kind === "refused") return refused(REFUSALS[place.reason]);
  const read = readProjectFile(paths, config, id, place.path);
  if (read.ok) {
    const bytes = read.value.bytes.length;
    return bytes === 0
      ? { listed, state: "empty", reason: "is empty", bytes }
      : { listed, state: "present", reason: null, bytes };
  }
  const { problem, message } = read.error;
  switch (problem) {
    case "missing":
      return { listed, state: "missing", reason: null, bytes: null };
    case "link":
      return refused(message);
    case "not-text":
      return { listed, state: "binary", reason: message, bytes: null };
    case "too-large":
      return { listed, state: "too-large", reason: message, bytes: null };
    case "denied":
    case "not-a-file":
    case "failed":
      return { listed, state: "unreadable", reason: message, bytes: null };
    default:
      return problem satisfies never;
  }
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
  const options = { waitMs: LOCK_WAIT_MS, folderMode: 0o777 };
  const locked = withLock(lockOf(path), options, (tookOver): Result<T, ManifestError> => {
    if (tookOver) {
      sweepTemporaries(dirname(path), basename(path));
      sweepTemporaries(dirname(path), basename(lockOf(path)));
    }
    for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
      const before = readText(path, PLANNING_FILE_MAX_BYTES);
      if (!before.ok) return failed(before.error.message);
      const { text, result } = edit(before.value.text);
      if (text === null || text === before.value.text) return ok(result);
      if (text.trim() === "") return failed("would become empty; it is left as it is");
      const replaced = replaceUnchanged(paths, path, before.value, text);
      if (!replaced.ok) return failed(replaced.error.message);
      if (replaced.value) return ok(result);
    }
    return failed("is being changed by someone else all the time; it is left as it is");
  });
  return locked.ok ? locked.value : err(lockProblem(path, locked.error));
}

/**
 * Puts a text in a file's place while nobody has changed the file; false where somebody has. The text is on the disk before
 * the file is looked at for the last time: the flush takes longer than all else, and an editor may save meanwhile.
 */
function replaceUnchanged(
  paths: ProjectPaths,
  path: string,
  before: TextFile,
  text: string,
): Result<boolean, ManifestError | WriteError> {
  const target = realPathInside(paths.root, path);
  if (target === null) return err({ path, message: `is a link that leads out of ${paths.root}; it is not written` });
  const staged = join(dirname(target), `${temporaryPrefix(target)}${uniqueToken()}.tmp`);
  const written = writeWhole(staged, text, { mode: before.mode, root: paths.root });
  if (!written.ok) return written;
  const version = versionOf(target);
  const now = readText(path, PLANNING_FILE_MAX_BYTES);
  // Reading takes many times as long as a look at the file's number and time, which therefore comes last.
  if (!now.ok || !now.value.bytes.equals(before.bytes) || versionOf(target) !== version) {
    tryUnlink(staged);
    return ok(false);
  }
  const moved = move(staged, target);
  if (!moved.ok) tryUnlink(staged);
  return moved.ok ? ok(true) : moved;
}

/** Another value for each file that takes the name, and for each change of one. */
function versionOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Writes the new manifest and keeps the old file as `_resume.md.bak`; true where the new one was not there before. */
export function replaceLegacy(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  legacyRelative: string,
  text: string,
): Result<void, ManifestError> {
  const target = manifestPath(paths, config, id);
  const legacy = join(projectFolder(paths, config, id), legacyRelative);
  const failed = (path: string, message: string): Result<never, ManifestError> => err({ path, message, locked: false });
  const locked = withLock(
    lockOf(target),
    { waitMs: LOCK_WAIT_MS, folderMode: 0o777 },
    (): Result<void, ManifestError> => {
      if (existsSync(target)) return failed(target, "is there already");
      const backup = freeName(`${legacy}.bak`);
      const written = writeWhole(target, text, { mode: statSync(legacy).mode & 0o777, root: paths.root });
      if (!written.ok) return failed(target, written.error.message);
      return move(legacy, backup);
    },
  );
  return locked.ok ? locked.value : err(lockProblem(target, locked.error));
}

/** Takes a migration back: the old file returns under its name, the manifest is kept as `resume-context.md.bak`. Null where there was none. */
export function restoreLegacy(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
): Result<{ readonly restored: string; readonly kept: string } | null, ManifestError> {
  const folder = projectFolder(paths, config, id);
  const target = manifestPath(paths, config, id);
  const relative = LEGACY_MANIFESTS.find((name) => existsSync(join(folder, `${name}.bak`)));
  const backup = relative === undefined ? null : lastName(join(folder, `${relative}.bak`));
  if (relative === undefined || backup === null || !existsSync(target) || existsSync(join(folder, relative)))
    return ok(null);
  if (realPathInside(paths.root, join(folder, relative)) === null) {
    return err({ path: folder, message: "is a link that leads out of the project", locked: false });
  }
  const locked = withLock(lockOf(target), { waitMs: LOCK_WAIT_MS, folderMode: 0o777 }, () => {
    const kept = freeName(`${target}.bak`);
    const aside = move(target, kept);
    if (!aside.ok) return aside;
    const back = move(backup, join(folder, relative));
    return back.ok ? ok({ restored: relative, kept: kept.slice(folder.length + 1) }) : back;
  });
  return locked.ok ? locked.value : err(lockProblem(target, locked.error));
}

function lockOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.lock`);
}

/** The name itself, or with a number behind it where something has it: nothing is ever written over. */
function freeName(path: string): string {
  let name = path;
  for (let count = 2; existsSync(name); count++) name = `${path}-${count}`;
  return name;
}

/** The last name that `freeName` gave. */
function lastName(path: string): string | null {
  let last: string | null = null;
  for (let count = 2, name = path; existsSync(name); name = `${path}-${count++}`) last = name;
  return last;
}

function move(from: string, to: string): Result<void, ManifestError> {
  try {
    renameSync(from, to);
    return ok(undefined);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return err({ path: from, message: `cannot be renamed: ${describeErrno(error.code)}`, locked: false });
  }
}

function lockProblem(path: string, error: LockError): ManifestError {
  if (error.kind === "failed") return { path, message: error.message, locked: false };
  const holder = error.owner === null ? "another process" : `process ${error.owner.pid} on ${error.owner.host}`;
  return { path, message: `is locked by ${holder}, for longer than ${error.waitedMs} ms`, locked: true };
}
