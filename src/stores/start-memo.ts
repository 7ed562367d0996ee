import { dirname, join } from "node:path";
import { changedSince, type Looks, lastChange, marksOf, missingOf, SETTLED_MS } from "../platform/file-marks.ts";
import { openMemo, writeMemo } from "./memo-file.ts";
import type { ProjectPaths } from "./paths.ts";

/** A start's documents, kept for the next start in a project where nothing has changed. */
export interface StartMemo {
  readonly session: string | null;
  /** The whole document; the record of why it is the one it is. */
  readonly whole: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** As delivered, one for each hook command; those behind the last print nothing. */
  readonly documents: readonly string[];
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

/** What an earlier start found in a project of which a few files have changed since. */
export interface EarlierScan {
  /** All that it looked at; the paths are absolute. */
  readonly looks: Looks;
  /** Those of the paths that are not what they were. */
  readonly changed: ReadonlySet<string>;
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
 * since, what is still known; null where there is none or too much has changed. Each file is looked at.
 */
export function recallStart(paths: ProjectPaths, key: StartKey): Recalled | null {
  const kept = openMemo(memoPath(paths, key), 1);
  const memo = parseMemo(kept?.texts[0] ?? "");
  if (kept === null || memo === null || memo.key !== keyText(paths, key)) return null;
  const opened = kept.open(memo.looked.length);
  if (opened === null) return null;
  const { marks, rest } = opened;
  const changed = changedSince(paths.root, memo.looked, marks, MOST_CHANGES);
  if (changed === null) return null;
  if (changed.length === 0) return { kind: "same", memo };
  const absolute = memo.looked.map((path) => (path.startsWith("/") ? path : `${paths.root}/${path}`));
  const looks = { paths: absolute, marks: [...marks] };
  const scan = (): unknown => parse(rest());
  return { kind: "changed", earlier: { looks, changed: new Set(changed.map((index) => absolute[index] ?? "")), scan } };
}

/**
 * Keeps a start's documents, and `scan`, what it found in the project. Not where any file of `looks` (absolute paths) changed
 * shortly before the start, at `began` (milliseconds since the epoch), or later: what was read then may not be what stands
 * there now, and two changes within one step of the file system's clock look the same.
 */
export function rememberStart(
  paths: ProjectPaths,
  key: StartKey,
  began: number,
  looks: Looks,
  memo: StartMemo,
  scan: unknown,
): void {
  const marks = Float64Array.from(looks.marks);
  // Of what is not there, the folder that would hold it tells when it went.
  const folders = [...new Set(missingOf(looks.paths, marks).map((path) => dirname(path)))];
  if (Math.max(lastChange(marks), lastChange(marksOf(folders))) > began - SETTLED_MS) return;
  const { session, whole, record, documents } = memo;
  const looked = looks.paths.map((path) =>
    path.startsWith(`${paths.root}/`) ? path.slice(paths.root.length + 1) : path,
  );
  const text = JSON.stringify({ key: keyText(paths, key), session, whole, record, documents, looked });
  writeMemo(paths, memoPath(paths, key), { texts: [text], marks, rest: JSON.stringify(scan) });
}

const VERSION = 3;

function memoPath(paths: ProjectPaths, { role, parts }: StartKey): string {
  return join(paths.cache, `start${parts === null ? "" : `-${parts}`}${role === null ? "" : `.${role}`}.memo`);
}

function keyText(paths: ProjectPaths, key: StartKey): string {
  const { build, source, sessionLength, role, mismatch, parts, invokedAs, keepsDocument } = key;
  const start = [build, source, sessionLength, role, mismatch, parts, invokedAs, keepsDocument];
  return JSON.stringify([VERSION, ...start, paths.root, paths.machines, paths.agents]);
}

interface StoredMemo extends StartMemo {
  readonly key: string;
  readonly looked: readonly string[];
}

/** Null for what was cut short, or edited: as good as none. */
function parseMemo(text: string): StoredMemo | null {
  const value = parse(text);
  return isMemo(value) ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isMemo(value: unknown): value is StoredMemo {
  if (typeof value !== "object" || value === null) return false;
  return (
    "key" in value &&
    typeof value.key === "string" &&
    "session" in value &&
    (value.session === null || typeof value.session === "string") &&
    "whole" in value &&
    typeof value.whole === "string" &&
    "record" in value &&
    typeof value.record === "object" &&
    value.record !== null &&
    "documents" in value &&
    areTexts(value.documents) &&
    "looked" in value &&
    areTexts(value.looked)
  );
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
