import { basename, dirname, join } from "node:path";
import { invariant } from "../base/invariant.ts";
import { isoText } from "../base/iso-text.ts";
import { isObject, parseJson } from "../base/json-value.ts";
import { err, ok, type Result, valueOr } from "../base/result.ts";
import type { HistoryEntry } from "../lifecycle/advance.ts";
import { machineName, type RoleName, roleOfMachine } from "../lifecycle/role.ts";
import { type MachineRecord, newMachine, parseMachine, type StoredMachine } from "../lifecycle/snapshot.ts";
import { isLifecycleEvent, isLifecycleState } from "../lifecycle/states.ts";
import { lastLine } from "../platform/append-lines.ts";
import { realPathInside } from "../platform/contain.ts";
import { type LockError, withLock } from "../platform/lock.ts";
import { ownerText } from "../platform/lock-owner.ts";
import { readSettled } from "../platform/read-settled.ts";
import { readDamagedText } from "../platform/read-text.ts";
import { sweepAbandoned, sweepTemporaries } from "../platform/sweep.ts";
import { listFolder } from "./list-folder.ts";
import type { MachineError, MachineWork, TransactionOptions } from "./machine-access.ts";
import { HISTORY_SUFFIX, historyPath, lockPath, MACHINE_SUFFIX, machinePath, type ProjectPaths } from "./paths.ts";
import { type KeptAside, keepAside } from "./set-aside.ts";
import { writeMachine } from "./write-machine.ts";

/** An env file of ours has about 700 bytes; the original's array form about 400. */
const MACHINE_MAX_BYTES = 256 * 1024;
const HISTORY_MAX_BYTES = 256 * 1024 * 1024;

/** The role's machine, or null where it has none. */
export function readMachine(paths: ProjectPaths, role: RoleName): Result<StoredMachine | null, MachineError> {
  if (paths.shared !== undefined) return paths.shared.read(role);
  const path = machinePath(paths, role);
  if (realPathInside(paths.machinesRoot, path) === null) return err(outside(paths, path));
  const file = readSettled(path, MACHINE_MAX_BYTES);
  if (!file.ok) {
    const { problem, message } = file.error;
    if (problem === "missing") return ok(null);
    // Links are followed here: where they lead was looked at above.
    invariant(problem !== "link", "a link that is followed is no problem");
    return err({ problem, path, message });
  }
  const parsed = parseMachine(file.value.text, machineName(role));
  return parsed.ok ? parsed : err({ problem: parsed.error.problem, path, message: parsed.error.message });
}

/** What is known of the role; null where it has no machine, or none that can be read. */
export function recordOf(paths: ProjectPaths, role: RoleName): MachineRecord | null {
  return valueOr(readMachine(paths, role), null)?.record ?? null;
}

/** Who is killed while it waits for the lock leaves a temporary file and nobody to take over: one call in so many looks for them. */
const SWEEP_ONE_IN = 16;

/**
 * Reads the machine, lets `work` decide, and writes what it returns, all under the role's lock. `work` gets null where
 * there is no machine, and returns null where there is nothing to write: `write-machine.ts` says in which order that is done.
 */
export function transact<T>(
  paths: ProjectPaths,
  role: RoleName,
  options: TransactionOptions,
  work: MachineWork<T>,
): Result<T, MachineError> {
  invariant(paths.shared === undefined, "what is not kept in files is not written to them");
  const path = machinePath(paths, role);
  const history = historyPath(paths, machineName(role));
  for (const file of [path, history]) {
    if (realPathInside(paths.machinesRoot, file) === null) return err(outside(paths, file));
  }
  const lock = lockPath(path);
  const locked = withLock(lock, { waitMs: options.waitMs, folderMode: 0o700 }, (tookOver, isHeld) => {
    if (tookOver) for (const file of [path, history]) sweepTemporaries(paths.machines, basename(file));
    if (tookOver || options.now.getTime() % SWEEP_ONE_IN === 0) {
      for (const file of [path, lock]) sweepAbandoned(paths.machines, basename(file), options.now);
    }
    const current = readOrKeepAside(paths, role, options);
    if (!current.ok) return current;
    const { stored, aside } = current.value;
    const { update, result } = work(stored, aside === null ? null : join(dirname(path), aside.name));
    if (update === null) {
      aside?.finish();
      return ok(result);
    }
    const written = writeMachine({
      path,
      history,
      root: paths.machinesRoot,
      stored: update.stored,
      transitions: update.history,
      isNew: stored === null,
      reached: stored?.record.revision ?? historyRevision(paths, role),
      revisionOf: (line) => parseHistoryLine(line)?.revision ?? 0,
      historyMaxBytes: HISTORY_MAX_BYTES,
      isHeld,
    });
    if (written.ok) return ok(result);
    aside?.undo();
    const { taken, ...error } = written.error;
    return err({ problem: taken === true ? "locked" : "unwritable", ...error } satisfies MachineError);
  });
  return locked.ok ? locked.value : err(lockProblem(locked.error));
}

function readOrKeepAside(
  paths: ProjectPaths,
  role: RoleName,
  options: TransactionOptions,
): Result<{ stored: StoredMachine | null; aside: KeptAside | null }, MachineError> {
  const current = readMachine(paths, role);
  if (current.ok) return ok({ stored: current.value && withHistory(paths, current.value), aside: null });
  if (!options.setAside(current.error)) return current;
  const kept = keepAside(current.error.path, options.now);
  if (!kept.ok) return err({ problem: "unwritable", ...kept.error });
  return ok({ stored: null, aside: kept.value });
}

/** No transaction makes as many transitions, so a killed one leaves fewer behind. */
const MOST_UNREACHED = 8;

