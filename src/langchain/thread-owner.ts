import { basename, dirname } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { tryUnlink, writeWhole } from "../platform/atomic-write.ts";
import { withLock } from "../platform/lock.ts";
import { isDead, ownProcess, type ProcessIdentity } from "../platform/process-identity.ts";
import { readText } from "../platform/read-text.ts";
import { sweepAbandoned, sweepTemporaries } from "../platform/sweep.ts";
import { isRecord } from "../thread/outcome.ts";

/** What went wrong with a thread's files, as a whole sentence. */
export type ThreadLogError = { readonly path: string; readonly message: string };

/**
 * Claims a thread for this run, so that no second one runs its calls again: a file beside the log names the process. One
 * that a dead process left is replaced. The value gives the claim up.
 */
export function claimThread(logPath: string): Result<() => void, ThreadLogError> {
  return whileUnclaimed(logPath, (dead) => {
    const path = ownerOf(logPath);
    // The process before this one was killed, perhaps while it wrote.
    if (dead !== null) {
      for (const file of [logPath, path]) sweepTemporaries(dirname(path), basename(file));
      sweepAbandoned(dirname(path), basename(lockOf(logPath)), new Date());
    }
    const written = writeWhole(path, JSON.stringify(ownProcess()), { mode: 0o600, root: dirname(path) });
    return written.ok ? ok(() => tryUnlink(path)) : err(sentence(written.error));
  });
}

/** Runs `work` while no run has claimed the thread and nobody else does this; it is told who died with a claim. */
export function whileUnclaimed<T>(
  logPath: string,
  work: (dead: ProcessIdentity | null) => Result<T, ThreadLogError>,
): Result<T, ThreadLogError> {
  const locked = withLock(lockOf(logPath), { waitMs: 2000, folderMode: 0o700 }, () => {
    const path = ownerOf(logPath);
    const held = readOwner(path);
    if (held === null || (held !== "unreadable" && isDead(held))) return work(held);
    const who = held === "unreadable" ? "somebody" : `process ${held.pid} on ${held.host}`;
    return err({ path, message: `${logPath} is in use by ${who}; where nothing runs it any more, remove ${path}.` });
  });
  if (locked.ok) return locked.value;
  const reason = locked.error.kind === "held" ? "stays locked by another process" : locked.error.message;
  return err(sentence({ path: locked.error.path, message: reason }));
}

function ownerOf(logPath: string): string {
  return `${logPath}.owner`;
}

function lockOf(logPath: string): string {
  return `${logPath}.lock`;
}

/** The error with its message made a whole sentence. */
export function sentence({ path, message }: ThreadLogError): ThreadLogError {
  return { path, message: `${path} ${message}.` };
}

function readOwner(path: string): ProcessIdentity | "unreadable" | null {
  const file = readText(path, 4096);
  if (!file.ok) return file.error.problem === "missing" ? null : "unreadable";
  try {
    const value: unknown = JSON.parse(file.value.text);
    return isIdentity(value) ? value : "unreadable";
  } catch {
    return "unreadable";
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    isRecord(value) &&
    typeof value.pid === "number" &&
    typeof value.host === "string" &&
    (value.started === null || typeof value.started === "string") &&
    (value.boot === null || typeof value.boot === "string") &&
    (value.space === undefined || typeof value.space === "string")
  );
}
