import { dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import type { WriteError } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { withLock } from "../platform/lock.ts";
import { deadOwner } from "../platform/lock-owner.ts";
import { isFolder, statOf } from "../platform/stat-of.ts";
import { abandonedBefore, deadTemporaries, sweepAbandoned } from "../platform/sweep.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";
import { notesFolder } from "./pending-store.ts";
import { precompactStatePath } from "./precompact-state-store.ts";
import { listProjectIds, projectFolder } from "./project-store.ts";
import { HOOKS_FOLDER } from "./setup-file.ts";

/** What earlier runs left lying about. */
export interface Leftovers {
  /** Files that `setAside` renamed. */
  readonly setAside: readonly string[];
  readonly locks: readonly { readonly path: string; readonly owner: string }[];
  readonly temporaries: readonly string[];
}

/** Every folder that this program writes to: what a link leads to elsewhere is none. */
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
  const isOwn = (folder: string): boolean =>
    isFolder(folder) && [paths.root, paths.machinesRoot].some((root) => realPathInside(root, folder) !== null);
  return [...new Set(folders)].filter(isOwn);
}

/**
 * A lock of a machine, of a gate's state, of a manifest, of `init`. In the same folders lie files of others that are called
 * locks, such as `yarn.lock`; what stands in one does not tell, since a power loss leaves ours empty.
 */
const OWN_LOCK = /(?:\.states\.env|[/\\]gate[/\\][^/\\]+\.json|[/\\]\.(?:[^/\\]+\.md|context-init))\.lock$/;

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

function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false;
}
