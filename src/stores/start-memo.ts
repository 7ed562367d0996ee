import { dirname, join } from "node:path";
import { isObject, isTextList, parseJson } from "../base/json-value.ts";
import {
  changedSince,
  hasRelative,
  hasUnreadable,
  type Looks,
  lastChange,
  marksOf,
  missingOf,
  NUMBERS,
  SETTLED_MS,
} from "../platform/file-marks.ts";
import { openMemo, writeMemo } from "./memo-file.ts";
import type { ProjectPaths } from "./paths.ts";
import { folderMark } from "./scan-cache.ts";

/** A start's documents, kept for the next start in a project where nothing has changed. */
export interface StartMemo {
  readonly session: string | null;
  /** The whole document; the record of why it is the one it is. */
  readonly whole: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** As delivered, one for each hook command; those behind the last print nothing. */
  readonly documents: readonly string[];
  /** What is wrong with the files that it was made from, to be told each time. */
  readonly faults: readonly string[];
}

/** Which start: everything beside the files that decides what its documents hold. */
export interface StartKey {
  /** Of this program's build: another one may word things differently. */
  readonly build: string;
  readonly source: string;
  readonly sessionLength: number;
  readonly role: string | null;
  /** What the document says of whose the role is; null where it is this session's, or nobody's. */
  readonly mismatch: string | null;
  /** Hook commands that share the document; null for one alone. */
  readonly parts: number | null;
  readonly invokedAs: string;
  /** Whether the whole document can be kept, and so be pointed to. */
  readonly keepsDocument: boolean;
}

/** All that a start looked at; the paths are absolute. */
export interface StartLooks {
  /** What every start reads again: the configuration, the files that the document shows. */
  readonly shown: Looks;
  /** What the scan of skills and projects was made from: a file that is shown too stands in both. */
  readonly scanned: Looks;
}

/** What an earlier start found in a project of which a few files have changed since. */
export interface EarlierScan {
  /** What its scan was made from. */
  readonly looks: Looks;
  /** Those of the scan's paths that are not what they were, and those of all others. */
  readonly changed: ReadonlySet<string>;
  readonly changedElsewhere: ReadonlySet<string>;
  /** What the start gave to be kept, as it is read: a file like any other, which may have been edited. */
  readonly scan: () => unknown;
}

/** What is known of an earlier start: all of it, or what has not changed. */
export type Recalled =
  | { readonly kind: "same"; readonly memo: StartMemo }
  | { readonly kind: "changed"; readonly earlier: EarlierScan };

/** With more changes than these a project is read anew. */
const MOST_CHANGES = 16;

/**
 * The documents of an earlier start with the same key, or, where a few of the files that they were made from have changed
 * since, what is still known; null where there is none or too much has changed. Each file is looked at. What no look at a file
 * shows stays unseen: a folder that nothing lists (of plans, of goals) moved away whole and linked to, a link to nowhere where
 * nothing was. The documents then say what they said, without the warning that such a link gets.
 */
export function recallStart(paths: ProjectPaths, key: StartKey): Recalled | null {
  const kept = openMemo(memoPath(paths, key), 1, MOST_BYTES);
  const memo = parseMemo(kept?.texts[0] ?? "");
  if (kept === null || memo === null || memo.key !== keyText(paths, key)) return null;
  const opened = kept.open(memo.looked.length);
  if (opened === null) return null;
  const { marks, rest } = opened;
  // One in which nothing is there could have been written anywhere, and have come with the project.
  if (!hasRelative(paths.root, memo.looked, marks)) return null;
  const changed = changedSince(paths.root, memo.looked, marks, MOST_CHANGES);
  if (changed === null) return null;
  if (changed.length === 0) return { kind: "same", memo };
  const { shown } = memo;
  const absolute = memo.looked.map((path) => (path.startsWith("/") ? path : `${paths.root}/${path}`));
  const named = (indexes: readonly number[]): ReadonlySet<string> =>
    new Set(indexes.map((index) => absolute[index] ?? ""));
  const earlier: EarlierScan = {
    looks: { paths: absolute.slice(shown), marks: [...marks.subarray(shown * NUMBERS)] },
    changed: named(changed.filter((index) => index >= shown)),
    changedElsewhere: named(changed.filter((index) => index < shown)),
    scan: () => parseJson(rest()),
  };
  return { kind: "changed", earlier };
}

/**
 * Keeps a start's documents, and `scan`, what it found in the project. Not where any file of `looks` changed shortly before
 * the start, at `began` (milliseconds since the epoch), or later: what was read then may not be what stands there now, and
 * two changes within one step of the file system's clock look the same.
 */
export function rememberStart(
  paths: ProjectPaths,
  key: StartKey,
  began: number,
  { shown, scanned }: StartLooks,
  memo: StartMemo,
  scan: unknown,
): void {
  const all = shown.paths.concat(scanned.paths);
  const marks = new Float64Array(shown.marks.concat(scanned.marks));
  // Of what is not there, the folder that would hold it tells when it went.
  const folders = [...new Set(missingOf(all, marks).map((path) => dirname(path)))];
  if (Math.max(lastChange(marks), lastChange(marksOf(folders))) > began - SETTLED_MS) return;
  const { session, whole, record, documents, faults } = memo;
  const looked = all.map((path) => (path.startsWith(`${paths.root}/`) ? path.slice(paths.root.length + 1) : path));
  if (!hasRelative(paths.root, looked, marks) || hasUnreadable(marks)) return;
  const stored: StoredMemo = {
    key: keyText(paths, key),
    session,
    whole,
    record,
    documents,
    faults,
    looked,
    shown: shown.paths.length,
  };
  const text = JSON.stringify(stored);
  writeMemo(paths, memoPath(paths, key), { texts: [text], marks, rest: JSON.stringify(scan) });
}

/**
 * Documents of 20 000 tokens and the paths of some ten thousand files. To parse more, which may have come with a clone, would
 * take a hook's time.
 */
const MOST_BYTES = 6 * 1024 * 1024;
const VERSION = 5;

function memoPath(paths: ProjectPaths, { role, parts }: StartKey): string {
  return join(paths.cache, `start${parts === null ? "" : `-${parts}`}${role === null ? "" : `.${role}`}.memo`);
}

function keyText(paths: ProjectPaths, key: StartKey): string {
  const { build, source, sessionLength, role, mismatch, parts, invokedAs, keepsDocument } = key;
  const start = [build, source, sessionLength, role, mismatch, parts, invokedAs, keepsDocument];
  const ofRole = role === null ? [] : [folderMark(paths.machines), folderMark(paths.agents)];
  return JSON.stringify([VERSION, ...start, paths.root, paths.machines, paths.agents, ...ofRole]);
}

interface StoredMemo extends StartMemo {
  readonly key: string;
  /** What is shown, and behind it what was scanned. */
  readonly looked: readonly string[];
  /** How many of them are shown. */
  readonly shown: number;
}

/** Null for what was cut short, or edited: as good as none. */
function parseMemo(text: string): StoredMemo | null {
  const value = parseJson(text);
  return isMemo(value) ? value : null;
}

function isMemo(value: unknown): value is StoredMemo {
  return (
    isObject(value) &&
    typeof value.key === "string" &&
    (value.session === null || typeof value.session === "string") &&
    typeof value.whole === "string" &&
    isObject(value.record) &&
    isTextList(value.documents) &&
    isTextList(value.faults) &&
    isTextList(value.looked) &&
    typeof value.shown === "number"
  );
}
