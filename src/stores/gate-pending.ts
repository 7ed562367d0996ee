import { existsSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, valueOr } from "../base/result.ts";
import { isSessionId } from "../base/session-id.ts";
import { tryUnlink, type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { orNull } from "../platform/fs-error.ts";
import { sweepOlder } from "../platform/sweep.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";

/**
 * A folder that exists while some session has files to read: all that the hook's script looks at. One empty file in it
 * for each such session, so that the last one to finish can remove it without asking the others.
 */
function pendingFolder(paths: ProjectPaths): string {
  return join(paths.cache, "gate.pending");
}

/** A session has files to read: its edits are looked at. */
export function markPending(paths: ProjectPaths, sessionId: string): Result<void, WriteError> {
  const marked = paths.main === undefined ? ok(undefined) : markPending(paths.main, sessionId);
  const options = { mode: 0o600, root: paths.root, folderMode: 0o700 };
  const write = () => writeWhole(join(pendingFolder(paths), sessionId), "", options);
  const first = write();
  // Another session that ended in this moment may have taken the new folder away.
  const written = first.ok ? first : write();
  return marked.ok ? written : marked;
}

/** The session's edits are not looked at any more; the last one to say so gives the script nothing to start for. */
export function endPending(paths: ProjectPaths, sessionId: string): void {
  inFolders(paths, (folder) => tryUnlink(join(folder, sessionId)));
}

/** Does something in the folder, and in the one of the project whose script is run; an empty one is removed. */
function inFolders(paths: ProjectPaths, work: (folder: string) => void): void {
  const folder = pendingFolder(paths);
  if (existsSync(folder) && realPathInside(paths.root, folder) !== null) {
    work(folder);
    removeIfEmpty(folder);
  }
  if (paths.main !== undefined) inFolders(paths.main, work);
}

/** Another session may be pending, or have removed it already. */
function removeIfEmpty(folder: string): void {
  orNull(() => rmdirSync(folder));
}

/** Sessions whose edits are looked at, in byte order. */
export function pendingSessions(paths: ProjectPaths): readonly string[] {
  return valueOr(listFolder(pendingFolder(paths)), []).filter(isSessionId);
}

/** A session that has not read for a day is over, or at work on something else. */
const PENDING_MAX_MS = 24 * 60 * 60 * 1000;

/** Ends what sessions left pending that never came back: each read and edit in this project would start Node for them. */
export function sweepPending(paths: ProjectPaths, now: Date): void {
  inFolders(paths, (folder) => sweepOlder(folder, now, PENDING_MAX_MS));
}
