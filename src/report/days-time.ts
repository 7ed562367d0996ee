import { DAY_MS } from "../base/moment.ts";
import type { Interval } from "../lifecycle/intervals.ts";
import type { LifecycleState } from "../lifecycle/states.ts";

/** Milliseconds in each state, for each of the days that follow each other. A state that was not entered is not in it. */
export function daysTime(
  intervals: readonly Interval[],
  days: readonly number[],
): readonly ReadonlyMap<LifecycleState | "unknown", number>[] {
  const times = days.map(() => new Map<LifecycleState | "unknown", number>());
  const [start] = days;
  if (start === undefined) return times;
  for (const { state, from, to } of intervals) {
    for (let index = Math.floor((from - start) / DAY_MS); start + index * DAY_MS < to; index++) {
      const time = times[index];
      const name = state ?? "unknown";
      const day = start + index * DAY_MS;
      time?.set(name, (time.get(name) ?? 0) + Math.min(to, day + DAY_MS) - Math.max(from, day));
    }
  }
  return times;
}
