import { parseTime } from "../base/moment.ts";
import type { HistoryEntry } from "./advance.ts";
import type { LifecycleEventType, LifecycleState } from "./states.ts";

/** A time that a role spent in one state, in milliseconds since the epoch. */
export interface Interval {
  /** Null where the history does not say: a line is lost, or the machine began anew in between. */
  readonly state: LifecycleState | null;
  readonly from: number;
  readonly to: number;
  /** It had not ended at the time that was asked about. */
  readonly open: boolean;
  /** The event that began it, and who sent it. */
  readonly event: LifecycleEventType;
  readonly by: string;
}

export interface Intervals {
  /** Oldest first; each begins where the one before ends. Of an instant's length where two events came at once. */
  readonly intervals: readonly Interval[];
  /** Transitions whose time is none: they are left out. */
  readonly untimed: number;
}

/** A transition with its time in milliseconds since the epoch. */
export interface TimedEntry {
  readonly at: number;
  readonly entry: HistoryEntry;
}

/**
 * The transitions up to `until` with their times. A clock that went backwards does not reorder them: the revision is the
 * order, and a transition counts as made when the one before it was.
 */
export function timedEntries(
  entries: readonly HistoryEntry[],
  until: number,
): { readonly timed: readonly TimedEntry[]; readonly untimed: number } {
  const timed: TimedEntry[] = [];
  let untimed = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    const at = parseTime(entry.at);
    if (at === null) {
      untimed += 1;
      continue;
    }
    if (at > until) continue;
    last = Math.max(last, at);
    timed.push({ at: last, entry });
  }
  return { timed, untimed };
}

/** How long a role was in which state, up to `until`. What was before the first transition is not known. */
export function intervalsOf(entries: readonly HistoryEntry[], until: number): Intervals {
  const { timed, untimed } = timedEntries(entries, until);
  const intervals: Interval[] = [];
  for (const [index, { at, entry }] of timed.entries()) {
    const next = timed[index + 1];
    const state = next === undefined || next.entry.from === entry.to ? entry.to : null;
    const interval = { state, from: at, to: next?.at ?? until, open: next === undefined };
    const before = intervals.at(-1);
    // A save that is tried again goes on: it is one stay in `saving`.
    if (state !== null && before?.state === state) {
      intervals[intervals.length - 1] = { ...before, to: interval.to, open: interval.open };
    } else intervals.push({ ...interval, event: entry.event, by: entry.by });
  }
  return { intervals, untimed };
}

/** The parts of intervals that lie within a window. */
export function clipIntervals(intervals: readonly Interval[], from: number, to: number): readonly Interval[] {
  return intervals
    .filter((interval) => interval.to > from && interval.from < to)
    .map((interval) => ({
      ...interval,
      from: Math.max(from, interval.from),
      to: Math.min(to, interval.to),
      open: interval.open && interval.to <= to,
    }));
}