/**
 * Where the history is ahead of the env file by more than a killed writer leaves, which is the lines of one transaction, the
 * env file was put back, or the original tool rewrote it without our keys: then the revision goes on where the history ends,
 * since all that is ahead of it would be cut off.
 */
function withHistory(paths: ProjectPaths, stored: StoredMachine): StoredMachine {
  const { record } = stored;
  const last = lastTransition(paths, record.role);
  if (last === null || last.revision <= record.revision) return stored;
  const rewritten = stored.legacy !== null && record.revision === 0;
  if (!rewritten && last.revision - record.revision <= MOST_UNREACHED) {
    const first = lastTransition(paths, record.role, record.revision + 1);
    if (first?.revision === record.revision + 1 && first.from === record.state && first.at === last.at) return stored;
  }
  return { ...stored, record: { ...record, revision: last.revision } };
}

/** A machine for a role that has none; its revision goes on where the history of an earlier one ended. */
export function createMachine(paths: ProjectPaths, role: RoleName, at: Date): StoredMachine {
  const fresh = newMachine(role, isoText(at));
  return { ...fresh, record: { ...fresh.record, revision: historyRevision(paths, role) } };
}

/** The revision of the last transition in a role's history; 0 where there is none. */
export function historyRevision(paths: ProjectPaths, role: RoleName): number {
  if (paths.shared !== undefined) return paths.shared.historyRevision(role);
  return lastTransition(paths, role)?.revision ?? 0;
}

/** The last transition in a role's history, of those up to a revision; null where there is none. */
function lastTransition(paths: ProjectPaths, role: RoleName, upTo = Number.POSITIVE_INFINITY): HistoryEntry | null {
  const isWanted = (text: string): boolean => (parseHistoryLine(text)?.revision ?? Number.NaN) <= upTo;
  return parseHistoryLine(lastLine(historyPath(paths, machineName(role)), isWanted) ?? "");
}

/** Roles that have a machine, in byte order. */
export function listMachines(paths: ProjectPaths): Result<readonly RoleName[], { path: string; message: string }> {
  if (paths.shared !== undefined) return paths.shared.list();
  return rolesOfFiles(paths, MACHINE_SUFFIX);
}

/** Roles that have a history, with a machine or without one any more; none where the folder cannot be listed. */
export function listHistories(paths: ProjectPaths): readonly RoleName[] {
  return valueOr(rolesOfFiles(paths, HISTORY_SUFFIX), []);
}

function rolesOfFiles(
  paths: ProjectPaths,
  suffix: string,
): Result<readonly RoleName[], { path: string; message: string }> {
  const names = listFolder(paths.machines);
  if (!names.ok) return names;
  const roles: RoleName[] = [];
  for (const name of names.value) {
    const role = name.endsWith(suffix) ? roleOfMachine(name.slice(0, -suffix.length)) : null;
    if (role !== null) roles.push(role);
  }
  // By their names, as every other list: the files' have underscores.
  return ok(roles.sort());
}

/** The transitions of a role, oldest first, up to the revision that its machine has reached. */
export function readHistory(
  paths: ProjectPaths,
  role: RoleName,
  reached: number | null,
): Result<{ entries: readonly HistoryEntry[]; broken: number }, MachineError> {
  if (paths.shared !== undefined) return paths.shared.history(role, reached);
  const path = historyPath(paths, machineName(role));
  const file = readDamagedText(path, HISTORY_MAX_BYTES);
  if (!file.ok) {
    const { problem, message } = file.error;
    if (problem === "missing") return ok({ entries: [], broken: 0 });
    return err({ problem: problem === "link" ? "denied" : problem, path, message });
  }
  const entries: HistoryEntry[] = [];
  let broken = 0;
  // What follows the last newline was being written when it was read, or when its writer was killed.
  for (const line of file.value.split("\n").slice(0, -1)) {
    const entry = parseHistoryLine(line);
    if (entry === null) broken += 1;
    else if (reached === null || entry.revision <= reached) entries.push(entry);
  }
  return ok({ entries, broken });
}

/** The env file has room for ten times as many: from a line that says more, each next step would leave a file that no one reads. */
const MOST_STEPS = 1e14;

/** The words of a transition alone take 70 characters. */
const LEAST_LENGTH = 64;

/** A transition from its line; null where it is none. */
export function parseHistoryLine(line: string): HistoryEntry | null {
  // An error for each of millions of blank or broken lines took a minute and a half.
  if (line.length < LEAST_LENGTH) return null;
  const value = parseJson(line);
  if (!isObject(value)) return null;
  const fields: Partial<Record<keyof HistoryEntry, unknown>> = value;
  const { revision, at, event, from, to, by, session_id, context_bytes: bytes } = fields;
  if (typeof revision !== "number" || typeof at !== "string" || typeof by !== "string") return null;
  if (revision % 1 !== 0 || revision < 1 || revision > MOST_STEPS) return null;
  if (!isLifecycleEvent(event) || !isLifecycleState(from) || !isLifecycleState(to)) return null;
  const entry = { revision, at, event, from, to, by, session_id: typeof session_id === "string" ? session_id : null };
  return typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0
    ? { ...entry, context_bytes: bytes }
    : entry;
}

function outside(paths: ProjectPaths, path: string): MachineError {
  return { problem: "denied", path, message: `is a link that leads out of ${paths.machinesRoot}; it is not used` };
}

function lockProblem(error: LockError): MachineError {
  if (error.kind === "failed") {
    const { path, message, code } = error;
    return { problem: "unwritable", path, message, code };
  }
  const { owner } = error;
  const message = `is held by ${ownerText(owner)}, for longer than ${error.waitedMs} ms`;
  return { problem: "locked", path: error.path, message, nameless: owner === null };
}
