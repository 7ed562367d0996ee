import type { Interval } from "../lifecycle/intervals.ts";
import { LIFECYCLE_STATES, type LifecycleState } from "../lifecycle/states.ts";
import { median } from "./format.ts";

/** How long a role stayed in a state; milliseconds. */
export interface StateDuration {
  readonly state: LifecycleState;
  readonly stays: number;
  readonly total: number;
  readonly longest: number;
  /** Of stays that have ended; null where none has. */
  readonly median: number | null;
}

/** For each state that a role was in, how often and how long. */
export function durationsOf(intervals: readonly Interval[]): readonly StateDuration[] {
  return LIFECYCLE_STATES.flatMap((state) => {
    const stays = intervals.filter((interval) => interval.state === state);
    if (stays.length === 0) return [];
    const lengths = stays.map(({ from, to }) => to - from);
    const ended = stays.filter(({ open }) => !open).map(({ from, to }) => to - from);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    return [{ state, stays: stays.length, total, longest, median: median(ended) }];
  });
}
