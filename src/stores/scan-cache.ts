import { realpathSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../base/json-value.ts";
import { writeWhole } from "../platform/atomic-write.ts";
import { type Found, lookAt, SETTLED_MS } from "../platform/file-marks.ts";
import { orNull } from "../platform/fs-error.ts";
import { isFile } from "../platform/quick-stat.ts";
import { readText } from "../platform/read-text.ts";
import type { ProjectPaths } from "./paths.ts";

/**
 * What was read from many small files at the last run, by what they were then. It saves reading and parsing, never the
 * look at the file itself, and can be deleted at any time.
 */
export interface ScanCache {
  /** What was remembered of a file that has not changed since; undefined where that is not sure. */
  readonly recall: (path: string, mark: FileMark | null) => unknown;
  /** `changed` is when what the mark is of last changed (`changeOf`): what changed a moment ago is not remembered. */
  readonly remember: (path: string, mark: FileMark | null, changed: number, value: unknown) => void;
  /** Writes what this run used, if anything is new. A cache that cannot be written is a slower next run, no fault. */
  readonly save: () => void;
}

/**
 * What a file is known by: size, times of writing and of change, and number. The time of change cannot be set by a
 * program, so a file that got its old time of writing back is told from what it was.
 */
export type FileMark = string;

/** For what is read once. */
export const NO_SCAN_CACHE: ScanCache = { recall: () => undefined, remember: () => {}, save: () => {} };

const VERSION = 3;
/** Thousands of projects. To parse more, which may have come with a clone, would take a hook's time. */
const CACHE_MAX_BYTES = 4 * 1024 * 1024;

/** A file's mark; null where it is not there. What is there and is no file, or cannot be looked at, has one of its own. */
export function markOf(path: string): FileMark | null {
  return markFrom(lookAt(path));
}

/** The mark of what a look gave. */
export function markFrom(found: Found): FileMark | null {
  if (found === undefined) return null;
  if (typeof found === "string") return found;
  const mark = `${found.size}:${found.mtimeMs}:${found.ctimeMs}:${found.ino}`;
  return isFile(found) ? mark : `no file:${mark}`;
}

/** When what a look gave last changed, in milliseconds since the epoch; 0 where it is not there. */
export function changeOf(found: Found): number {
  return typeof found === "object" ? found.ctimeMs : 0;
}

/** Where a folder really is: moved elsewhere and linked to, its files keep their marks. Null where it is not there. */
export function folderMark(path: string): FileMark | null {
  return orNull(() => realpathSync.native(path));
}

export interface ScanCacheOptions {
  /**
   * Names this program's build: another one may find other things in the same file. Null where it runs from its sources,
   * which may be others the next time: then nothing is remembered.
   */
  readonly build: string | null;
  /** When this run began, in milliseconds since the epoch. */
  readonly began: number;
}

/** The cache of that name, as the last run left it. */
export function openScanCache(paths: ProjectPaths, name: string, { build, began }: ScanCacheOptions): ScanCache {
  if (build === null) return NO_SCAN_CACHE;
  const settled = began - SETTLED_MS;
  const file = join(paths.cache, `${name}.json`);
  const before = readEntries(file, build);
  const now = new Map<string, readonly [FileMark, unknown]>();
  let isNew = false;
  return {
    recall: (path, mark) => {
      const entry = before.get(path);
      if (entry === undefined || entry[0] !== mark) return undefined;
      now.set(path, entry);
      return entry[1];
    },
    remember: (path, mark, changed, value) => {
      // Gone when it was looked at and there when it was read: what was read has no mark.
      if (mark === null || changed > settled) return;
      now.set(path, [mark, value]);
      isNew = true;
    },
    save: () => {
      if (!isNew && now.size === before.size) return;
      const text = JSON.stringify({ version: VERSION, build, entries: Object.fromEntries(now) });
      writeWhole(file, text, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
    },
  };
}

function readEntries(path: string, build: string): Map<string, readonly [FileMark, unknown]> {
  const entries = new Map<string, readonly [FileMark, unknown]>();
  const file = readText(path, CACHE_MAX_BYTES, "refuse");
  if (!file.ok) return entries;
  const value = parseJson(file.value.text);
  // Half written by a version that did not write whole files, or edited: as good as none.
  if (!isObject(value) || value.version !== VERSION || value.build !== build || !isObject(value.entries))
    return entries;
  for (const [key, entry] of Object.entries(value.entries)) {
    if (!Array.isArray(entry) || entry.length !== 2) continue;
    const [mark, remembered]: readonly unknown[] = entry;
    if (typeof mark === "string") entries.set(key, [mark, remembered]);
  }
  return entries;
}
