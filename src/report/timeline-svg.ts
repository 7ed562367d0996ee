import { DAY_MS, dayText, startOfDay } from "../base/moment.ts";
import { daySlots, type SlotRun } from "./day-slots.ts";
import { h, type Markup } from "./html.ts";
import type { RoleReport } from "./model.ts";

/** In the units of the drawing; the page scales it to its width. */
const WIDTH = 1000;
const AXIS = 40;
const HOUR = 5;
const PLOT = 24 * HOUR;
const HEIGHT = PLOT + 34;
const TOP = 8;
/** Beyond two months a day is too narrow for quarters of an hour to be told apart. */
const FINE_DAYS = 60;
const WIDEST_COLUMN = 96;
const LABEL_ROOM = 52;

/** A role's days as columns, midnight at the top: each stretch in its state's colour, a tick for each compaction. */
export function timelineSvg(role: RoleReport, days: readonly number[], id: string): Markup {
  const { role: name } = role.facts;
  const column = Math.min(WIDEST_COLUMN, (WIDTH - AXIS) / Math.max(1, days.length));
  const gap = Math.min(3, column * 0.15);
  const slots = days.length > FINE_DAYS ? 24 : 96;
  const runs = daySlots(role.intervals, days, slots);
  const [first = 0] = days;
  const last = days.at(-1) ?? first;
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": `${id}-title ${id}-desc`, class: "timeline" },
    h("title", { id: `${id}-title` }, `${name}, ${dayText(first)} to ${dayText(last)}`),
    h("desc", { id: `${id}-desc` }, `One column a day of UTC, midnight at the top. The table below holds the same.`),
    [0, 6, 12, 18, 24].map((hour) => hourLine(hour, AXIS + column * days.length - gap)),
    days.map((day, index) => {
      const x = AXIS + index * column;
      return h(
        "g",
        {},
        h("rect", { class: "track", x: round(x), y: TOP, width: round(column - gap), height: PLOT, rx: 2 }),
        (runs[index] ?? []).map((run) => runRect(run, day, slots, x, column - gap)),
        ticks(role, day).map((y) =>
          h("line", { class: "tick", x1: round(x - 1), x2: round(x + column - gap + 1), y1: round(y), y2: round(y) }),
        ),
      );
    }),
    dayLabels(days, column, gap),
  );
}

function hourLine(hour: number, right: number): Markup {
  const y = TOP + hour * HOUR;
  return h(
    "g",
    {},
    h("line", { class: "grid", x1: AXIS - 4, x2: round(right), y1: y, y2: y }),
    h("text", { class: "axis", x: AXIS - 8, y: y + 3.5, "text-anchor": "end" }, `${String(hour).padStart(2, "0")}`),
  );
}

function runRect(run: SlotRun, day: number, slots: number, x: number, width: number): Markup {
  const unit = PLOT / slots;
  const clock = (slot: number): string =>
    slot === slots ? "24:00" : new Date(day + (slot * DAY_MS) / slots).toISOString().slice(11, 16);
  return h(
    "rect",
    {
      class: `fill-${run.state}`,
      x: round(x),
      y: round(TOP + run.first * unit),
      width: round(width),
      height: round((run.end - run.first) * unit),
    },
    h("title", {}, `${dayText(day)} ${clock(run.first)}–${clock(run.end)} ${run.state}`),
  );
}

/** Heights of the day's compactions; those that would lie on each other are drawn once. */
function ticks(role: RoleReport, day: number): readonly number[] {
  const heights = new Set<number>();
  for (const { at } of role.compactions) {
    if (startOfDay(at) === day) heights.add(Math.round(TOP + ((at - day) / DAY_MS) * PLOT));
  }
  return [...heights];
}

function dayLabels(days: readonly number[], column: number, gap: number): readonly Markup[] {
  const step = Math.ceil(LABEL_ROOM / column);
  return days.flatMap((day, index) => {
    // Counted from the newest day, which is the one that is looked for.
    if ((days.length - 1 - index) % step !== 0) return [];
    const x = AXIS + index * column + (column - gap) / 2;
    return [
      h("text", { class: "axis", x: round(x), y: TOP + PLOT + 18, "text-anchor": "middle" }, dayText(day).slice(5)),
    ];
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
