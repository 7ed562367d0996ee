import { isArray, isObject, type JsonObject, parseJson, stringAt } from "../base/json-value.ts";
import { err, ok, type Result } from "../base/result.ts";
import { isSessionId } from "../base/session-id.ts";
import { type Coverage, firstUnseen, type LineRange, together, UNSEEN, WHOLE } from "./coverage.ts";

/** What a file has to be read for. */
export type Purpose = "role" | "project";

/** A file that must be in the agent's context again before it edits. */
export interface Required {
  /** As `fileKey` spells it. */
  readonly path: string;
  /** One at least. */
  readonly purposes: readonly Purpose[];
  /** What the session-start document and the client brought. */
  readonly given: Coverage;
  /** What the agent read itself. */
  readonly read: Coverage;
}

/**
 * What lets edits through before all is read: enough denials, a person's prompt, `gate --skip`, a loop of
 * compactions.
 */
export const OPENERS = ["denials", "prompt", "skip", "loop"] as const;
export type Opener = (typeof OPENERS)[number];

/** One compaction of a session: what is to be read again, and what was. Ids and paths only. */
export interface GateState {
  readonly sessionId: string;
  readonly role: string | null;
  readonly projectId: string | null;
  readonly transcriptPath: string | null;
  /** Size of the transcript in bytes when the compaction ended; null where it could not be told. */
  readonly transcriptBytes: number | null;
  /** ISO 8601. */
  readonly compactedAt: string;
  readonly required: readonly Required[];
  readonly denials: number;
  /** The call that was denied last; null where its id is not known. */
  readonly deniedCall: string | null;
  /** Denials of further edits of the same message, which count as one with its first. */
  readonly repeats: number;
  /** What let edits through although not all was read; null where nothing did. */
  readonly opened: Opener | null;
}

/** So often an edit is denied after one compaction: an agent that can't read must not be stopped for ever. */
export const MOST_DENIALS = 3;

/** More edits than a model asks for in one message; where all its messages have one id, denials count again from there. */
export const MOST_REPEATS = 30;

/** Whether all of a required file was seen, whoever brought it. */
export function isAllRead({ given, read }: Required): boolean {
  return firstUnseen(together(given, read)) === null;
}

/** The required files of which something is still unseen. */
export function unread(state: GateState): readonly Required[] {
  return state.required.filter((file) => !isAllRead(file));
}

/** Whether an edit would be looked at. */
export function isPending(state: GateState): boolean {
  return state.opened === null && unread(state).length > 0;
}

/** Lines of a file, under its key, that came into the agent's context. */
export interface SeenLines {
  readonly path: string;
  readonly lines: Coverage;
  readonly by: "agent" | "client";
}

/** The files with lines of one of them seen. */
export function filesWithSeen(files: readonly Required[], { path, lines, by }: SeenLines): readonly Required[] {
  return files.map((file) => {
    if (file.path !== path) return file;
    return by === "agent"
      ? { ...file, read: together(file.read, lines) }
      : { ...file, given: together(file.given, lines) };
  });
}

/** The state with lines of a file seen; the same state where the file is not required. */
export function withSeen(state: GateState, seen: SeenLines): GateState {
  if (!state.required.some((file) => file.path === seen.path)) return state;
  return { ...state, required: filesWithSeen(state.required, seen) };
}

const SCHEMA_VERSION = 1;

/** The text that `parseGateState` reads. */
export function formatGateState(state: GateState): string {
  const record = {
    schema_version: SCHEMA_VERSION,
    session_id: state.sessionId,
    role: state.role,
    project_id: state.projectId,
    transcript_path: state.transcriptPath,
    transcript_bytes: state.transcriptBytes,
    compacted_at: state.compactedAt,
    required: state.required.map(({ path, purposes, given, read }) => ({
      path,
      for: purposes,
      given: coverageRecord(given),
      read: coverageRecord(read),
    })),
    denials: state.denials,
    denied_call: state.deniedCall,
    repeats: state.repeats,
    opened: state.opened,
  };
  return `${JSON.stringify(record, null, 1)}\n`;
}

/** The state, or what is wrong with the text, as the end of a sentence. */
export function parseGateState(text: string): Result<GateState, string> {
  const record = parseJson(text);
  if (record === undefined) return err("is not JSON");
  if (!isObject(record)) return err("is no JSON object");
  if (record.schema_version !== SCHEMA_VERSION) return err(`has another schema_version than ${SCHEMA_VERSION}`);
  const sessionId = stringAt(record, "session_id") ?? "";
  if (!isSessionId(sessionId)) return err("has no session_id");
  const compactedAt = stringAt(record, "compacted_at") ?? "";
  if (Number.isNaN(Date.parse(compactedAt))) return err("has no time in compacted_at");
  const required = isArray(record.required) ? record.required.map(parseRequired) : [null];
  const files = required.filter((file) => file !== null);
  if (files.length < required.length) return err('has no list of files in "required"');
  return ok({
    sessionId,
    role: stringAt(record, "role"),
    projectId: stringAt(record, "project_id"),
    transcriptPath: stringAt(record, "transcript_path"),
    transcriptBytes: count(record.transcript_bytes),
    compactedAt,
    required: files,
    denials: count(record.denials) ?? MOST_DENIALS,
    deniedCall: stringAt(record, "denied_call"),
    repeats: count(record.repeats) ?? 0,
    opened: OPENERS.find((opener) => opener === record.opened) ?? null,
  });
}

function parseRequired(value: unknown): Required | null {
  if (!isObject(value)) return null;
  const path = stringAt(value, "path");
  const named: readonly unknown[] = isArray(value.for) ? value.for : [];
  const purposes = (["role", "project"] as const).filter((purpose) => named.includes(purpose));
  if (path === null || path === "" || purposes.length === 0) return null;
  return { path, purposes, given: parseCoverage(value.given), read: parseCoverage(value.read) };
}

function coverageRecord(coverage: Coverage): JsonObject | string | null {
  if (coverage.kind === "whole") return "whole";
  return coverage.ranges.length === 0 ? null : { lines: coverage.ranges, total: coverage.total };
}

function parseCoverage(value: unknown): Coverage {
  if (value === "whole") return WHOLE;
  if (!isObject(value) || !isArray(value.lines)) return UNSEEN;
  const ranges = value.lines.flatMap((range): readonly LineRange[] => {
    const [first, last] = isArray(range) ? [count(range[0]), count(range[1])] : [null, null];
    return first === null || last === null || first < 1 || last < first ? [] : [[first, last]];
  });
  if (ranges.length === 0) return UNSEEN;
  // Put in order by hand or by us: the rest relies on it.
  return together(UNSEEN, { kind: "lines", ranges, total: count(value.total) });
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
