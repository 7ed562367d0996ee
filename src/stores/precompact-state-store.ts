import { existsSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { tryUnlink, type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { errnoOf } from "../platform/fs-error.ts";
import { type ReadError, readText } from "../platform/read-text.ts";
import { formatPrecompactState, type PrecompactState, parsePrecompactState } from "../resume/precompact-state.ts";
import type { ProjectPaths } from "./paths.ts";

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

/** Writes the state for the start that follows; what an earlier start used up is removed. */
export function writePrecompactState(
  paths: ProjectPaths,
  path: string,
  state: PrecompactState,
): Result<void, WriteError> {
  const written = writeWhole(path, formatPrecompactState(state), { mode: 0o600, root: paths.root, folderMode: 0o700 });
  if (written.ok) tryUnlink(usedStatePath(path));
  return written;
}

/** No project is in hand: a state that this session left earlier would say otherwise. Another session's stays. */
export function removePrecompactState(path: string, sessionId: string | null): void {
  const stored = readPrecompactState(path);
  if (!stored.ok || stored.value === null) return;
  if (sessionId !== null && stored.value.session_id === sessionId) tryUnlink(path);
  tryUnlink(usedStatePath(path));
}

/** One start reads the state in several processes: whoever renames it is the first, and the others find it under the new name. */
const SAME_START_MS = 60_000;

/**
 * The state for one start of a session, used up by it. The first reader renames it; the other parts of the same start
 * read the renamed one, for a minute.
 */
export function takePrecompactState(
  path: string,
  sessionId: string,
  now: Date,
): Result<PrecompactState | null, StateProblem> {
  const used = usedStatePath(path);
  const stored = readPrecompactState(path);
  if (!stored.ok) return stored;
  if (stored.value !== null) {
    if (stored.value.session_id !== sessionId) return ok(null);
    try {
      renameSync(path, used);
    } catch (error) {
      // Another part of this start was faster; a folder without rights leaves the state where it is, and it is read all the same.
      if (errnoOf(error) === null) throw error;
    }
    return stored;
  }
  const taken = readPrecompactState(used);
  if (!taken.ok || taken.value === null || taken.value.session_id !== sessionId) return ok(null);
  return now.getTime() - changedAt(used) <= SAME_START_MS ? taken : ok(null);
}

/** When a file's name last changed: a rename sets the inode's change time and leaves the time of writing. */
function changedAt(path: string): number {
  try {
    return statSync(path).ctimeMs;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return 0;
  }
}
