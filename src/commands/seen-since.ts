import type { Seen } from "../gate/decide.ts";
import { fileKeys } from "../stores/gate-keys.ts";
import { readSinceCompaction } from "../stores/gate-transcript.ts";
import type { CommandContext } from "./command-context.ts";

export interface SeenSince extends Seen {
  /** The transcript holds the compaction's mark. */
  readonly compacted: boolean;
  readonly subAgentInFlight: boolean;
}

/** What a transcript tells of the time since a compaction, files under their keys; null where it cannot be read. */
export function seenSince(
  context: CommandContext,
  transcript: string,
  from: number | null,
  reach: "window" | "whole",
): SeenSince | null {
  const read = readSinceCompaction(transcript, from, reach);
  if (!read.ok) return null;
  const keyOf = fileKeys(context.paths, context.env);
  const { shown, ...rest } = read.value;
  return {
    ...rest,
    shown: shown.map(({ path, cwd, lines, by }) => ({ path: keyOf(path, cwd), lines, by })),
  };
}
