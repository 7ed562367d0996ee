import { DAY_MS } from "../base/moment.ts";
import type { Interval } from "../lifecycle/intervals.ts";
import type { LifecycleState } from "../lifecycle/states.ts";

/** Slots of a day that lie one after the other in the same state; `first` and `end` count slots from midnight. */
export interface SlotRun {
  readonly state: LifecycleState | "unknown";
  readonly first: number;
  readonly end: number;
}

/**
 * A role's time folded into equal slots of each day, so that ten thousand transitions are drawn as few shapes: a slot
 * shows the state that filled most of it. A slot of which nothing is known is in no run.
 */
export function daySlots(
  intervals: readonly Interval[],
  days: readonly number[],
  slotsOfDay: number,
): readonly (readonly SlotRun[])[] {
  const [start] = days;
  if (start === undefined) return [];
  const slot = DAY_MS / slotsOfDay;
  const most: { state: SlotRun["state"]; ms: number }[] = [];
  // The sums of the slot that is being filled; intervals come in order, so only the last one is open.
  let at = -1;
  let sums = new Map<SlotRun["state"], number>();
  for (const { state, from, to } of intervals) {
    for (let index = Math.floor((from - start) / slot); start + index * slot < to; index++) {
      if (index !== at) [at, sums] = [index, new Map()];
      const name = state ?? "unknown";
      const ms =
        (sums.get(name) ?? 0) + Math.min(to, start + (index + 1) * slot) - Math.max(from, start + index * slot);
      sums.set(name, ms);
      if (ms > (most[index]?.ms ?? 0)) most[index] = { state: name, ms };
    }
  }
  return days.map((_, day) => runsOf(most.slice(day * slotsOfDay, (day + 1) * slotsOfDay), slotsOfDay));
}

function runsOf(slots: readonly ({ state: SlotRun["state"] } | undefined)[], count: number): SlotRun[] {
  const runs: SlotRun[] = [];
  for (let index = 0; index < count; index++) {
    const state = slots[index]?.state;
    const last = runs.at(-1);
    if (state === undefined) continue;
    if (last !== undefined && last.end === index && last.state === state)
      runs[runs.length - 1] = { ...last, end: index + 1 };
    else runs.push({ state, first: index, end: index + 1 });
  }
  return runs;
}
