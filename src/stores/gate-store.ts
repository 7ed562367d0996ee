import { basename, dirname, join } from "node:path";
import { err, ok, type Result, valueOr } from "../base/result.ts";
import { isSessionId } from "../base/session-id.ts";
import { formatGateState, type GateState, parseGateState } from "../gate/state.ts";
import { tryUnlink, type WriteError, writeWholeIf } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { fileSize } from "../platform/file-size.ts";
import { withLock } from "../platform/lock.ts";
import { readPlainText, readText } from "../platform/read-text.ts";
import { statOf } from "../platform/stat-of.ts";
import { sweepAbandoned, sweepOlder, sweepTemporaries } from "../platform/sweep.ts";
import { endPending, markPending, sweepPending } from "./gate-pending.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";
import { setAside } from "./set-aside.ts";

/** One state for each session that compacted in this project. */
function statePath(paths: ProjectPaths, sessionId: string): string {
  return join(paths.cache, "gate", `${sessionId}.json`);
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

/** What the last compaction proved is of no use to anybody after a month. */
const STATE_MAX_MS = 30 * 24 * 60 * 60 * 1000;

function sweep(paths: ProjectPaths, now: Date): void {
  sweepPending(paths, now);
  const folder = join(paths.cache, "gate");
  if (realPathInside(paths.root, folder) !== null) sweepOlder(folder, now, STATE_MAX_MS);
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
  const changed = new Map(names.map((name) => [name, statOf(join(folder, name))?.mtimeMs ?? 0]));
  return names.sort((a, b) => (changed.get(b) ?? 0) - (changed.get(a) ?? 0)).slice(0, MOST_STATES);
}

/** The last compaction of a session, as its file holds it. */
export interface ListedState {
  readonly role: string | null;
  /** Milliseconds since the epoch. */
  readonly compactedAt: number;
  readonly text: string;
}

/** Every session's last compaction, the newest first; files that hold none are passed over. */
export function listGateStates(paths: ProjectPaths): readonly ListedState[] {
  const folder = join(paths.cache, "gate");
  // Asked once: to ask it of hundreds of files takes as long as to read them.
  if (realPathInside(paths.root, folder) === null) return [];
  const states = stateNames(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    const plain = (fileSize(path) ?? Number.NaN) <= STATE_MAX_BYTES ? readPlainText(path) : null;
    const file = plain === null ? readText(path, STATE_MAX_BYTES, "refuse") : ok({ text: plain });
    if (!file.ok) return [];
    const { text } = file.value;
    const compactedAt = Date.parse(AT.exec(text)?.[1] ?? "");
    return Number.isNaN(compactedAt) ? [] : [{ role: ROLE.exec(text)?.[1] ?? null, compactedAt, text }];
  });
  return states.toSorted((a, b) => b.compactedAt - a.compactedAt);
}

/** Told by the text: to parse hundreds of them, of which one is asked for, takes as long as all else of a status. */
const ROLE = /"role"\s*:\s*"([^"]*)"/;
const AT = /"compacted_at"\s*:\s*"([^"]*)"/;

/** The newest one of the role, or of any where that is null, that `concerns` is true of. */
export function lastGateState(
  states: readonly ListedState[],
  role: string | null,
  concerns: (state: GateState) => boolean = () => true,
): GateState | null {
  for (const listed of states) {
    if (role !== null && listed.role !== role) continue;
    const state = parseGateState(listed.text);
    if (state.ok && concerns(state.value)) return state.value;
  }
  return null;
}
