import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
} from "node:fs";
import { uptime } from "node:os";
import { basename, dirname, join } from "node:path";
import { isObject, parseJson } from "../base/json-value.ts";
import { err, ok, type Result } from "../base/result.ts";
import { temporaryPrefix, tryUnlink, writeAll } from "./atomic-write.ts";
import { monotonicMs } from "./clock.ts";
import { describeErrno, errnoOf, isFsError } from "./fs-error.ts";
import {
  isDead,
  isOfOtherBoot,
  isOfOtherSpace,
  isRunning,
  ownProcess,
  type ProcessIdentity,
  uniqueToken,
} from "./process-identity.ts";
import { sleepSync } from "./sleep.ts";

export interface LockOwner extends ProcessIdentity {
  /** Names this one holding of the lock. */
  readonly token: string;
}

export type LockError =
  | { readonly kind: "held"; readonly path: string; readonly owner: LockOwner | null; readonly waitedMs: number }
  | { readonly kind: "failed"; readonly path: string; readonly message: string; readonly code: string };

export interface LockOptions {
  /** How long to wait for another owner, in milliseconds. */
  readonly waitMs: number;
  /** Permission bits of the folder, where it has to be made. */
  readonly folderMode: number;
}

/** What a living owner wrote about itself; longer content is no lock of ours. */
const OWNER_MAX_BYTES = 4096;

/**
 * Runs `work` while this process alone holds the lock file at `path`. `work` is told whether a dead owner was replaced,
 * since that owner may have left half of its work, and asks `isHeld` right before what cannot be undone: an owner that
 * nobody can be asked about is taken for dead after a minute, and may only have been stopped.
 *
 * The file is made by `link`, which fails if the name exists and shows the whole content at once, so there is never a
 * lock without an owner. A dead owner's lock is replaced in one step: whoever creates `<lock>.heir-<token>` of exactly
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
    mkdirSync(dirname(path), { recursive: true, mode: options.folderMode });
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

/** Where the lock cannot be looked at, nobody else could take it over either. */
function isHeldBy(path: string, token: string): boolean {
  try {
    const fd = openSync(path, READ_FLAGS);
    try {
      return parseOwner(readOwner(fd))?.token === token;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!isFsError(error)) throw error;
    return error.code !== "ENOENT";
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

/** Of a lock whose owner has ended: who that was, as a person reads it. Null where the lock is free, or held by somebody who lives. */
export function deadOwner(path: string): string | null {
  const held = readHolding(path);
  if (held === null || !held.dead) return null;
  return ownerText(held.owner);
}

/** The owner of a lock as a person reads it. */
export function ownerText(owner: LockOwner | null): string {
  return owner === null ? "a process that left no name" : `process ${owner.pid} on ${owner.host}`;
}

/** Whether a dead owner was replaced; the draft is used up. */
function acquire(
  path: string,
  { draft, token }: { readonly draft: string; readonly token: string },
  waitMs: number,
): Result<boolean, LockError> {
  const start = monotonicMs();
  let lastChance = false;
  for (;;) {
    if (tryLink(draft, path)) {
      tryUnlink(draft);
      return ok(false);
    }
    const held = readHolding(path);
    // A server of files that is asked again, since its answer was lost, says of the link that it made that it is there.
    if (held?.token === token) {
      tryUnlink(draft);
      return ok(false);
    }
    if (held?.dead === true && inherit(path, draft, held.token)) {
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
function inherit(path: string, draft: string, dead: string): boolean {
  let last = dead;
  for (;;) {
    const claim = `${path}.heir-${last}`;
    if (tryLink(draft, claim)) {
      // While we waited for our turn the dead lock can only have been replaced by an heir before us in the line.
      if (readHolding(path)?.token !== dead) {
        tryUnlink(claim);
        return false;
      }
      renameSync(draft, path);
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

function tryLink(existing: string, path: string): boolean {
  try {
    linkSync(existing, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

interface Holding {
  readonly token: string;
  readonly owner: LockOwner | null;
  readonly dead: boolean;
}

/** Who holds the lock, or null where nobody does any more. */
function readHolding(path: string): Holding | null {
  let fd: number;
  try {
    fd = openSync(path, READ_FLAGS);
  } catch (error) {
    // Released between our attempt and this look.
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const text = readOwner(fd);
    const owner = parseOwner(text);
    const stat = fstatSync(fd);
    if (owner !== null) return { token: owner.token, owner, dead: isGone(owner, stat.mtimeMs) };
    const token = `unreadable-${stat.ino}-${Math.floor(stat.mtimeMs)}`;
    const isOfOldBoot = stat.mtimeMs < bootedAt();
    const pid = parsePid(text);
    if (pid !== null) return { token, owner: null, dead: isOfOldBoot || !isRunning(pid) };
    // A power loss, or a copy onto a full disk, can leave a lock without content. Nobody can be asked whether its owner lives.
    return { token, owner: null, dead: isOfOldBoot || Date.now() - stat.mtimeMs > LONGEST_HELD };
  } finally {
    closeSync(fd);
  }
}

/** Somebody may have put a pipe there: opening it must not wait for the other end. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

function readOwner(fd: number): string {
  const bytes = Buffer.alloc(OWNER_MAX_BYTES + 1);
  const length = readSync(fd, bytes, 0, bytes.length, null);
  return length <= OWNER_MAX_BYTES ? bytes.toString("utf8", 0, length) : "";
}

/** Nobody holds a lock for so long, in milliseconds: what is done under it takes some. */
const LONGEST_HELD = 60_000;

/** Whether the owner has ended who wrote the lock at that time, in milliseconds since the epoch. */
function isGone(owner: LockOwner, written: number): boolean {
  const isOld = Date.now() - written > LONGEST_HELD;
  // Two machines of one name may share the folder: what was written after this boot began is none of an earlier one's, unless
  // the clock was put back between the two.
  if (isOfOtherBoot(owner)) return isOld || written < bootedAt();
  // A sandbox that is gone leaves nobody who could be asked.
  if (isOfOtherSpace(owner)) return isOld;
  return isDead(owner);
}

/** Milliseconds since the epoch. */
function bootedAt(): number {
  return Date.now() - uptime() * 1000;
}

function parseOwner(text: string): LockOwner | null {
  const value = parseJson(text);
  return isLockOwner(value) ? value : null;
}

/** The process of this machine that a lock of another make names, by its number alone or in JSON; null where it names none. */
function parsePid(text: string): number | null {
  let value = parseJson(text);
  if (isObject(value)) {
    const elsewhere = value.host !== undefined && value.host !== ownProcess().host;
    value = elsewhere ? null : value.pid;
  }
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function isLockOwner(value: unknown): value is LockOwner {
  if (!isObject(value)) return false;
  const { pid, started, boot, host, space, token }: Partial<Record<keyof LockOwner, unknown>> = value;
  return (
    typeof pid === "number" &&
    (started === null || typeof started === "string") &&
    (boot === null || typeof boot === "string") &&
    typeof host === "string" &&
    (space === undefined || typeof space === "string") &&
    typeof token === "string" &&
    /^[A-Za-z0-9-]+$/.test(token)
  );
}

function writeNew(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeAll(fd, Buffer.from(text, "utf8"));
  } finally {
    closeSync(fd);
  }
}
