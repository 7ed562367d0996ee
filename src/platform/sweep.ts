import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { orNull } from "./fs-error.ts";
import { isRunning } from "./process-identity.ts";
import { statOf } from "./stat-of.ts";

/**
 * Removes the temporary files that killed writers of `name` left in `folder`. Their names hold the writer's process id;
 * those of a living process stay, and those that were changed after `before`: a process of another host, which cannot be
 * told from a dead one, is done with its file by then. Without `before` none of another host may be about: under the
 * file's own lock, and not for the drafts of the lock itself, which those have who wait for it.
 */
export function sweepTemporaries(folder: string, name: string, before: Date | null = null): void {
  // What cannot be listed cannot be swept, and is no fault of what the caller is about.
  const dead = orNull(() => deadTemporaries(folder, name, before)) ?? [];
  // Another one may be faster, or a file may not be removed.
  for (const path of dead) orNull(() => unlinkSync(path));
}

/** Longer than any process waits or writes, in milliseconds. */
const ABANDONED_MS = 60_000;

/** As `sweepTemporaries`, of those that are so old that nobody can be writing them, here or on another host. */
export function sweepAbandoned(folder: string, name: string, now: Date): void {
  sweepTemporaries(folder, name, abandonedBefore(now));
}

/** When a temporary file was last changed, at the latest, that nobody is writing any more. */
export function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - ABANDONED_MS);
}

/** What `sweepTemporaries` would remove; with an empty `name` the temporary files of every name. */
export function deadTemporaries(folder: string, name: string, before: Date | null): readonly string[] {
  const prefix = name === "" ? "." : `.${name}.`;
  return readdirSync(folder).flatMap((entry) => {
    if (!entry.startsWith(prefix) || !entry.endsWith(".tmp")) return [];
    const [token = "", number] = /(?<=\.)(\d+)-[a-z0-9]+-[a-z0-9]+\.tmp$/.exec(entry) ?? [];
    // Another file's name may begin with this one: that of its lock does.
    if (name !== "" && entry.length !== prefix.length + token.length) return [];
    const pid = Number(number);
    const path = join(folder, entry);
    return Number.isInteger(pid) && pid > 0 && !isRunning(pid) && isOlder(path, before) ? [path] : [];
  });
}

function isOlder(path: string, before: Date | null): boolean {
  if (before === null) return true;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < before.getTime();
}

/** Removes the files right in a folder, so named, that were written last longer than `ms` ago; none where it cannot be listed. */
export function sweepOlder(folder: string, now: Date, ms: number, named = /^/): void {
  for (const name of orNull(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    const stat = named.test(name) ? statOf(path) : null;
    // Another one may be faster, or a file may not be removed.
    if (stat?.isFile() === true && now.getTime() - stat.mtimeMs > ms) orNull(() => unlinkSync(path));
  }
}
