import type { HistoryEntry } from "../../src/lifecycle/advance.ts";
import type { LifecycleEventType, LifecycleState } from "../../src/lifecycle/states.ts";

/** One transition as a test writes it down: when, by what event, and where it led. */
export type Step = readonly [at: string, event: LifecycleEventType, to: LifecycleState, more?: Partial<HistoryEntry>];

/** Transitions one after the other, from `active`. */
export function historyOf(steps: readonly Step[]): HistoryEntry[] {
  let from: LifecycleState = "active";
  return steps.map(([at, event, to, more], index) => {
    const entry = { revision: index + 1, at, event, from, to, by: "test", session_id: null, ...more };
    from = to;
    return entry;
  });
}

export function historyText(entries: readonly HistoryEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** A day's work: two saves, one of them tried twice, and a compaction. */
export const DAY: readonly Step[] = [
  ["2026-02-03T08:00:00.000Z", "SAVE", "saving"],
  ["2026-02-03T08:00:00.000Z", "CONTEXT_INVALID", "saving"],
  ["2026-02-03T09:00:00.000Z", "SAVE", "saving"],
  ["2026-02-03T09:00:00.000Z", "CONTEXT_VALID", "saved"],
  ["2026-02-03T12:00:00.000Z", "COMPACT", "compacting"],
  ["2026-02-03T12:30:00.000Z", "COMPACTED", "recovering"],
  ["2026-02-03T13:00:00.000Z", "RECOVERED", "active"],
];
