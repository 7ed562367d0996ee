import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { uptime } from "node:os";
import { isObject, parseJson } from "../base/json-value.ts";
import { errnoOf, isFsError } from "./fs-error.ts";
import {
  isDead,
  isOfOtherBoot,
  isOfOtherSpace,
  isRunning,
  ownProcess,
  type ProcessIdentity,
} from "./process-identity.ts";

/** What stands in a lock: who holds it. */
export interface LockOwner extends ProcessIdentity {
  /** Names this one holding of the lock. */
  readonly token: string;
}

/** What a living owner wrote about itself; longer content is no lock of ours. */
const OWNER_MAX_BYTES = 4096;

/** Whether that holding still has the lock. Where the lock cannot be looked at, nobody else could take it over either. */
export function isHeldBy(path: string, token: string): boolean {
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

/** A lock that is there, as a look at it tells. */
export interface Holding {
  readonly token: string;
  readonly owner: LockOwner | null;
  readonly dead: boolean;
}

/** Who holds the lock, or null where nobody does any more. */
export function readHolding(path: string): Holding | null {
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
  return length <= OWNER_MAX_BYTES ? bytes.toString(undefined, 0, length) : "";
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
