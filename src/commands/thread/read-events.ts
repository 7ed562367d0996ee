import { parseJson } from "../../base/json-value.ts";
import { plural } from "../../base/plural.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { AgentEvent } from "../../thread/event.ts";
import { parseAgentEvent } from "../../thread/parse-event.ts";
import { activitiesOf } from "../../transcript/activity.ts";
import type { Entry } from "../../transcript/entry.ts";
import { readRows, rowsOfText } from "../../transcript/row.ts";
import { NO_RECORDS } from "../open-transcript.ts";
import { type ToolResult, type TranscriptEvents, transcriptEvents } from "./transcript-events.ts";

export interface ReadEvents extends TranscriptEvents {
  /** What was passed over, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * The events in a text: a JSON array of agent events, such events a line, or a client's transcript. Which of them it is
 * shows in its beginning: only an agent's event says its iteration.
 */
export function readEvents(text: string): Result<ReadEvents, string> {
  const trimmed = text.replace(/^\uFEFF/, "").trimStart();
  if (trimmed.startsWith("[")) return fromArray(trimmed);
  const [first = ""] = trimmed.split("\n", 1);
  return saysIteration(first) ? fromLines(trimmed) : fromTranscript(trimmed);
}

function fromArray(text: string): Result<ReadEvents, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return err(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(value)) return err("is no JSON array of events");
  const events: AgentEvent[] = [];
  for (const [index, item] of value.entries()) {
    const event = parseAgentEvent(item);
    if (!event.ok) return err(`holds no event at position ${index}: ${event.error}`);
    events.push(event.value);
  }
  return ok({ events, beforeCompaction: 0, notes: [] });
}

function fromLines(text: string): Result<ReadEvents, string> {
  const lines = text.split("\n");
  const events: AgentEvent[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const value = parseJson(line);
    // The last line of a log whose writer was killed is half an event: what is whole counts.
    if (value === undefined && index === lines.length - 1) {
      return ok({ events, beforeCompaction: 0, notes: ["Passed over: a last line that was still being written."] });
    }
    const event = parseAgentEvent(value);
    if (!event.ok) return err(`holds no event in line ${index + 1}: ${event.error}`);
    events.push(event.value);
  }
  return ok({ events, beforeCompaction: 0, notes: [] });
}

function fromTranscript(text: string): Result<ReadEvents, string> {
  const rows = rowsOfText(text);
  const { entries, broken, partial } = readRows(rows);
  if (broken > 0 && broken + partial === rows.length) {
    return err(noRows(rows.length));
  }
  const activities = activitiesOf(entries);
  const orphans = resultsWithoutCall(entries);
  const isTold = activities.length + orphans.length > 0;
  const notes = [
    ...(broken === 0 ? [] : [`Passed over: ${plural(broken, "broken row")}.`]),
    // Every session that goes on has one; it is told where there is nothing else.
    ...(partial === 0 || isTold ? [] : ["Passed over: a last row that was still being written."]),
    ...(!isTold && (rows.length > partial || rows.length === 0) ? [NO_RECORDS] : []),
  ];
  return ok({ ...transcriptEvents(activities, orphans), notes });
}

/** Results whose calls stand nowhere: their rows are broken, or were cut off. A record that is written again counts once. */
function resultsWithoutCall(entries: readonly Entry[]): readonly ToolResult[] {
  const calls = new Set(entries.flatMap((entry) => (entry.kind === "tool-use" ? [entry.id] : [])));
  const rows = new Map<string, number>();
  return entries.flatMap((entry) => {
    if (entry.kind !== "tool-result" || calls.has(entry.toolUseId)) return [];
    const first = entry.uuid === null ? entry.row : (rows.get(entry.uuid) ?? entry.row);
    if (entry.uuid !== null) rows.set(entry.uuid, first);
    return first === entry.row ? [entry] : [];
  });
}

/** What is said of a file of so many rows of which not one is a record, as the end of a sentence. */
export function noRows(rows: number): string {
  return `holds neither events nor a transcript: none of its ${plural(rows, "row")} is a JSON object`;
}

function saysIteration(line: string): boolean {
  const value = parseJson(line);
  return typeof value === "object" && value !== null && "iteration" in value && "type" in value;
}
