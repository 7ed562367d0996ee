import { join } from "node:path";
import { err, ok, type Result, valueOr } from "../base/result.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { createWhole } from "../platform/create-whole.ts";
import { readSettled } from "../platform/read-settled.ts";
import { type ReadError, readDamagedText, type TextFile } from "../platform/read-text.ts";
import { statOf } from "../platform/stat-of.ts";
import { listFolder } from "./list-folder.ts";
import { CONTEXT_SUFFIX, contextFilePath, type ProjectPaths } from "./paths.ts";

/** A context file is read by an agent that has just lost its memory: one of a megabyte would fill it again. */
export const CONTEXT_FILE_MAX_BYTES = 1024 * 1024;

/** The context file of a role. One of more than a megabyte is refused, and one that is empty is looked at again. */
export function readContextFile(paths: ProjectPaths, role: RoleName): Result<TextFile, ReadError> {
  return readContextFileAt(paths, contextFilePath(paths, role));
}

/**
 * As `readContextFile` for any path in the project; a link that leads out of it is refused. Of a file of nothing but NUL bytes,
 * as a power loss or a copy that was broken off leaves it, there is as little left as of an empty one, and so it is one.
 */
export function readContextFileAt(paths: ProjectPaths, path: string): Result<TextFile, ReadError> {
  if (realPathInside(paths.root, path) === null) return err(leadsOut(paths, path));
  const file = readSettled(path, CONTEXT_FILE_MAX_BYTES);
  if (file.ok || file.error.problem !== "not-text") return file;
  const damaged = valueOr(readDamagedText(path, CONTEXT_FILE_MAX_BYTES), "");
  const stat = statOf(path);
  if (stat === null || !/^\0+$/.test(damaged)) return file;
  const { mtimeMs, mode } = stat;
  return ok({ path, text: "", bytes: Buffer.from(damaged), modified: mtimeMs, mode: mode & 0o777 });
}

const LOOKED_AT_AGAIN: ReadonlySet<string> = new Set(["link", "not-text"]);

/** A reader for many context files of the project's own folder: the folder's place is looked up once. */
export function contextFileReader(paths: ProjectPaths): (name: string) => Result<TextFile, ReadError> {
  const inside = realPathInside(paths.root, paths.agents) !== null;
  return (name) => {
    const path = join(paths.agents, name);
    if (!inside) return err(leadsOut(paths, path));
    const file = readSettled(path, CONTEXT_FILE_MAX_BYTES, "refuse");
    return file.ok || !LOOKED_AT_AGAIN.has(file.error.problem) ? file : readContextFileAt(paths, path);
  };
}

function leadsOut(paths: ProjectPaths, path: string): ReadError {
  return { problem: "link", path, message: `is a link that leads out of ${paths.root}; it is not read` };
}

/** Everybody may read a context file that is made. */
const NEW_MODE = 0o644;

/** Writes a context file, in place of what is there and with its rights. */
export function writeContextFile(
  paths: ProjectPaths,
  path: string,
  text: string,
  mode = NEW_MODE,
): Result<void, WriteError> {
  return writeWhole(path, text, { mode, root: paths.root });
}

/** As `writeContextFile`; false where a file of that name is there by then, which stays as it is. */
export function createContextFile(paths: ProjectPaths, path: string, text: string): Result<boolean, WriteError> {
  return createWhole(path, text, { mode: NEW_MODE, root: paths.root });
}

/**
 * The context files' names, in byte order. What begins with a dot is none, as for a shell: macOS keeps a `._` file beside each
 * on a disk of another system's, Emacs a `.#` link while one is edited.
 */
export function listContextFiles(paths: ProjectPaths): Result<readonly string[], { path: string; message: string }> {
  const names = listFolder(paths.agents);
  return names.ok ? ok(names.value.filter((name) => name.endsWith(CONTEXT_SUFFIX) && !name.startsWith("."))) : names;
}

/** The role that a file's name names; null for a name that is no role's. */
export function roleOfContextFile(name: string): RoleName | null {
  const role = name.endsWith(CONTEXT_SUFFIX) ? name.slice(0, -CONTEXT_SUFFIX.length) : name;
  return isRoleName(role) ? role : null;
}
