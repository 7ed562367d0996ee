import { dayText } from "../base/moment.ts";
import { clipIntervals, type Interval } from "./intervals.ts";
import type { RoleName } from "./role.ts";
import type { LifecycleState } from "./states.ts";

export interface GanttRow {
  readonly role: RoleName;
  readonly intervals: readonly Interval[];
}

export interface Gantt {
  /** Null where no role was in a known state for long enough to be seen. */
  readonly text: string | null;
  /** Intervals that are too short to be seen, and the milliseconds that make one long enough. */
  readonly omitted: number;
  readonly shortest: number;
}

/** Mermaid's own marks of a task, as colours; the bar's name says the state. */
const TAGS = {
  active: "active, ",
  saving: "",
  saved: "done, ",
  compacting: "crit, ",
  recovering: "crit, active, ",
} satisfies Record<LifecycleState, string>;

/** Below a three hundredth of the width a bar is two pixels wide, and its name covers its neighbours'. */
const SHARE = 300;
/** Mermaid refuses a text of more than 50 000 characters; a line of ours has about 110. */
const MOST_TASKS = 400;

/** What roles did from `from` to `to` (milliseconds since the epoch) as a Mermaid Gantt chart, one section a role. */
export function ganttDiagram(rows: readonly GanttRow[], from: number, to: number): Gantt {
  const clipped = rows.map((row) => ({
    role: row.role,
    intervals: clipIntervals(row.intervals, from, to).filter(known),
  }));
  const all = clipped.flatMap(({ intervals }) => intervals);
  let shortest = Math.ceil((to - from) / SHARE);
  const long = (interval: Known): boolean => interval.to - interval.from >= shortest;
  while (all.filter(long).length > MOST_TASKS) shortest *= 2;
  const omitted = all.filter((interval) => !long(interval)).length;
  if (omitted === all.length) return { text: null, omitted, shortest };
  const days = dayText(from) === dayText(to - 1) ? dayText(from) : `${dayText(from)} to ${dayText(to - 1)}`;
  const lines = [
    "---",
    "displayMode: compact",
    "---",
    "gantt",
    `    title Lifecycle, ${days} (UTC)`,
    "    dateFormat YYYY-MM-DD HH:mm:ss.SSS",
    `    axisFormat ${to - from > 2 * 86_400_000 ? "%m-%d %H:%M" : "%H:%M"}`,
  ];
  let task = 0;
  for (const { role, intervals } of clipped) {
    const drawn = intervals.filter(long);
    if (drawn.length === 0) continue;
    lines.push(`    section ${role}`);
    for (const interval of drawn) {
      task += 1;
      const { state } = interval;
      lines.push(`    ${state} :${TAGS[state]}t${task}, ${ganttTime(interval.from)}, ${ganttTime(interval.to)}`);
    }
  }
  return { text: `${lines.join("\n")}\n`, omitted, shortest };
}

type Known = Interval & { readonly state: LifecycleState };

function known(interval: Interval): interval is Known {
  return interval.state !== null;
}

/** Without a zone: Mermaid reads and draws it as it stands, wherever the reader lives. */
function ganttTime(at: number): string {
  return new Date(at).toISOString().replace("T", " ").slice(0, 23);
}
