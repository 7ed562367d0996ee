import { existsSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { tryUnlink, type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { orNull } from "../platform/fs-error.ts";
import { type ReadError, readText } from "../platform/read-text.ts";
import { statOf } from "../platform/stat-of.ts";
import { formatPrecompactState, type PrecompactState, parsePrecompactState } from "../resume/precompact-state.ts";
import type { ProjectPaths } from "./paths.ts";
import { setAside } from "./set-aside.ts";

/** `00-system/.cache/` where the project has a system folder, else `session/.cache/`. */
export function precompactStatePath(paths: ProjectPaths, config: Config): string {
  const system = join(paths.root, config.layout.system);
  return join(existsSync(system) ? join(system, ".cache") : paths.cache, "precompact_state.json");
}

/** What the state becomes when the first reader of a start takes it. */
export function usedStatePath(path: string): string {
  return join(dirname(path), "precompact_state.used.json");
}

const STATE_MAX_BYTES = 64 * 1024;

export type StateProblem =
  | { readonly kind: "read"; readonly error: ReadError }
  | { readonly kind: "parse"; readonly code: string; readonly message: string };

/** The state as it lies there, whoever wrote it; null where there is none. */
export function readPrecompactState(path: string): Result<PrecompactState | null, StateProblem> {
  const file = readText(path, STATE_MAX_BYTES);
  if (!file.ok) return file.error.problem === "missing" ? ok(null) : err({ kind: "read", error: file.error });
  const parsed = parsePrecompactState(file.value.text);
  return parsed.ok ? parsed : err({ kind: "parse", ...parsed.error });
}

/** What was no state and was kept aside: its new name, and what was wrong with it, as the end of a sentence. */
export interface BrokenState {
  readonly name: string;
  readonly message: string;
}

export interface WrittenState {
  /** What stood in its place. */
  readonly replaced: BrokenState | null;
}

/** Writes the state for the start that follows; what an earlier start of the session used up is removed, what is no state is kept aside. */
export function writePrecompactState(
  paths: ProjectPaths,
  path: string,
  state: PrecompactState,
  now: Date,
): Result<WrittenState, WriteError> {
  const bad = whatIsWrong(paths, path);
  const aside = bad === null ? ok(null) : setAside(path, now);
  if (!aside.ok) return aside;
  const written = writeWhole(path, formatPrecompactState(state), { mode: 0o600, root: paths.root, folderMode: 0o700 });
  if (!written.ok) return written;
  removeUsed(path, state.session_id ?? null);
  return ok({ replaced: bad === null || aside.value === null ? null : { name: aside.value, message: bad } });
}

/** Null where a state may be written: there is none, or a good one, or a link that writing refuses. */
function whatIsWrong(paths: ProjectPaths, path: string): string | null {
  if (realPathInside(paths.root, path) === null) return null;
  const stored = readPrecompactState(path);
  if (stored.ok) return null;
  const { error } = stored;
  return error.kind === "read" ? error.error.message : `is no state: ${error.message}`;
}

/** Keeps a file aside whose content is no state, which each start and compaction would trip over; null where there is none, or it cannot be moved. */
export function setAsideBrokenState(paths: ProjectPaths, path: string, now: Date): BrokenState | null {
  if (realPathInside(paths.root, path) === null) return null;
  const stored = readPrecompactState(path);
  if (stored.ok) return null;
  const { error } = stored;
  // What cannot be read may be a good one.
  if (error.kind === "read" && error.error.problem !== "not-text") return null;
  const aside = setAside(path, now);
  const message = error.kind === "read" ? error.error.message : `is no state: ${error.message}`;
  return aside.ok ? { name: aside.value, message } : null;
}

/** A sentence for whoever looks for what became of it. */
export function keptAside(path: string, { name, message }: BrokenState): string {
  return `${path} ${message.replace(/\.$/, "")}; it is kept as ${name}.`;
}

/** Where no project is in hand, a state that this session left earlier would say otherwise. Another session's stays. */
export function removePrecompactState(paths: ProjectPaths, path: string, sessionId: string | null): void {
  // A link may lead to what is another project's.
  if (realPathInside(paths.root, path) === null) return;
  const stored = readPrecompactState(path);
  const own = stored.ok && stored.value !== null && sessionId !== null && stored.value.session_id === sessionId;
  if (own) tryUnlink(path);
  removeUsed(path, sessionId);
}

/** What another session's start has taken is still read by its other parts, and by that session's next compaction. */
function removeUsed(path: string, sessionId: string | null): void {
  const used = usedStatePath(path);
  // An error that says there is none takes ten times as long as this question.
  if (!existsSync(used)) return;
  const stored = readPrecompactState(used);
  const owner = stored.ok ? (stored.value?.session_id ?? null) : null;
  if (owner === null || owner === sessionId) tryUnlink(used);
}

/** One start reads the state in several processes: whoever renames it is the first, and the others find it under the new name. */
const SAME_START_MS = 60_000;

/**
 * The state for one start of a session, used up by it: its own, or one that names no session. The first reader renames it; the other parts of the same start
 * read the renamed one, for a minute.
 */
export function takePrecompactState(
  paths: ProjectPaths,
  path: string,
  sessionId: string,
  now: Date,
): Result<PrecompactState | null, StateProblem> {
  const found = findState(paths, path, sessionId, now);
  if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
  if (!found.value.used) {
    // Another part of this start may be faster; a folder without rights leaves the state where it is, and it is read all the same.
    orNull(() => renameSync(path, usedStatePath(path)));
  }
  return ok(found.value.state);
}

/** What `takePrecompactState` would give, used up by nobody. */
export function lookAtPrecompactState(
  paths: ProjectPaths,
  path: string,
  sessionId: string,
  now: Date,
): Result<PrecompactState | null, StateProblem> {
  const found = findState(paths, path, sessionId, now);
  return found.ok ? ok(found.value?.state ?? null) : found;
}

interface FoundState {
  readonly state: PrecompactState;
  /** An earlier reader of the same start has renamed it. */
  readonly used: boolean;
}

function findState(
  paths: ProjectPaths,
  path: string,
  sessionId: string,
  now: Date,
): Result<FoundState | null, StateProblem> {
  // Through a link it would be another project's.
  if (realPathInside(paths.root, path) === null) return ok(null);
  const stored = readPrecompactState(path);
  if (!stored.ok) return stored;
  if (stored.value !== null && isOf(stored.value, sessionId)) return ok({ state: stored.value, used: false });
  // Another session may have left its own since.
  const used = usedStatePath(path);
  const taken = readPrecompactState(used);
  if (!taken.ok || taken.value === null || !isOf(taken.value, sessionId)) return ok(null);
  return ok(now.getTime() - changedAt(used) <= SAME_START_MS ? { state: taken.value, used: true } : null);
}

/** Tools that know of no session name none: theirs is whose start comes next. */
function isOf({ session_id }: PrecompactState, sessionId: string): boolean {
  return session_id === undefined || session_id === sessionId;
}

/** When a file's name last changed: a rename sets the inode's change time and leaves the time of writing. */
function changedAt(path: string): number {
  return statOf(path)?.ctimeMs ?? 0;
}
