import { join } from "node:path";
import { isObject, parseJson } from "../base/json-value.ts";
import { type Result, valueOr } from "../base/result.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import {
  isLifecycleEvent,
  isLifecycleState,
  type LifecycleEventType,
  type LifecycleState,
} from "../lifecycle/states.ts";
import { tryUnlink, type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { uniqueToken } from "../platform/process-identity.ts";
import { readText } from "../platform/read-text.ts";
import { sweepAbandoned } from "../platform/sweep.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";

/** A step that a hook could not take, since the machine was out of reach. */
export interface PendingStep {
  readonly role: RoleName;
  /** ISO 8601: when it would have been taken. */
  readonly at: string;
  readonly by: string;
  readonly session_id: string | null;
  readonly source: string | null;
  readonly owner: "note" | "look";
  readonly process: string | null;
  readonly pane: string | null;
  /** Make a machine where there is none. */
  readonly create: boolean;
  /** The one state that it is for; null for any. */
  readonly from: LifecycleState | null;
  readonly events: readonly LifecycleEventType[];
  readonly context_sha256: string | null;
  readonly saved_at: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly context_bytes: number | null;
}

export interface PendingNote {
  /** No other note has it; in the order in which they were made. */
  readonly id: string;
  readonly step: PendingStep;
}

const VERSION = 1;
const NOTE_MAX_BYTES = 64 * 1024;

/** A note is a file of its own: nobody waits for a lock, and a writer that is killed harms no other note. */
export function notesFolder(paths: ProjectPaths): string {
  return join(paths.cache, "pending-transitions");
}

/** The file of a note. */
export function pendingFile(paths: ProjectPaths, id: string): string {
  return join(notesFolder(paths), `${id}.json`);
}

/** A name for a step that is taken, or noted, now. */
export function pendingId(now: Date): string {
  return `${String(now.getTime()).padStart(15, "0")}-${uniqueToken()}`;
}

/** Notes a step that could not be told to the store. */
export function writePending(paths: ProjectPaths, { id, step }: PendingNote): Result<void, WriteError> {
  const text = `${JSON.stringify({ version: VERSION, ...step })}\n`;
  return writeWhole(pendingFile(paths, id), text, {
    mode: 0o600,
    root: paths.root,
    folderMode: 0o700,
    sweep: false,
  });
}

/** The notes in the order in which they were made, and the files that are none. */
export function listPending(paths: ProjectPaths): { notes: readonly PendingNote[]; broken: readonly string[] } {
  const folder = realPathInside(paths.root, notesFolder(paths)) ?? "";
  const notes: PendingNote[] = [];
  const broken: string[] = [];
  for (const name of valueOr(listFolder(folder), [])) {
    if (!/^\d{15}-[a-z0-9-]+\.json$/.test(name)) continue;
    const file = readText(join(folder, name), NOTE_MAX_BYTES, "refuse");
    // Another process has told it meanwhile.
    if (!file.ok && file.error.problem === "missing") continue;
    const step = file.ok ? parsePending(file.value.text) : null;
    if (step === null) broken.push(join(folder, name));
    else notes.push({ id: name.slice(0, -".json".length), step });
  }
  return { notes, broken };
}

/** Removes the note of a step that has been told. */
export function dropPending(paths: ProjectPaths, id: string): void {
  // Another process may be faster; a note that stays is known to be done by its name.
  tryUnlink(pendingFile(paths, id));
}

/** Removes what killed writers of notes left. */
export function sweepNotes(paths: ProjectPaths, now: Date): void {
  sweepAbandoned(notesFolder(paths), "", now);
}

/** The step in a note's text; null where it is none. */
export function parsePending(text: string): PendingStep | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const fields: Partial<Record<keyof PendingStep | "version", unknown>> = value;
  if (fields.version !== VERSION) return null;
  const { role, at, by, owner, create, from, events, context_bytes: bytes } = fields;
  const { session_id, source, process, pane, context_sha256, saved_at, branch, commit } = fields;
  if (typeof role !== "string" || !isRoleName(role) || typeof by !== "string") return null;
  if (typeof at !== "string" || Number.isNaN(Date.parse(at)) || typeof create !== "boolean") return null;
  if (owner !== "note" && owner !== "look") return null;
  if (from !== null && !isLifecycleState(from)) return null;
  if (!Array.isArray(events) || !events.every(isLifecycleEvent)) return null;
  if (bytes !== null && typeof bytes !== "number") return null;
  if (!isText(session_id) || !isText(source) || !isText(process) || !isText(pane)) return null;
  if (!isText(context_sha256) || !isText(saved_at) || !isText(branch) || !isText(commit)) return null;
  const place = { session_id, source, process, pane };
  const facts = { context_sha256, saved_at, branch, commit, context_bytes: bytes };
  return { role, at, by, owner, ...place, create, from, events, ...facts };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
