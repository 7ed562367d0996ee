import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result, valueOr } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { describeErrno, errnoOf } from "../platform/fs-error.ts";
import { withLock } from "../platform/lock.ts";
import { deadOwner } from "../platform/lock-owner.ts";
import { readText } from "../platform/read-text.ts";
import { isFolder, statOf } from "../platform/stat-of.ts";
import { abandonedBefore, deadTemporaries, sweepAbandoned } from "../platform/sweep.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";
import { notesFolder } from "./pending-store.ts";
import { precompactStatePath } from "./precompact-state-store.ts";
import { listProjectIds, projectFolder } from "./project-store.ts";
import { HOOKS_FOLDER, obstacleTo } from "./setup-file.ts";

/** What earlier runs left lying about. */
export interface Leftovers {
  /** Files that `setAside` renamed. */
  readonly setAside: readonly string[];
  readonly locks: readonly { readonly path: string; readonly owner: string }[];
  readonly temporaries: readonly string[];
}

/** Every folder that this program writes to. */
export function writtenFolders(paths: ProjectPaths, config: Config): readonly string[] {
  const projects = listProjectIds(paths, config).map((id) => join(projectFolder(paths, config, id), "01-planning"));
  const folders = [
    paths.root,
    join(paths.root, ".claude"),
    join(paths.root, HOOKS_FOLDER),
    paths.agents,
    paths.machines,
    paths.cache,
    join(paths.cache, "gate"),
    join(paths.cache, "deliveries"),
    notesFolder(paths),
    dirname(precompactStatePath(paths, config)),
    ...projects,
  ];
  return [...new Set(folders)].filter(isFolder);
}

/**
 * A lock of a machine, of a gate's state, of a manifest. In the same folders lie files of others that are called locks, such as
 * `yarn.lock`; what stands in one does not tell, since a power loss leaves ours empty.
 */
const OWN_LOCK = /(?:\.states\.env|[/\\]gate[/\\][^/\\]+\.json|[/\\]\.[^/\\]+\.md)\.lock$/;

/** Looks for leftovers right in these folders. */
export function findLeftovers(folders: readonly string[], now: Date): Leftovers {
  const setAside: string[] = [];
  const locks: { path: string; owner: string }[] = [];
  const temporaries: string[] = [];
  for (const folder of folders) {
    const names = listFolder(folder);
    if (!names.ok) continue;
    for (const name of names.value) {
      const path = join(folder, name);
      if (/\.corrupt-\d{8}T\d{6}Z(?:-\d+)?$/.test(name)) setAside.push(path);
      else if (OWN_LOCK.test(path) && isFile(path)) {
        const owner = deadOwner(path);
        if (owner !== null) locks.push({ path, owner });
      }
    }
    temporaries.push(...deadTemporaries(folder, "", abandonedBefore(now)));
  }
  return { setAside, locks, temporaries };
}

/** Removes the temporary files of writers that are gone. */
export function removeTemporaries(folders: readonly string[], now: Date): void {
  for (const folder of folders) sweepAbandoned(folder, "", now);
}

/** Takes the lock over from an owner that has ended, as the next command would, and releases it. */
export function releaseStaleLock(path: string): Result<void, WriteError> {
  const released = withLock(path, { waitMs: 0, folderMode: 0o700 }, () => undefined);
  if (released.ok) return ok(undefined);
  const message = released.error.kind === "failed" ? released.error.message : "is held by another process";
  return err({ path, message });
}

/** A lock, a state and its history are a block of 4 kB each, and each is written beside the one that it replaces. */
const ROOM_BYTES = 32 * 1024;

/** Why a folder cannot be written to. */
export interface Unwritable {
  /** The end of a sentence that begins with the folder. */
  readonly message: string;
  /** What to do, an order without its full stop; `%` stands for the folders that it is about, where it is about any. */
  readonly way: string;
}

/** Looks at a folder of `root`, or at the nearest one above it that is there; null where it can be written to. */
export function unwritable(folder: string, root: string, shown: (path: string) => string): Unwritable | null {
  // Then from above: a file may stand where `CONFIG_PATH` says.
  const obstacle = obstacleTo({ path: folder, root }, "folder") ?? obstacleTo({ path: folder, root: "/" }, "folder");
  if (obstacle !== null) {
    const { path, message, way } = obstacle;
    const what = path === folder ? message : `cannot be written: ${shown(path)} ${message}`;
    return { message: what, way: way.replace("%", () => shown(path)) };
  }
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  try {
    accessSync(at, constants.W_OK | constants.X_OK);
    const { bavail, blocks, bsize } = statfsSync(at);
    // Some file systems do not count.
    if (blocks === 0 || bavail * bsize >= ROOM_BYTES) return null;
    return { message: `is on a disk with ${bavail * bsize} bytes left`, way: "Free space on the disk of %" };
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    const way =
      code === "EROFS"
        ? "Mount the file system of % so that it can be written"
        : "Give this user the rights to write to %";
    return { message: `cannot be written: ${describeErrno(code)}`, way };
  }
}

/** Files of ours of which one in this size is looked into for paths of this machine. */
const LOOK_MAX_BYTES = 1024 * 1024;

/** Files right in a folder that name one of these paths. */
export function filesNaming(folder: string, paths: readonly string[]): readonly string[] {
  return valueOr(listFolder(folder), []).flatMap((name) => {
    const path = join(folder, name);
    const file = isFile(path) ? readText(path, LOOK_MAX_BYTES) : null;
    return file?.ok === true && paths.some((wanted) => file.value.text.includes(wanted)) ? [path] : [];
  });
}

/** Makes git leave a cache folder alone, whatever the project's own .gitignore says. */
export function ignoreCache(paths: ProjectPaths): Result<void, WriteError> {
  return writeWhole(join(paths.cache, ".gitignore"), "*\n", { mode: 0o644, root: paths.root });
}

function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false;
}
