import { existsSync, rmdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { err, ok, type Result, valueOr } from "../base/result.ts";
import { isSessionId } from "../base/session-id.ts";
import { fileKey } from "../gate/file-key.ts";
import { isGateRow, readSince, type SinceCompaction } from "../gate/session-rows.ts";
import { formatGateState, type GateState, parseGateState } from "../gate/state.ts";
import { tryUnlink, type WriteError, writeWhole, writeWholeIf } from "../platform/atomic-write.ts";
import { isInside, realPathInside } from "../platform/contain.ts";
import { orNull } from "../platform/fs-error.ts";
import { withLock } from "../platform/lock.ts";
import { readText } from "../platform/read-text.ts";
import { sweepAbandoned, sweepTemporaries } from "../platform/sweep.ts";
import { type TailError, tailLines } from "../platform/tail.ts";
import { TRANSCRIPT_WINDOW } from "../transcript/row.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";
import { setAside } from "./set-aside.ts";
import { realPath, worktreeRoot } from "./worktree.ts";

/** One state for each session that compacted in this project. */
function statePath(paths: ProjectPaths, sessionId: string): string {
  return join(paths.cache, "gate", `${sessionId}.json`);
}

/**
 * A folder that exists while some session has files to read: all that the hook's script looks at. One empty file in it
 * for each such session, so that the last one to finish can remove it without asking the others.
 */
export function pendingFolder(paths: ProjectPaths): string {
  return join(paths.cache, "gate.pending");
}

/** A state of a manifest with hundreds of long paths. */
const STATE_MAX_BYTES = 1024 * 1024;

/** The session's last compaction; null where none is known, or what is wrong with the file. */
export function readGateState(paths: ProjectPaths, sessionId: string): Result<GateState | null, WriteError> {
  if (!isSessionId(sessionId)) return ok(null);
  const path = statePath(paths, sessionId);
  if (realPathInside(paths.root, path) === null)
    return err({ path, message: "is a link that leads out of the project" });
  const file = readText(path, STATE_MAX_BYTES);
  if (!file.ok) return file.error.problem === "missing" ? ok(null) : err({ path, message: file.error.message });
  const parsed = parseGateState(file.value.text);
  return parsed.ok ? parsed : err({ path, message: parsed.error });
}

/** Puts a state that is none out of the way; its new name, or null where there is no such file. */
export function setAsideBroken(paths: ProjectPaths, sessionId: string, now: Date): string | null {
  const path = statePath(paths, sessionId);
  if (!isSessionId(sessionId) || realPathInside(paths.root, path) === null) return null;
  const file = readText(path, STATE_MAX_BYTES);
  if (!file.ok || parseGateState(file.value.text).ok) return null;
  const moved = setAside(path, now);
  return moved.ok ? moved.value : null;
}

/** Begins a compaction's state in place of an earlier one; edits are looked at from now on where `pending`. */
export function startGate(
  paths: ProjectPaths,
  state: GateState,
  pending: boolean,
  now: Date,
): Result<void, WriteError> {
  sweep(paths, now);
  setAsideBroken(paths, state.sessionId, now);
  const written = writeState(paths, state);
  if (!written.ok) return written;
  return pending ? markPending(paths, state.sessionId) : ok(endPending(paths, state.sessionId));
}

/** Nothing is required of this session any more. */
export function forgetGate(paths: ProjectPaths, sessionId: string): void {
  if (!isSessionId(sessionId) || realPathInside(paths.root, statePath(paths, sessionId)) === null) return;
  tryUnlink(statePath(paths, sessionId));
  endPending(paths, sessionId);
}

/** A hook does not make its client wait for another process. */
const LOCK_WAIT_MS = 300;

/** Reads the state, lets `work` make the next one, and writes it where it changed; parallel reads each have a process. */
export function updateGateState<T>(
  paths: ProjectPaths,
  sessionId: string,
  work: (state: GateState) => { readonly state: GateState; readonly result: T },
): Result<T | null, WriteError> {
  const path = statePath(paths, sessionId);
  const seen = readGateState(paths, sessionId);
  // To lock what is not there would make a folder for it.
  if (!seen.ok || seen.value === null) return seen.ok ? ok(null) : seen;
  const lock = `${path}.lock`;
  const locked = withLock(
    lock,
    { waitMs: LOCK_WAIT_MS, folderMode: 0o700 },
    (tookOver): Result<T | null, WriteError> => {
      if (tookOver) {
        sweepTemporaries(dirname(path), basename(path));
        sweepAbandoned(dirname(path), basename(lock), new Date());
      }
      for (;;) {
        const current = readGateState(paths, sessionId);
        if (!current.ok || current.value === null) return current.ok ? ok(null) : current;
        const { compactedAt } = current.value;
        const { state, result } = work(current.value);
        if (state === current.value) return ok(result);
        // A compaction that begins waits for no lock: its state is looked at in its turn, and not written over.
        const written = writeState(paths, state, () => {
          const now = readGateState(paths, sessionId);
          return now.ok && now.value?.compactedAt === compactedAt;
        });
        if (!written.ok) return written;
        if (written.value) return ok(result);
      }
    },
  );
  if (locked.ok) return locked.value;
  const { error } = locked;
  return err({ path, message: error.kind === "failed" ? error.message : "is held by another process" });
}

function writeState(
  paths: ProjectPaths,
  state: GateState,
  isStillWanted: () => boolean = () => true,
): Result<boolean, WriteError> {
  const options = { mode: 0o600, root: paths.root, folderMode: 0o700 };
  return writeWholeIf(statePath(paths, state.sessionId), formatGateState(state), options, isStillWanted);
}

function markPending(paths: ProjectPaths, sessionId: string): Result<void, WriteError> {
  const options = { mode: 0o600, root: paths.root, folderMode: 0o700 };
  const write = () => writeWhole(join(pendingFolder(paths), sessionId), "", options);
  const first = write();
  // Another session that ended in this moment may have taken the new folder away.
  return first.ok ? first : write();
}

/** The session's edits are not looked at any more; the last one to say so gives the script nothing to start for. */
export function endPending(paths: ProjectPaths, sessionId: string): void {
  const folder = pendingFolder(paths);
  if (!existsSync(folder) || realPathInside(paths.root, folder) === null) return;
  tryUnlink(join(folder, sessionId));
  removeIfEmpty(folder);
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
/** What the last compaction proved is of no use to anybody after a month. */
const STATE_MAX_MS = 30 * 24 * 60 * 60 * 1000;

/** Ends what sessions left pending that never came back: each read and edit in this project would start Node for them. */
export function sweepPending(paths: ProjectPaths, now: Date): void {
  const folder = pendingFolder(paths);
  if (!existsSync(folder) || realPathInside(paths.root, folder) === null) return;
  for (const name of valueOr(listFolder(folder), [])) {
    if (isOlder(join(folder, name), now, PENDING_MAX_MS)) tryUnlink(join(folder, name));
  }
  removeIfEmpty(folder);
}

function sweep(paths: ProjectPaths, now: Date): void {
  sweepPending(paths, now);
  const folder = join(paths.cache, "gate");
  if (realPathInside(paths.root, folder) === null) return;
  for (const name of valueOr(listFolder(folder), [])) {
    if (isOlder(join(folder, name), now, STATE_MAX_MS)) tryUnlink(join(folder, name));
  }
}

function isOlder(path: string, now: Date, ms: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && now.getTime() - stat.mtimeMs > ms;
}

/** So many sessions, those whose state changed last, are looked through for the last compaction of a role. */
const MOST_STATES = 500;

/** The folder of the sessions' last compactions, and the files in it that `listGateStates` reads. */
export function gateFiles(paths: ProjectPaths): readonly string[] {
  const folder = join(paths.cache, "gate");
  return [folder, ...stateNames(folder).map((name) => join(folder, name))];
}

function stateNames(folder: string): readonly string[] {
  const names = valueOr(listFolder(folder), []).filter((name) => name.endsWith(".json"));
  if (names.length <= MOST_STATES) return names;
  // A session's id says nothing of when it was.
  const changed = new Map(
    names.map((name) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0]),
  );
  return names.sort((a, b) => (changed.get(b) ?? 0) - (changed.get(a) ?? 0)).slice(0, MOST_STATES);
}

/** Every session's last compaction, the newest first; files that hold none are passed over. */
export function listGateStates(paths: ProjectPaths): readonly GateState[] {
  const states = stateNames(join(paths.cache, "gate")).flatMap((name) => {
    const state = readGateState(paths, name.slice(0, -".json".length));
    return state.ok && state.value !== null ? [state.value] : [];
  });
  return states.toSorted((a, b) => Date.parse(b.compactedAt) - Date.parse(a.compactedAt));
}

/** The key of a path that an agent named, by what the file really is. */
export type KeyOf = (path: string, cwd: string | null) => string;

/** Made once for many paths: what the root really is is looked up once. */
export function fileKeys(paths: ProjectPaths, env: Readonly<Record<string, string | undefined>>): KeyOf {
  const root = realPath(paths.root);
  return (path, cwd) => {
    const real = realPath(resolve(cwd ?? paths.root, atHome(path, env)));
    return fileKey(isInside(root, real) ? root : (worktreeRoot(root, real) ?? root), real);
  };
}

function atHome(path: string, env: Readonly<Record<string, string | undefined>>): string {
  return path === "~" || path.startsWith("~/") ? join(env.HOME || homedir(), path.slice(1)) : path;
}

/** A required file's place on the disk. */
export function pathOfKey(paths: ProjectPaths, key: string): string {
  return isAbsolute(key) ? key : join(paths.root, key);
}

/** A check that a person waits for may read all since a compaction. */
const WHOLE = {
  maxLines: 1_000_000,
  maxBytes: 64 * 1024 * 1024,
  maxLineBytes: 16 * 1024 * 1024,
  maxScanBytes: 4 * 1024 * 1024 * 1024,
} as const;

/** What a transcript tells of the time since the compaction that ended when it was `from` bytes long; null: since its last mark. */
export function readSinceCompaction(
  path: string,
  from: number | null,
  reach: "window" | "whole",
): Result<SinceCompaction, TailError> {
  const limits = reach === "window" ? TRANSCRIPT_WINDOW : WHOLE;
  const tail = tailLines(path, { ...limits, keep: isGateRow });
  if (!tail.ok) return tail;
  const rows = tail.value.lines.map(({ bytes, offset }) => ({ bytes, earlier: from !== null && offset < from }));
  return ok(readSince(rows, from !== null));
}
