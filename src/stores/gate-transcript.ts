import { ok, type Result } from "../base/result.ts";
import { isGateRow, readSince, type SinceCompaction } from "../gate/session-rows.ts";
import { type TailError, tailLines } from "../platform/tail.ts";
import { TRANSCRIPT_WHOLE, TRANSCRIPT_WINDOW } from "../transcript/row.ts";

/** What a transcript tells of the time since the compaction that ended when it was `from` bytes long; null: since its last mark. */
export function readSinceCompaction(
  path: string,
  from: number | null,
  reach: "window" | "whole",
): Result<SinceCompaction, TailError> {
  const limits = reach === "window" ? TRANSCRIPT_WINDOW : TRANSCRIPT_WHOLE;
  const tail = tailLines(path, { ...limits, keep: isGateRow });
  if (!tail.ok) return tail;
  const rows = tail.value.lines.map(({ text, offset }) => ({
    bytes: Buffer.from(text, "latin1"),
    earlier: from !== null && offset < from,
  }));
  return ok(readSince(rows, from !== null));
}
