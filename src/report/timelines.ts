import { dayText, startOfDay } from "../base/moment.ts";
import { plural } from "../base/plural.ts";
import { LIFECYCLE_STATES } from "../lifecycle/states.ts";
import { daysTime } from "./days-time.ts";
import { stateBadge } from "./fleet.ts";
import { durationText } from "./format.ts";
import { h, type Markup } from "./html.ts";
import type { Model, RoleReport } from "./model.ts";
import { type Column, dataTable } from "./table.ts";
import { timelineSvg } from "./timeline-svg.ts";

/** One article a role: its days as a drawing, and the same as a table. */
export function timelines(model: Model): readonly Markup[] {
  return model.roles.map((report) => article(report, model));
}

/** What the colours stand for. */
export function legend(): Markup {
  return h(
    "ul",
    { class: "legend", "aria-label": "Colours of the timelines" },
    [...LIFECYCLE_STATES, "unknown"].map((state) => h("li", {}, stateBadge(state))),
    h("li", {}, h("span", { class: "state" }, h("span", { class: "tick-mark", "aria-hidden": "true" }), "compaction")),
  );
}

function article(report: RoleReport, model: Model): Markup {
  const { role, broken } = report.facts;
  const id = `timeline-${role}`;
  const lost = broken + report.untimed;
  const gaps =
    lost === 0
      ? null
      : h(
          "p",
          { class: "note" },
          `${plural(lost, "line")} of the history could not be read and ${lost === 1 ? "is" : "are"} left out.`,
        );
  const empty = report.intervals.length === 0;
  return h(
    "article",
    { "data-role": role, "aria-labelledby": `${id}-heading`, class: "card" },
    h("h3", { id: `${id}-heading` }, role),
    gaps,
    empty
      ? h("p", { class: "muted" }, "No transition is known in this time.")
      : h(
          "div",
          { class: "overview" },
          timelineSvg(report, model.days, id),
          h("details", {}, h("summary", {}, `${role} as a table`), dayTable(report, model, id)),
        ),
    h("div", { class: "day", hidden: true }),
  );
}

const COLUMNS: readonly Column[] = [
  { label: "Day" },
  ...[...LIFECYCLE_STATES, "unknown"].map((label) => ({ label, number: true }) as const),
  { label: "compactions", number: true },
  { label: "good saves", number: true },
];

function dayTable(report: RoleReport, model: Model, id: string): Markup {
  const times = daysTime(report.intervals, model.days);
  const rows = model.days.flatMap((day, index) => {
    const time = times[index];
    if (time === undefined || time.size === 0) return [];
    const ofDay = ({ at }: { readonly at: number }): boolean => startOfDay(at) === day;
    const spent = [...LIFECYCLE_STATES, "unknown" as const].map((state) => {
      const ms = time.get(state);
      return ms === undefined ? "" : durationText(ms);
    });
    const saves = report.saves.filter((save) => save.good && ofDay(save)).length;
    return [{ day: dayText(day), cells: [dayText(day), ...spent, report.compactions.filter(ofDay).length, saves] }];
  });
  return dataTable(`${id}-table`, `${report.facts.role}: time in each state, by day`, COLUMNS, rows.reverse());
}
