import { existsSync, linkSync, lstatSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ok, type Result } from "../base/result.ts";
import { attempt, tryUnlink, type WriteError } from "../platform/atomic-write.ts";
import { orNull } from "../platform/fs-error.ts";

/** Renames a bad file whose name a writer needs to `<name>.corrupt-<time>`, beside the earlier ones; the new name. */
export function setAside(path: string, now: Date): Result<string, WriteError> {
  const name = nameAside(path, now);
  const moved = rename(path, join(dirname(path), name));
  return moved.ok ? ok(name) : moved;
}

/** A bad file that is kept under a second name, and for now under its own. */
export interface KeptAside {
  readonly name: string;
  /** Takes its own name from it. */
  readonly finish: () => void;
  /** As if nothing had been done, whatever stands under its own name by now. */
  readonly undo: () => void;
}

/**
 * As `setAside`, in two parts, under a lock: the name is never without a file, so that a writer which is killed, or finds
 * no room, leaves what was there. What cannot have two names (a folder, a link, on some file systems any file) is renamed
 * at once.
 */
export function keepAside(path: string, now: Date): Result<KeptAside, WriteError> {
  const name = nameAside(path, now);
  const target = join(dirname(path), name);
  if (!tryLink(path, target)) {
    const moved = rename(path, target);
    return moved.ok ? ok({ name, finish: () => undefined, undo: () => void rename(target, path) }) : moved;
  }
  const isReplaced = (): boolean => numberOf(path) !== numberOf(target);
  return ok({
    name,
    finish: () => tryUnlink(path),
    undo: () => {
      // Of two names of one file a rename leaves both.
      if (!isReplaced()) tryUnlink(target);
      else rename(target, path);
    },
  });
}

/** `<name>.corrupt-<time>`: what is set aside under it says when. */
export function corruptName(name: string, now: Date): string {
  return `${name}.corrupt-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`;
}

function nameAside(path: string, now: Date): string {
  const base = corruptName(basename(path), now);
  let name = base;
  for (let count = 2; existsSync(join(dirname(path), name)); count++) name = `${base}-${count}`;
  return name;
}

function rename(path: string, target: string): Result<void, WriteError> {
  return attempt(path, "set aside", () => renameSync(path, target));
}

function tryLink(path: string, target: string): boolean {
  const isFile = orNull(() => lstatSync(path).isFile()) ?? false;
  return isFile && attempt(path, "linked", () => linkSync(path, target)).ok;
}

function numberOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}
