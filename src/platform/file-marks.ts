import { realPathInside } from "./contain.ts";
import { errnoOf } from "./fs-error.ts";
import { withoutOptimising } from "./optimiser.ts";
import { type Look, quickStat } from "./quick-stat.ts";

/** Numbers that one path is known by: size, time of writing, time of change, number of the file. */
export const NUMBERS = 4;
/** Where among them the time of change stands, in milliseconds since the epoch; 0 where there is no file. */
export const CHANGED = 2;

/**
 * How old a change has to be before marks tell it from the next one: two of them within one step of the file system's clock
 * look the same. FAT keeps times in steps of two seconds, the longest of any file system in use.
 */
export const SETTLED_MS = 2000;

/**
 * What the files and folders at `paths` are known by, in their order; a folder changes with the names in it. The time of
 * change cannot be set by a program: what got its old size and time of writing back is told from what it was.
 */
export function marksOf(paths: readonly string[]): Float64Array {
  const marks = new Float64Array(paths.length * NUMBERS);
  for (let index = 0; index < paths.length; index++) mark(paths[index] ?? "", marks, index * NUMBERS);
  return marks;
}

/**
 * Which of `paths`, absolute or relative to `root`, are no longer what they were, by their places in the list; null where
 * these are more than `most`: what is left then is not looked at.
 */
export function changedSince(
  root: string,
  paths: readonly string[],
  before: Float64Array,
  most: number,
): readonly number[] | null {
  if (before.length !== paths.length * NUMBERS) return null;
  const look = (): readonly number[] | null => {
    const changed: number[] = [];
    const now = new Float64Array(NUMBERS);
    for (let index = 0; index < paths.length; index++) {
      const path = paths[index] ?? "";
      mark(path.startsWith("/") ? path : `${root}/${path}`, now, 0);
      const first = index * NUMBERS;
      for (let at = 0; at < NUMBERS; at++) {
        if (now[at] === before[first + at]) continue;
        changed.push(index);
        break;
      }
      if (changed.length > most) return null;
    }
    return changed;
  };
  return paths.length < MANY ? look() : withoutOptimising(look);
}

/** From here on less code made fast is worth more than a second look at what is fast already: measured at 500 and 2 500 files. */
const MANY = 700;

/** The last time that any of them changed, in milliseconds since the epoch; 0 where none is there. */
export function lastChange(marks: Float64Array): number {
  let last = 0;
  for (let at = CHANGED; at < marks.length; at += NUMBERS) last = Math.max(last, marks[at] ?? 0);
  return last;
}

/**
 * Whether any of `paths`, the relative ones alone, is there by these marks, in `root` and by no link out of it: only who has
 * looked into that very folder knows when its files were made. In an image that is mounted they are the same everywhere.
 */
export function hasRelative(root: string, paths: readonly string[], marks: Float64Array): boolean {
  return paths.some(
    (path, index) =>
      !path.startsWith("/") &&
      (marks[index * NUMBERS + CHANGED] ?? 0) > 0 &&
      realPathInside(root, `${root}/${path}`) !== null,
  );
}

/** Those of `paths` that are not there. */
export function missingOf(paths: readonly string[], marks: Float64Array): readonly string[] {
  return paths.filter((_, index) => marks[index * NUMBERS] === MISSING);
}

/** Whether there are any that could not be looked at: another user may, and the next moment too. */
export function hasUnreadable(marks: Float64Array): boolean {
  return marks.some((number, at) => at % NUMBERS === 0 && number === UNREADABLE);
}

const MISSING = -1;
const UNREADABLE = -2;

/** What a look at a path gave: nothing where there is none, the system's word where it cannot be looked at. */
export type Found = Look | string | undefined;

/** Looks at a path, links followed. */
export function lookAt(path: string): Found {
  try {
    return quickStat(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== null) return code;
    // No file has such a name; Node calls it a wrong argument.
    if (path.includes("\0")) return undefined;
    throw error;
  }
}

/** Puts the numbers of one path into `marks`, from `at` on. */
export function mark(path: string, marks: Float64Array, at: number): void {
  put(lookAt(path), marks, at);
}

function put(found: Found, marks: Float64Array | number[], at: number): void {
  if (typeof found === "object") {
    marks[at] = found.size;
    marks[at + 1] = found.mtimeMs;
    marks[at + 2] = found.ctimeMs;
    marks[at + 3] = found.ino;
    return;
  }
  // A part of the path that is no folder is the same as none.
  marks[at] = found === undefined || found === "ENOTDIR" ? MISSING : UNREADABLE;
  marks[at + 1] = 0;
  marks[at + 2] = 0;
  marks[at + 3] = 0;
}

/** All that something was made from, and what each was known by when it was looked at. */
export interface Looks {
  readonly paths: string[];
  readonly marks: number[];
}

/** A list of looks to be added to. */
export function noLooks(): Looks {
  return { paths: [], marks: [] };
}

/** Adds a look to a list. */
export function noteLook({ paths, marks }: Looks, path: string, found: Found): void {
  put(found, marks, marks.length);
  paths.push(path);
}
