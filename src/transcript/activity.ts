import type { JsonObject } from "../base/json-value.ts";
import { merged } from "../base/merged.ts";
import { type Entry, type EntryBody, type EntryOrigin, INTERRUPTION } from "./entry.ts";
import type { ResultNote } from "./result-note.ts";

/** `in-flight`: no result yet. At an automatic compaction the last results are often not written yet. */
export type Outcome = "ok" | "failed" | "in-flight";

export interface ToolCall {
  readonly kind: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly outcome: Outcome;
  /** What the result says; empty while there is none. */
  readonly result: string;
  readonly note: ResultNote | null;
  /** The row of the record that brought the result; null while there is none. */
  readonly answeredAt: number | null;
}

/** The person stopped the agent. */
export interface Interruption {
  readonly kind: "interruption";
}

/** A thing that happened, in the order in which the client wrote it down. */
export type Activity = EntryOrigin &
  (ToolCall | Interruption | Exclude<EntryBody, { readonly kind: "tool-use" | "tool-result" | "unknown" }>);

/** A call of which no more is known than that it was made. */
const BEGUN = { kind: "tool-call", outcome: "in-flight", result: "", note: null, answeredAt: null } as const;

/**
 * Tool calls joined with their results, beside prompts, commands, texts and compactions. Results may come in any order;
 * one without a call is ignored, and of two calls with the same id the nearest earlier one gets the result. A record that
 * is written again, with the `uuid` that it had, counts once.
 */
export function activitiesOf(entries: readonly Entry[]): readonly Activity[] {
  const activities: Activity[] = [];
  const open = new Map<string, number>();
  const rows = new Map<string, number>();
  for (const entry of entries) {
    if (entry.uuid !== null) {
      const row = rows.get(entry.uuid) ?? entry.row;
      if (row !== entry.row) continue;
      rows.set(entry.uuid, row);
    }
    switch (entry.kind) {
      case "tool-use": {
        open.set(entry.id, activities.length);
        activities.push(merged(entry, BEGUN));
        break;
      }
      case "tool-result": {
        const at = open.get(entry.toolUseId);
        const call = at === undefined ? undefined : activities[at];
        if (at === undefined || call?.kind !== "tool-call") break;
        activities[at] = merged(call, {
          outcome: entry.isError ? "failed" : "ok",
          result: entry.text,
          note: entry.note,
          answeredAt: entry.row,
        });
        open.delete(entry.toolUseId);
        break;
      }
      case "unknown":
        if (entry.subtype === INTERRUPTION) activities.push({ ...originOf(entry), kind: "interruption" });
        break;
      case "prompt":
      case "slash-command":
      case "assistant-text":
      case "compact-boundary":
      case "compact-summary":
      case "task-notification":
        activities.push(entry);
        break;
      default:
        entry satisfies never;
    }
  }
  return activities;
}

function originOf({ row, sidechain, cwd, timestamp, uuid, sessionId, gitBranch }: EntryOrigin): EntryOrigin {
  return { row, sidechain, cwd, timestamp, uuid, sessionId, gitBranch };
}
