import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./fs-error.ts";
import { pause } from "./pause.ts";
import { statOf } from "./stat-of.ts";

/** What may have changed: names of entries, or null where everything has to be looked at. */
export type Touched = ReadonlySet<string> | null;

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Everything is looked at again after so many milliseconds, whatever was reported. */
  readonly rescanMs?: number;
  /** The least time between two looks, in milliseconds. */
  readonly gapMs?: number;
}

/** Events get lost: a queue overflows, a network's file system reports none. */
const RESCAN_MS = 1000;
/** Where the system gives no watch (their number is limited), looking is all there is. */
const UNWATCHED_MS = 250;
/** One change of a file is half a dozen events: a burst of them is one look. */
const GAP_MS = 10;

/**
 * Says when to look at folders: at once, after each change in them, and every second. A folder may be missing, come
 * later, or be replaced by another one of its name. Ends when the signal is given.
 */
export async function* folderLooks(
  folders: readonly string[],
  { signal, rescanMs = RESCAN_MS, gapMs = GAP_MS }: WatchOptions,
): AsyncGenerator<Touched> {
  let touched: Set<string> | null | "nothing" = null;
  let wake = (): void => undefined;
  const touch = (name: string | null): void => {
    if (name === null) touched = null;
    else if (touched === "nothing") touched = new Set([name]);
    else touched?.add(name);
    wake();
  };
  const watchers = folders.map((folder) => folderWatcher(folder, touch));
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      // Before the look: what changes from now on is reported, what changed before is seen.
      const watched = watchers.map((watcher) => watcher.renew()).every((isWatched) => isWatched);
      const due = touched;
      touched = "nothing";
      if (due !== "nothing") yield due;
      await pause(gapMs, signal);
      if (signal.aborted || touched !== "nothing") continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => touch(null), watched ? rescanMs : Math.min(rescanMs, UNWATCHED_MS));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = () => undefined;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    for (const watcher of watchers) watcher.close();
  }
}

interface FolderWatcher {
  /** Watches what now lies at the path, where that is another folder than before. False where it cannot be watched. */
  readonly renew: () => boolean;
  readonly close: () => void;
}

function folderWatcher(folder: string, touch: (name: string | null) => void): FolderWatcher {
  let current: { readonly watcher: FSWatcher; readonly key: string } | null = null;
  const close = (): void => {
    current?.watcher.close();
    current = null;
  };
  const renew = (): boolean => {
    const target = nearestFolder(folder);
    if (current !== null && current.key === target?.key) return true;
    const first = current === null;
    close();
    if (target === null) return false;
    try {
      const isFolder = target.path === folder;
      // In a parent only the way to the folder is of interest, and what happened in it since is not reported.
      const watcher = watch(target.path, (_event, name) => touch(isFolder ? name : null));
      watcher.on("error", () => {
        close();
        touch(null);
      });
      current = { watcher, key: target.key };
      if (!first) touch(null);
      return true;
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return false;
    }
  };
  return { renew, close };
}

/** The folder, or where it is missing its nearest parent; with what tells it from another folder at the same path. */
function nearestFolder(folder: string): { readonly path: string; readonly key: string } | null {
  for (let path = folder; ; path = dirname(path)) {
    const key = folderKey(path);
    if (key !== null) return { path, key };
    if (dirname(path) === path) return null;
  }
}

function folderKey(path: string): string | null {
  const stat = statOf(path);
  return stat?.isDirectory() === true ? `${path}\0${stat.dev}:${stat.ino}` : null;
}
