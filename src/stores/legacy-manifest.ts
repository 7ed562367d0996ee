import { existsSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { addName } from "../platform/add-name.ts";
import { attempt, tryUnlink, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { readText } from "../platform/read-text.ts";
import { type FoundManifest, LEGACY_MANIFESTS, type ManifestError, manifestPath, underLock } from "./manifest-store.ts";
import type { ProjectPaths } from "./paths.ts";
import { PLANNING_FILE_MAX_BYTES, projectFolder } from "./project-store.ts";

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
    if (known === null) dropEmpty(lastName(`${legacy}.bak`));
    const backup = known ?? freeName(`${legacy}.bak`);
    const linked = known === null ? change(legacy, "linked", () => void addName(legacy, backup)) : ok(undefined);
    if (!linked.ok) return linked;
    const written = writeWhole(target, text, { mode: file.mode, root: paths.root });
    if (written.ok) return change(legacy, "removed", () => unlinkSync(legacy));
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
    halfReplaced(paths, config, id) === relative ? change(legacy, "removed", () => unlinkSync(legacy)) : ok(undefined),
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
    if (backup !== null && known === null) dropEmpty(legacy);
    if (backup === null || (known === null && existsSync(legacy))) return ok(null);
    if (realPathInside(paths.root, legacy) === null) {
      return err({ path: folder, message: "is a link that leads out of the project", locked: false });
    }
    const back = known === null ? change(backup, "linked", () => void addName(backup, legacy)) : ok(undefined);
    if (!back.ok) return back;
    const kept = freeName(`${target}.bak`);
    const aside = change(target, "renamed", () => renameSync(target, kept));
    if (!aside.ok) return aside;
    tryUnlink(backup);
    return ok({ restored: relative, kept: kept.slice(folder.length + 1) });
  });
}

/** The backup that holds what the old file does, most often the same file under two names: a process that was killed leaves them so. */
function twinOf(legacy: string): string | null {
  const backup = lastName(`${legacy}.bak`);
  return backup !== null && isSame(legacy, backup) ? backup : null;
}

/** Where no file can have two names a copy that was cut off by a kill holds nothing, and is in its own way. A link is no copy. */
function dropEmpty(copy: string | null): void {
  const stat = copy === null ? undefined : lstatSync(copy, { throwIfNoEntry: false });
  if (copy !== null && stat?.isFile() && stat.size === 0) tryUnlink(copy);
}

/** Never of a link: what it leads to may be the other. */
function isSame(path: string, other: string): boolean {
  if (![path, other].every((name) => lstatSync(name, { throwIfNoEntry: false })?.isFile())) return false;
  const [a, b] = [path, other].map((name) => readText(name, PLANNING_FILE_MAX_BYTES));
  return a?.ok === true && b?.ok === true && a.value.bytes.equals(b.value.bytes);
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

function change(path: string, done: string, action: () => void): Result<void, ManifestError> {
  const changed = attempt(path, done, action);
  return changed.ok ? changed : err({ ...changed.error, locked: false });
}
