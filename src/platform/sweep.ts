import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isFsError } from "./fs-error.ts";
import { isRunning } from "./process-identity.ts";

/**
 * Removes the temporary files that killed writers of `name` left in `folder`. Their names hold the writer's process id;
 * those of a living process stay, and those that were changed after `before`: a process of another host, which cannot be
 * told from a dead one, is done with its file by then.
 */
export function sweepTemporaries(folder: string, name: string, before: Date | null = null): void {
  for (const path of deadTemporaries(folder, name, before)) remove(path);
}

/** What `sweepTemporaries` would remove; with an empty `name` the temporary files of every name. */
export function deadTemporaries(folder: string, name: string, before: Date | null): readonly string[] {
  return readdirSync(folder).flatMap((entry) => {
    if (!entry.startsWith(`.${name}`) || !entry.endsWith(".tmp")) return [];
    const pid = Number(/\.(\d+)-[a-z0-9]+-[a-z0-9]+\.tmp$/.exec(entry)?.[1]);
    const path = join(folder, entry);
    return Number.isInteger(pid) && pid > 0 && !isRunning(pid) && isOlder(path, before) ? [path] : [];
  });
}

function isOlder(path: string, before: Date | null): boolean {
  if (before === null) return true;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < before.getTime();
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Another one was faster, or it may not be removed.
    if (!isFsError(error)) throw error;
  }
}
