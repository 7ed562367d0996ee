import { isObject, parseJson, stringAt } from "../base/json-value.ts";

/** What the client wrote down of one compaction, in its transcript. Null for what a version of it does not say. */
export interface CompactionMark {
  /** ISO 8601. */
  readonly at: string | null;
  readonly trigger: string | null;
  /** Tokens of the conversation before the compaction, and after it (2.0.76 does not say that). */
  readonly preTokens: number | null;
  readonly postTokens: number | null;
  readonly durationMs: number | null;
}

/** What a row of a transcript that is such a mark holds: nothing else has to be looked at. */
export const COMPACTION_NEEDLE = '"compact_boundary"';

/** The mark in a transcript's row; null where the row is none, such as one that only quotes it. */
export function compactionMark(row: string): CompactionMark | null {
  const record = parseJson(row);
  if (!isObject(record) || record.type !== "system" || record.subtype !== "compact_boundary") return null;
  if (record.isSidechain === true) return null;
  const metadata = isObject(record.compactMetadata) ? record.compactMetadata : {};
  return {
    at: stringAt(record, "timestamp"),
    trigger: stringAt(metadata, "trigger"),
    preTokens: count(metadata.preTokens),
    postTokens: count(metadata.postTokens),
    durationMs: count(metadata.durationMs),
  };
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}
