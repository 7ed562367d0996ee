import { dayText } from "../base/moment.ts";
import { plural } from "../base/plural.ts";
import type { Compaction } from "./compactions.ts";
import { stateBadge } from "./fleet.ts";
import { fleetOrder } from "./fold.ts";
import { bytesText, countText, durationText, timeText } from "./format.ts";
import { type Child, foreign, h, type Markup } from "./html.ts";
import type { Model, Save } from "./model.ts";
import { type Column, dataTable, unknown } from "./table.ts";

const COMPACTION_COLUMNS: readonly Column[] = [
  { label: "Time" },
  { label: "Role" },
  { label: "From state" },
  { label: "Trigger" },
  { label: "Tokens before", number: true },
  { label: "Tokens after", number: true },
  { label: "Lasted", number: true },
  { label: "Outcome" },
];

/** Compactions, newest first; what only a transcript knows is unknown where there is none. */
export function compactionTable(model: Model): Markup {
  const rows = fleetOrder(model, ({ compactions }) => compactions).map(({ role, item, more }) =>
    item === null
      ? { role, ...more, cells: [more.day, role, foldedText(more.count, "compaction"), "", "", "", "", ""] }
      : { role, day: dayText(item.at), cells: [timeText(item.at), role, ...compactionCells(item)] },
  );
  return dataTable(
    "compaction-table",
    "Newest first. Tokens are what the client counted before and after.",
    COMPACTION_COLUMNS,
    rows,
  );
}

function compactionCells({ from, mark, lasted, outcome }: Compaction): readonly Child[] {
  return [
    from === "saved" ? stateBadge(from) : [stateBadge(from), " ", h("span", { class: "flag warn" }, "unsaved")],
    mark?.trigger == null ? unknown() : foreign(mark.trigger, 40),
    mark?.preTokens == null ? unknown() : countText(mark.preTokens),
    mark?.postTokens == null ? unknown() : countText(mark.postTokens),
    lasted === null ? unknown() : durationText(lasted),
    outcome,
  ];
}

const SAVE_COLUMNS: readonly Column[] = [
  { label: "Time" },
  { label: "Role" },
  { label: "Result" },
  { label: "Size", number: true },
  { label: "By" },
];

/** Saves that were tried, newest first, with the context file's size. */
export function saveTable(model: Model): Markup {
  const rows = fleetOrder(model, ({ saves }) => saves).map(({ role, item, more }) =>
    item === null
      ? { role, ...more, cells: [more.day, role, foldedText(more.count, "save"), "", ""] }
      : { role, day: dayText(item.at), cells: [timeText(item.at), role, ...saveCells(item)] },
  );
  return dataTable("save-table", "Newest first. Size is that of the context file.", SAVE_COLUMNS, rows);
}

function saveCells({ good, bytes, by }: Save): readonly Child[] {
  return [
    good ? h("span", { class: "flag good" }, "saved") : h("span", { class: "flag bad" }, "not valid"),
    good ? (bytes === null ? unknown() : bytesText(bytes)) : "",
    foreign(by, 80),
  ];
}

function foldedText(count: number, noun: string): Markup {
  return h("span", { class: "muted" }, `${plural(count, noun)} of this day, folded`);
}

const DURATION_COLUMNS: readonly Column[] = [
  { label: "Role" },
  { label: "State" },
  { label: "Stays", number: true },
  { label: "In all", number: true },
  { label: "Median stay", number: true },
  { label: "Longest stay", number: true },
];

/** How long each state lasted within the report's time. */
export function durationTable(model: Model): Markup {
  const rows = model.roles.flatMap(({ facts: { role }, durations }) =>
    durations.map(({ state, stays, total, median, longest }) => ({
      role,
      cells: [
        role,
        stateBadge(state),
        countText(stays),
        durationText(total),
        median === null ? h("span", { class: "muted" }, "not ended") : durationText(median),
        durationText(longest),
      ],
    })),
  );
  return dataTable(
    "duration-table",
    "A stay that has not ended counts in the sum, not in the median.",
    DURATION_COLUMNS,
    rows,
  );
}
