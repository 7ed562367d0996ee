import { ok, type Result } from "../base/result.ts";
import { isGateRow, readSince, type SinceCompaction } from "../gate/session-rows.ts";
import { type TailError, tailLines } from "../platform/tail.ts";
import { TRANSCRIPT_WINDOW } from "../transcript/row.ts";

/** A check that a person waits for may read all since a compaction. */
const WHOLE = {
  maxLines: 1_000_000,
  maxBytes: 64 * 1024 * 1024,
  maxLineBytes: 16 * 1024 * 1024,
  maxScanBytes: 4 * 1024 * 1024 * 1024,
} as const;

/** What a transcript tells of the time since the compaction that ended when it was `from` bytes long; null: since its last mark. */
export function readSinceCompaction(
  path: string,
  from: number | null,
  reach: "window" | "whole",
): Result<SinceCompaction, TailError> {
  const limits = reach === "window" ? TRANSCRIPT_WINDOW : WHOLE;
  const tail = tailLines(path, { ...limits, keep: isGateRow });
  if (!tail.ok) return tail;
  const rows = tail.value.lines.map(({ bytes, offset }) => ({ bytes, earlier: from !== null && offset < from }));
  return ok(readSince(rows, from !== null));
}
