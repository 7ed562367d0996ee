import { existsSync, linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { tryUnlink, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { describeErrno, isFsError } from "../platform/fs-error.ts";
import { type LockError, withLock } from "../platform/lock.ts";
import { type ReadError, readText, type TextFile } from "../platform/read-text.ts";
import { replaceUnchanged } from "../platform/replace-unchanged.ts";
import { sweepAbandoned, sweepTemporaries } from "../platform/sweep.ts";
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
  /** The errno, where the system refused it. */
  readonly code?: string;
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

/** Whether this absolute path is where the project's manifest lies, under any of its names. */
export function isManifestOf(paths: ProjectPaths, config: Config, id: ProjectId, path: string): boolean {
  return [MANIFEST, ...LEGACY_MANIFESTS].some((name) => path === join(projectFolder(paths, config, id), name));
}

export interface ListedFile {
  /** As the manifest writes it. */
  readonly listed: string;
  /** Relative to the project, with `/`; null where the text names nothing in it. */
  readonly path: string | null;
  readonly state: "present" | "missing" | "refused" | "empty" | "binary" | "too-large" | "unreadable";
  /** Why, for every state but `present` and `missing`. */
  readonly reason: string | null;
  readonly bytes: number | null;
}

/** Looks at a path of `files_to_load` without reading what is not the project's own. */
export function lookAtFile(paths: ProjectPaths, config: Config, id: ProjectId, listed: string): ListedFile {
  const place = classifyPath(listed);
  if (place.kind === "refused") {
    return { listed, path: null, state: "refused", reason: REFUSALS[place.reason], bytes: null };
  }
  const { path } = place;
  const read = readProjectFile(paths, config, id, path);
  if (read.ok) {
    const bytes = read.value.bytes.length;
    return bytes === 0
      ? { listed, path, state: "empty", reason: "is empty", bytes }
      : { listed, path, state: "present", reason: null, bytes };
  }
  const { problem, message } = read.error;
  switch (problem) {
    case "missing":
      return { listed, path, state: "missing", reason: null, bytes: null };
    case "link":
      return { listed, path, state: "refused", reason: message, bytes: null };
    case "not-text":
      return { listed, path, state: "binary", reason: message, bytes: null };
    case "too-large":
      return { listed, path, state: "too-large", reason: message, bytes: null };
    case "denied":
    case "not-a-file":
    case "failed":
      return { listed, path, state: "unreadable", reason: message, bytes: null };
    default:
      return problem satisfies never;
  }
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
function underLock<T>(path: string, work: () => Result<T, ManifestError>): Result<T, ManifestError> {
  const lock = lockOf(path);
  const locked = withLock(lock, { waitMs: LOCK_WAIT_MS, folderMode: 0o777 }, (tookOver) => {
    const folder = dirname(path);
    if (tookOver) sweepTemporaries(folder, basename(path));
    sweepAbandoned(folder, basename(lock), new Date());
    return work();
  });
  return locked.ok ? locked.value : err(lockProblem(path, locked.error));
}

/** A manifest that is to take an old one's place. */
export interface Replacement {
  /** The old file as it was read. */
  readonly legacy: FoundManifest;
  readonly text: string;
}

/**
 * Writes the new manifest and keeps the old file as `_resume.md.bak`. The old file first gets its second name, and loses
 * the first one last: at each moment there is a manifest, and who comes after a killed process can tell how far it went.
 */
export function replaceLegacy(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  { legacy: { relative, file }, text }: Replacement,
): Result<void, ManifestError> {
  const target = manifestPath(paths, config, id);
  const legacy = join(projectFolder(paths, config, id), relative);
  const failed = (path: string, message: string): Result<never, ManifestError> => err({ path, message, locked: false });
  return underLock(target, () => {
    // Another process has done the same meanwhile.
    if (existsSync(target)) return existsSync(legacy) ? failed(target, "is there already") : ok(undefined);
    const now = readText(legacy, PLANNING_FILE_MAX_BYTES);
    if (!now.ok) return failed(legacy, now.error.message);
    if (!now.value.bytes.equals(file.bytes)) return failed(legacy, "was changed meanwhile; it is left as it is");
    const known = twinOf(legacy);
    const backup = known ?? freeName(`${legacy}.bak`);
    const linked = known === null ? attempt(legacy, "linked", () => linkSync(legacy, backup)) : ok(undefined);
    if (!linked.ok) return linked;
    const written = writeWhole(target, text, { mode: file.mode, root: paths.root });
    if (written.ok) return attempt(legacy, "removed", () => unlinkSync(legacy));
    tryUnlink(backup);
    return err({ ...written.error, locked: false });
  });
}

/** The old file that a cut-off migration left beside the manifest, relative to the project; null where there is none. */
export function halfReplaced(paths: ProjectPaths, config: Config, id: ProjectId): string | null {
  const folder = projectFolder(paths, config, id);
  if (!existsSync(manifestPath(paths, config, id))) return null;
  return LEGACY_MANIFESTS.find((name) => twinOf(join(folder, name)) !== null) ?? null;
}

/** Takes the old file's first name from it, which a cut-off migration did not come to. */
export function finishReplacing(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  relative: string,
): Result<void, ManifestError> {
  const legacy = join(projectFolder(paths, config, id), relative);
  return underLock(manifestPath(paths, config, id), () =>
    halfReplaced(paths, config, id) === relative ? attempt(legacy, "removed", () => unlinkSync(legacy)) : ok(undefined),
  );
}

/**
 * Takes a migration back: the old file returns under its name, the manifest is kept as `resume-context.md.bak`. Null where
 * there was none. The steps of `replaceLegacy`, the other way round.
 */
export function restoreLegacy(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
): Result<{ readonly restored: string; readonly kept: string } | null, ManifestError> {
  const folder = projectFolder(paths, config, id);
  const target = manifestPath(paths, config, id);
  // Where nothing was migrated no lock is taken, which would need a folder to write to.
  if (!existsSync(target) || !LEGACY_MANIFESTS.some((name) => existsSync(join(folder, `${name}.bak`)))) return ok(null);
  return underLock(target, () => {
    const relative = LEGACY_MANIFESTS.find((name) => existsSync(join(folder, `${name}.bak`)));
    if (relative === undefined || !existsSync(target)) return ok(null);
    const legacy = join(folder, relative);
    const known = twinOf(legacy);
    const backup = known ?? lastName(`${legacy}.bak`);
    if (backup === null || (known === null && existsSync(legacy))) return ok(null);
    if (realPathInside(paths.root, legacy) === null) {
      return err({ path: folder, message: "is a link that leads out of the project", locked: false });
    }
    const back = known === null ? attempt(backup, "linked", () => linkSync(backup, legacy)) : ok(undefined);
    if (!back.ok) return back;
    const kept = freeName(`${target}.bak`);
    const aside = attempt(target, "renamed", () => renameSync(target, kept));
    if (!aside.ok) return aside;
    tryUnlink(backup);
    return ok({ restored: relative, kept: kept.slice(folder.length + 1) });
  });
}

/** The backup that is the same file as the old one, under two names: only a process that was killed leaves them so. */
function twinOf(legacy: string): string | null {
  const backup = lastName(`${legacy}.bak`);
  return backup !== null && isSameFile(legacy, backup) ? backup : null;
}

function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((name) => lstatSync(name, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
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

function attempt(path: string, what: string, change: () => void): Result<void, ManifestError> {
  try {
    change();
    return ok(undefined);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return err({ path, message: `cannot be ${what}: ${describeErrno(error.code)}`, locked: false, code: error.code });
  }
}

function lockProblem(path: string, error: LockError): ManifestError {
  if (error.kind === "failed") return { path, message: error.message, locked: false, code: error.code };
  const holder = error.owner === null ? "another process" : `process ${error.owner.pid} on ${error.owner.host}`;
  return { path, message: `is locked by ${holder}, for longer than ${error.waitedMs} ms`, locked: true };
}
