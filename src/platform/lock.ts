import { closeSync, openSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { addFreeName } from "./add-name.ts";
import { temporaryPrefix, tryUnlink, writeAll } from "./atomic-write.ts";
import { monotonicMs } from "./clock.ts";
import { describeErrno, isFsError } from "./fs-error.ts";
import { giveToOwner } from "./give-to-owner.ts";
import { isHeldBy, type LockOwner, readHolding } from "./lock-owner.ts";
import { makeFolders } from "./make-folders.ts";
import { ownProcess, uniqueToken } from "./process-identity.ts";
import { sleepSync } from "./sleep.ts";

export type LockError =
  | { readonly kind: "held"; readonly path: string; readonly owner: LockOwner | null; readonly waitedMs: number }
  | { readonly kind: "failed"; readonly path: string; readonly message: string; readonly code: string };

export interface LockOptions {
  /** How long to wait for another owner, in milliseconds. */
  readonly waitMs: number;
  /** Permission bits of the folder, where it has to be made. */
  readonly folderMode: number;
}

/**
 * Runs `work` while this process alone holds the lock file at `path`. `work` is told whether a dead owner was replaced,
 * since that owner may have left half of its work, and asks `isHeld` right before what cannot be undone: an owner that
 * nobody can be asked about is taken for dead after a minute, and may only have been stopped.
 *
 * The file is made by `link`, which fails if the name exists and shows the whole content at once, so there is never a
 * lock without an owner; where files have one name alone there is for a moment, and it holds off others like any.
 * A dead owner's lock is replaced in one step: whoever creates `<lock>.heir-<token>` of exactly
 * that holding is its only heir, and renames its own lock over the dead one. If the heir dies first, the next one
 * inherits from it through its own token. Nobody ever removes a lock by its name alone, which is how a second waiter
 * removes the fresh lock of the first.
 */
export function withLock<T>(
  path: string,
  options: LockOptions,
  work: (tookOver: boolean, isHeld: () => boolean) => T,
): Result<T, LockError> {
  const own: LockOwner = { ...ownProcess(), token: uniqueToken() };
  const draft = join(dirname(path), `${temporaryPrefix(path)}${own.token}.tmp`);
  let tookOver: boolean;
  try {
    makeFolders(dirname(path), options.folderMode);
    writeNew(draft, JSON.stringify(own));
    const acquired = acquire(path, { draft, token: own.token }, options.waitMs);
    if (!acquired.ok) {
      tryUnlink(draft);
      return acquired;
    }
    tookOver = acquired.value;
  } catch (error) {
    tryUnlink(draft);
    if (!isFsError(error)) throw error;
    return err({ kind: "failed", path, message: `cannot be locked: ${describeErrno(error.code)}`, code: error.code });
  }
  try {
    return ok(work(tookOver, () => isHeldBy(path, own.token)));
  } finally {
    release(path, own.token);
  }
}

/** What was done stays done where the lock cannot be looked at: its owner is dead soon, and the next one takes it over. */
function release(path: string, token: string): void {
  try {
    if (readHolding(path)?.token === token) tryUnlink(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
  }
}

/** What this process puts into a lock: a file that holds it already, and what names it there. */
interface Own {
  readonly draft: string;
  readonly token: string;
}

/** Whether a dead owner was replaced; the draft is used up. */
function acquire(path: string, own: Own, waitMs: number): Result<boolean, LockError> {
  const { draft, token } = own;
  const start = monotonicMs();
  let lastChance = false;
  for (;;) {
    if (take(path, own)) {
      tryUnlink(draft);
      return ok(false);
    }
    const held = readHolding(path);
    // A server of files that is asked again, since its answer was lost, says of the link that it made that it is there.
    if (held?.token === token) {
      tryUnlink(draft);
      return ok(false);
    }
    if (held?.dead === true && inherit(path, own, held.token)) {
      removeHeirs(path);
      return ok(true);
    }
    const waited = monotonicMs() - start;
    if (waited >= waitMs) {
      if (held !== null || lastChance)
        return err({ kind: "held", path, owner: held?.owner ?? null, waitedMs: Math.round(waited) });
      // Released between the two looks.
      lastChance = true;
      continue;
    }
    // Who has waited longer looks more often: with many waiters the oldest is served before its time runs out.
    const pause = waited > waitMs / 2 ? 1 : 1 + Math.random() * 9;
    sleepSync(Math.min(pause, waitMs - waited));
  }
}

/** Replaces the dead holding by ours, if no living process is about to do the same. */
function inherit(path: string, own: Own, dead: string): boolean {
  let last = dead;
  for (;;) {
    const claim = `${path}.heir-${last}`;
    if (take(claim, own)) {
      // While we waited for our turn the dead lock can only have been replaced by an heir before us in the line.
      if (readHolding(path)?.token !== dead) {
        tryUnlink(claim);
        return false;
      }
      renameSync(own.draft, path);
      return true;
    }
    const heir = readHolding(claim);
    if (heir === null || !heir.dead) return false;
    last = heir.token;
  }
}

function removeHeirs(path: string): void {
  const prefix = `${basename(path)}.heir-`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix)) tryUnlink(join(dirname(path), name));
  }
}

function take(path: string, { draft, token }: Own): boolean {
  const taken = addFreeName(draft, path);
  // Who is stopped between the copy's name and its bytes for too long may be taken for dead.
  return taken === "copy" ? isHeldBy(path, token) : taken !== null;
}

function writeNew(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    giveToOwner(fd, dirname(path));
    writeAll(fd, Buffer.from(text));
  } finally {
    closeSync(fd);
  }
}
