import { isArray, isObject, type JsonObject, stringAt } from "../base/json-value.ts";
import { type Entry, entriesOf, INTERRUPTION, messageId, SUB_AGENT_TOOLS } from "../transcript/entry.ts";
import { isSaid, isWorthParsing } from "../transcript/row.ts";
import type { Coverage } from "./coverage.ts";
import { linesShown } from "./tool-call.ts";

/** A row of a session's file. */
export interface SessionRow {
  readonly bytes: Uint8Array;
  /** Written before the compaction that is asked about, as far as the file's size at that moment tells. */
  readonly earlier: boolean;
}

/** A file that came into the agent's context. */
export interface FileShown {
  readonly path: string;
  /** The agent's working directory at the time; null where the record does not say. */
  readonly cwd: string | null;
  readonly lines: Coverage;
  /** `client`: restored after the compaction, kept from before it, or attached to a prompt. */
  readonly by: "agent" | "client";
}

/** What a session's file tells of the time since its last compaction. */
export interface SinceCompaction {
  /** The client wrote down that it compacted. */
  readonly compacted: boolean;
  readonly shown: readonly FileShown[];
  /** What people said, oldest first. */
  readonly prompts: readonly string[];
  /** The ids of the tool calls in the model's last message, as far as they are written down. */
  readonly lastCalls: readonly string[];
  /** A sub-agent was called and has not answered: in older clients it works while the main line waits. */
  readonly subAgentInFlight: boolean;
}

// Attachments are the client's own rows; these two bring a file, and what a person typed while the agent worked.
const WANTED_ATTACHMENT = /"attachment":\{"type":"(?:file|queued_command)"/;

/** As for a transcript's other readers, and the attachments that bring a file or a prompt. */
export function isGateRow(head: string): boolean {
  return isWorthParsing(head) || WANTED_ATTACHMENT.test(head);
}

/**
 * Reads what happened since the last compaction. Where the file's size at the compaction is not `known`, its mark in the
 * file decides; where it is, rows behind it count even while the mark is not written. Rows are told apart by their place:
 * the client stamps restored files with times before the mark's.
 */
export function readSince(rows: Iterable<SessionRow>, known: boolean): SinceCompaction {
  const all = [...rows].flatMap(({ bytes, earlier }) => {
    const record = parse(bytes);
    return record === null || record.isSidechain === true ? [] : [{ record, earlier }];
  });
  const mark = all.findLastIndex(({ record, earlier }) => isMark(record) && !(known && earlier));
  const first = all.findIndex(({ earlier }) => !earlier);
  if (mark === -1 && (!known || first === -1)) {
    return { compacted: false, shown: [], prompts: [], lastCalls: [], subAgentInFlight: false };
  }
  const start = mark === -1 ? first : mark;
  const kept = keptRecords(all[mark]?.record);
  const records = [...all.slice(0, start).map(({ record }) => record), ...spoken(all.slice(start))];
  const shown: FileShown[] = [];
  const prompts: string[] = [];
  const reads = new Map<string, { readonly input: JsonObject; readonly cwd: string | null; readonly late: boolean }>();
  const agents = new Set<string>();
  for (const [row, record] of records.entries()) {
    const late = row >= start;
    if (!late && !kept.has(record.uuid)) continue;
    const attached = late ? attachedFile(record) : null;
    if (attached !== null) shown.push(attached);
    for (const entry of entriesOf(record, row)) {
      // Who waits for a sub-agent hears no one: one that never answered was stopped, or its client was.
      if (endsTurn(entry)) agents.clear();
      if (entry.kind === "prompt") {
        if (late) prompts.push(entry.text);
      } else if (entry.kind === "tool-use") {
        if (entry.name === "Read") reads.set(entry.id, { input: entry.input, cwd: entry.cwd, late });
        else if (late && SUB_AGENT_TOOLS.has(entry.name)) agents.add(entry.id);
      } else if (entry.kind === "tool-result") {
        agents.delete(entry.toolUseId);
        const call = reads.get(entry.toolUseId);
        if (call === undefined || entry.isError) continue;
        const path = stringAt(call.input, "file_path");
        if (path === null) continue;
        const lines = linesShown(call.input, record.toolUseResult);
        shown.push({ path, cwd: call.cwd, lines, by: call.late ? "agent" : "client" });
      }
    }
  }
  return {
    compacted: mark !== -1,
    shown,
    prompts,
    lastCalls: callsOfLastMessage(records),
    subAgentInFlight: agents.size > 0,
  };
}

/** The records without what a person took back, as `readRows` has them: the model sees no more of it, what was read there among it. */
function spoken(rows: readonly { readonly record: JsonObject }[]): readonly JsonObject[] {
  const records: JsonObject[] = [];
  const followed = new Map<string | null, number>();
  const places = new Map<string | null, number>();
  /** Where the person spoke last. */
  let last = -1;
  // A record that is written again takes nothing back, and one without an id neither.
  const seen = new Set<string | null>([null]);
  for (const { record } of rows) {
    const [parent, uuid] = [stringAt(record, "parentUuid"), stringAt(record, "uuid")];
    const says = isSaid(entriesOf(record, 0));
    if (parent !== null && says && !seen.has(uuid)) {
      const place = places.get(parent) ?? records.length;
      const before = followed.get(parent) ?? (last > place ? place + 1 : undefined);
      if (before !== undefined) records.splice(before);
    }
    if (!followed.has(parent)) followed.set(parent, records.length);
    if (says) last = records.length;
    places.set(uuid, records.length);
    seen.add(uuid);
    records.push(record);
  }
  return records;
}

function callsOfLastMessage(records: readonly JsonObject[]): readonly string[] {
  const last = records.findLast(({ type }) => type === "assistant");
  const id = last === undefined ? null : messageId(last);
  if (id === null) return [];
  return records.flatMap((record, row) =>
    messageId(record) === id
      ? entriesOf(record, row).flatMap((entry) => (entry.kind === "tool-use" ? entry.id : []))
      : [],
  );
}

function endsTurn(entry: Entry): boolean {
  return (
    entry.kind === "prompt" ||
    entry.kind === "slash-command" ||
    (entry.kind === "unknown" && entry.subtype === INTERRUPTION)
  );
}

function isMark(record: JsonObject): boolean {
  return record.type === "system" && record.subtype === "compact_boundary";
}

/** Ids of the records from before the compaction that the client keeps in the agent's context. */
function keptRecords(mark: JsonObject | undefined): ReadonlySet<unknown> {
  const metadata = mark !== undefined && isObject(mark.compactMetadata) ? mark.compactMetadata : {};
  const kept = isObject(metadata.preservedMessages) ? metadata.preservedMessages.uuids : null;
  return new Set(isArray(kept) ? kept : []);
}

/** A file that the client put into the context itself; a mere reference to one shows nothing of it. */
function attachedFile(record: JsonObject): FileShown | null {
  const attachment = isObject(record.attachment) ? record.attachment : {};
  const path = stringAt(attachment, "filename");
  const { content } = attachment;
  if (attachment.type !== "file" || path === null || !isObject(content)) return null;
  return { path, cwd: stringAt(record, "cwd"), lines: linesShown({}, content), by: "client" };
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whether an object may begin here; a byte outside ASCII may be a mark of the encoding. */
function opensObject(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => !BLANKS.has(byte));
  return first === 0x7b || (first !== undefined && first >= 0x80);
}

function parse(bytes: Uint8Array): JsonObject | null {
  // A throw for each empty line would cost more than to read as many short rows.
  if (!opensObject(bytes)) return null;
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    // Half written, or not the client's: such a row says nothing.
    return null;
  }
}
