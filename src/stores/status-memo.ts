import { join } from "node:path";
import { isObject, isTextList, parseJson } from "../base/json-value.ts";
import { realPathInside } from "../platform/contain.ts";
import { CHANGED, changedSince, lastChange, NUMBERS, SETTLED_MS } from "../platform/file-marks.ts";
import { openMemo, writeMemo } from "./memo-file.ts";
import type { ProjectPaths } from "./paths.ts";
import { BOTH, type RoleMarks, rolesUnchanged } from "./role-marks.ts";
import { folderMark } from "./scan-cache.ts";

/** What a status of all roles answered, kept for the next one, which may find that nothing has changed. */
export interface StatusMemo {
  /** What went to stdout. */
  readonly text: string;
  readonly notes: readonly string[];
  /** Milliseconds since the epoch: when it was made, and when time alone makes another answer of it; null for never. */
  readonly from: number;
  readonly until: number | null;
  /** For each owner on record its process and whether that still ran: `platform/process-identity.ts`. */
  readonly owners: readonly (readonly string[])[];
}

/** Which answer: everything beside the files, the time and the owners that decides what it says. */
export interface StatusKey {
  /** Of this program's build: another one may word things differently. */
  readonly build: string;
  readonly invokedAs: string;
  readonly json: boolean;
  /** Without the context files. */
  readonly brief: boolean;
}

/** All that an answer was made from, each looked at before it was listed or read. */
export interface StatusLooks {
  readonly roles: readonly string[];
  readonly roleMarks: RoleMarks;
  /** Folders and other files, absolute; that of the machines is the first. */
  readonly paths: readonly string[];
  readonly marks: Float64Array;
}

/** Looks at many files, as `platform/optimiser.ts` would have it. */
type InPassing = (roles: number, work: () => boolean) => boolean;

/** An earlier answer to the same question, or null where there is none or any file that it was made from has changed since. */
export function recallStatus(paths: ProjectPaths, key: StatusKey, inPassing: InPassing): StatusMemo | null {
  const memo = openMemo(memoPath(paths, key), 2);
  const [head = "", names = ""] = memo?.texts ?? [];
  const known = parseHead(head);
  if (memo === null || known === null || known.key !== keyText(paths, key)) return null;
  const { looked, notes, from, until, owners } = known;
  const roles = names.split("\n");
  const stride = key.brief ? NUMBERS : BOTH;
  const opened = memo.open(looked.length + (roles.length * stride) / NUMBERS);
  if (opened === null) return null;
  // Without a folder of machines nothing was kept: such a memo could have been written anywhere, and have come with the project.
  // So could one of a folder that a link leads to: in an image that is mounted times are the same everywhere.
  if (looked[0] !== paths.machines || !opened.marks[CHANGED]) return null;
  if (realPathInside(paths.machinesRoot, paths.machines) === null) return null;
  const count = looked.length * NUMBERS;
  if (changedSince(paths.root, looked, opened.marks.subarray(0, count), 0) === null) return null;
  const roleMarks = { values: opened.marks.subarray(count), stride };
  const same = inPassing(roles.length, () => rolesUnchanged(paths, roles, roleMarks));
  return same ? { text: opened.rest(), notes, from, until, owners } : null;
}

/**
 * Keeps an answer. Not where anything that it was made from changed shortly before the look, at `began` (milliseconds since
 * the epoch), or later: what was read then may not be what stands there now.
 */
export function rememberStatus(
  paths: ProjectPaths,
  key: StatusKey,
  began: number,
  looks: StatusLooks,
  memo: StatusMemo,
): void {
  const { roles, roleMarks, marks } = looks;
  if (Math.max(lastChange(marks), lastChange(roleMarks.values)) > began - SETTLED_MS) return;
  const { text, notes, from, until, owners } = memo;
  const all = new Float64Array(marks.length + roleMarks.values.length);
  all.set(marks);
  all.set(roleMarks.values, marks.length);
  const head: Head = { key: keyText(paths, key), looked: looks.paths, notes, from, until, owners };
  writeMemo(paths, memoPath(paths, key), { texts: [JSON.stringify(head), roles.join("\n")], marks: all, rest: text });
}

const VERSION = 2;

/** One for each form of the answer, so that a person and a program that look in turn each find theirs. */
function memoPath(paths: ProjectPaths, { json, brief }: StatusKey): string {
  return join(paths.cache, `status${json ? "-json" : ""}${brief ? "-brief" : ""}.memo`);
}

function keyText(paths: ProjectPaths, { build, invokedAs, json, brief }: StatusKey): string {
  const folders = [paths.machines, paths.agents];
  return JSON.stringify([VERSION, build, invokedAs, json, brief, paths.root, ...folders, ...folders.map(folderMark)]);
}

interface Head extends Omit<StatusMemo, "text"> {
  readonly key: string;
  readonly looked: readonly string[];
}

/** Null for what was cut short, or edited: as good as none. */
function parseHead(text: string): Head | null {
  const value = parseJson(text);
  return isHead(value) ? value : null;
}

function isHead(value: unknown): value is Head {
  return (
    isObject(value) &&
    typeof value.key === "string" &&
    isTextList(value.looked) &&
    isTextList(value.notes) &&
    typeof value.from === "number" &&
    (value.until === null || typeof value.until === "number") &&
    Array.isArray(value.owners) &&
    value.owners.every(isTextList)
  );
}
