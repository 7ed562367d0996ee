import type { Activity } from "./activity.ts";

export interface CompactionLoop {
  /** One that is ending now included. */
  readonly compactions: number;
  /** From the first of them to the last record, or to where the one that is ending now began; rounded up. */
  readonly minutes: number;
}

const LOOP_COMPACTIONS = 3;
const LOOP_MINUTES = 10;

/**
 * Whether compaction follows compaction: three within ten minutes with no prompt by a person between them. The transcript
 * holds no mark of one that is `ending` now: it is added. Times are the records', never a clock's; `began` is when PreCompact
 * wrote something, where a person may have asked for it: /compact may be typed days after the last record.
 */
export function compactionLoop(
  activities: readonly Activity[],
  ending: { readonly began: string | null } | null,
): CompactionLoop | null {
  let last: number | null = null;
  const times: number[] = [];
  for (const activity of activities.toReversed()) {
    if (activity.sidechain) continue;
    const at = activity.timestamp === null ? Number.NaN : Date.parse(activity.timestamp);
    if (last === null && !Number.isNaN(at)) last = at;
    if (activity.kind === "prompt" || activity.kind === "slash-command") break;
    if (activity.kind === "compact-boundary" && !Number.isNaN(at)) times.push(at);
  }
  if (last === null) return null;
  const end = Math.max(last, Date.parse(ending?.began ?? "") || last);
  const recent = times.filter((time) => end - time <= LOOP_MINUTES * 60_000);
  const compactions = recent.length + (ending === null ? 0 : 1);
  const first = recent.at(-1);
  if (compactions < LOOP_COMPACTIONS || first === undefined) return null;
  return { compactions, minutes: Math.max(1, Math.ceil((end - first) / 60_000)) };
}
