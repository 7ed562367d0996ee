import { renameSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import type { HistoryEntry } from "../lifecycle/advance.ts";
import { formatMachine, newMachine, type StoredMachine } from "../lifecycle/snapshot.ts";
import { addName } from "../platform/add-name.ts";
import { appendLines } from "../platform/append-lines.ts";
import { attempt, temporaryPrefix, tryUnlink, type WriteError, writeWholeIf } from "../platform/atomic-write.ts";
import { fileSize } from "../platform/file-size.ts";
import { uniqueToken } from "../platform/process-identity.ts";
import { readDamagedText } from "../platform/read-text.ts";
import { lockPath } from "./paths.ts";

/** What is to be written of a role's machine, and where. Its lock is held. */
export interface MachineWrite {
  /** The env file. */
  readonly path: string;
  readonly history: string;
  /** The folder that a link may not lead out of. */
  readonly root: string;
  readonly stored: StoredMachine;
  /** The transitions that led there. */
  readonly transitions: readonly HistoryEntry[];
  /** There is no machine yet, or none that can be read. */
  readonly isNew: boolean;
  /** Lines of the history up to this revision stand for what happened; later ones were left by a writer that was killed. */
  readonly reached: number;
  /** Of a line of the history; 0 for what is none. */
  readonly revisionOf: (line: string) => number;
  readonly historyMaxBytes: number;
  /** Whether the lock is still this process's own. */
  readonly isHeld: () => boolean;
}

/** Why nothing was written; `taken`: the lock was, by another process. */
export type MachineWriteError = WriteError & { readonly taken?: true };

/** What is left to do once all is written, and how each part is taken back, the first one first; false where it cannot be. */
interface Ways {
  readonly done: (() => void)[];
  readonly undo: (() => boolean)[];
}

/** Writes all of it, or leaves everything as it was. */
export function writeMachine(write: MachineWrite): Result<void, MachineWriteError> {
  const ways: Ways = { done: [], undo: [] };
  const written = writeParts(write, ways);
  if (written.ok) for (const step of ways.done) step();
  // What cannot be taken back keeps what came before it: a state that is there is better than lines which lead to none.
  else ways.undo.reverse().every((step) => step());
  return written;
}

/**
 * The history is written first. A writer that is killed in between leaves lines of a revision that the env file has not
 * reached: readers pass over them and the next writer cuts them off. Only an env file tells such lines from the history of
 * a machine that was removed, so a new machine's is there before its first line.
 */
function writeParts(write: MachineWrite, ways: Ways): Result<void, MachineWriteError> {
  const { path, stored, transitions, isNew, reached } = write;
  const [first] = transitions;
  if (!write.isHeld()) return err(lost(path));
  if (first !== undefined) {
    if (isNew) {
      const { role, since } = stored.record;
      const fresh = newMachine(role, since ?? first.at);
      const begun = writeState(write, { ...fresh, record: { ...fresh.record, revision: first.revision - 1 } });
      if (!begun.ok) return begun;
      ways.undo.push(() => removed(path));
    }
    const told = first.revision <= reached ? replaceLines(write, first, ways) : addLines(write, first, ways);
    if (!told.ok) return told;
  }
  return writeState(write, stored);
}

function writeState({ path, root, isHeld }: MachineWrite, stored: StoredMachine): Result<void, MachineWriteError> {
  const options = { mode: 0o600, root, folderMode: 0o700, sweep: false };
  const written = writeWholeIf(path, formatMachine(stored), options, isHeld);
  if (!written.ok) return written;
  return written.value ? ok(undefined) : err(lost(path));
}

function lost(path: string): MachineWriteError {
  const message =
    "was taken over by another process, since this one was held up for so long that it was taken for dead";
  return { path: lockPath(path), message, taken: true };
}

function addLines(write: MachineWrite, first: HistoryEntry, ways: Ways): Result<void, WriteError> {
  const { history, transitions, revisionOf, isHeld } = write;
  const options = { keep: (line: string) => revisionOf(line) < first.revision, mode: 0o600 };
  const before = fileSize(history);
  ways.undo.push(() => {
    // They are its new owner's to cut off.
    if (!isHeld()) return false;
    const cut = before === null ? removed(history) : appendLines(history, [], options).ok;
    return cut || fileSize(history) === before;
  });
  return appendLines(history, linesOf(transitions), options);
}

/** Lines that stand for what happened give way to others only with the whole file. */
function replaceLines(write: MachineWrite, first: HistoryEntry, ways: Ways): Result<void, MachineWriteError> {
  const { history, root, transitions, revisionOf, historyMaxBytes, isHeld } = write;
  const read = readDamagedText(history, historyMaxBytes);
  if (!read.ok && read.error.problem !== "missing") return err({ path: history, message: read.error.message });
  const kept = (read.ok ? read.value : "").split("\n").filter((line) => {
    const revision = revisionOf(line);
    return revision > 0 && revision < first.revision;
  });
  const second = join(dirname(history), `${temporaryPrefix(history)}${uniqueToken()}.tmp`);
  if (read.ok && !attempt(history, "linked", () => void addName(history, second)).ok)
    return err({ path: history, message: "cannot be kept aside" });
  const text = [...kept, ...linesOf(transitions)].map((line) => `${line}\n`).join("");
  const options = { mode: 0o600, root, sweep: false };
  const written = writeWholeIf(history, text, options, isHeld);
  if (!written.ok || !written.value) {
    tryUnlink(second);
    return written.ok ? err(lost(write.path)) : written;
  }
  ways.undo.push(() => (read.ok ? renamed(second, history) : removed(history)));
  if (read.ok) ways.done.push(() => tryUnlink(second));
  return ok(undefined);
}

function linesOf(transitions: readonly HistoryEntry[]): readonly string[] {
  return transitions.map((entry) => JSON.stringify(entry));
}

function removed(path: string): boolean {
  return attempt(path, "removed", () => unlinkSync(path)).ok;
}

function renamed(path: string, target: string): boolean {
  return attempt(path, "renamed", () => renameSync(path, target)).ok;
}
