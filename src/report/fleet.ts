import { plural } from "../base/plural.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";
import { bytesText, durationText, timeText } from "./format.ts";
import { type Child, foreign, h, type Markup } from "./html.ts";
import type { Model, RoleReport } from "./model.ts";
import { type Column, dataTable, unknown } from "./table.ts";

const COLUMNS: readonly Column[] = [
  { label: "Role" },
  { label: "State" },
  { label: "Since" },
  { label: "Context file" },
  { label: "Last good save" },
  { label: "Owner" },
  { label: "Compactions", number: true },
];

/** Where each role stands. */
export function fleetTable(model: Model): Markup {
  const rows = model.roles.map((role) => ({ role: role.facts.role, cells: cells(role, model.now) }));
  return dataTable("fleet-table", "State, context file and owner of each role", COLUMNS, rows);
}

function cells(report: RoleReport, now: number): readonly Child[] {
  const { record, problem, role } = report.facts;
  return [
    role,
    stateCell(report),
    record?.since == null ? dash() : sinceCell(Date.parse(record.since), now),
    contextCell(report),
    record === null ? dash() : savedCell(record),
    record === null ? dash() : ownerCell(record),
    record === null ? (problem === null ? dash() : unknown()) : compactionsCell(record.compactions, record.unsaved),
  ];
}

function stateCell({ facts, stuck }: RoleReport): Child {
  if (facts.record === null) {
    return facts.problem === null
      ? h("span", { class: "muted" }, "no machine")
      : [h("span", { class: "flag bad" }, "unreadable"), h("span", { class: "sub" }, foreign(facts.problem, 200))];
  }
  const { state } = facts.record;
  return [stateBadge(state), stuck ? [" ", h("span", { class: "flag bad" }, "stuck")] : null];
}

/** A state's name with its colour beside it. */
export function stateBadge(state: string): Markup {
  return h("span", { class: "state" }, h("span", { class: `swatch swatch-${state}`, "aria-hidden": "true" }), state);
}

function sinceCell(since: number, now: number): Child {
  if (Number.isNaN(since)) return dash();
  return [timeText(since), h("span", { class: "sub" }, `for ${durationText(Math.max(0, now - since))}`)];
}

function contextCell({ facts: { context } }: RoleReport): Child {
  const { health, errors, changedSinceSave, bytes } = context;
  const size = bytes === null ? null : h("span", { class: "sub" }, bytesText(bytes));
  switch (health) {
    case "valid":
      return [
        h(
          "span",
          { class: changedSinceSave ? "flag warn" : "flag good" },
          changedSinceSave ? "changed since save" : "valid",
        ),
        size,
      ];
    case "invalid":
      return [h("span", { class: "flag bad" }, plural(errors, "error")), size];
    case "missing":
    case "unreadable":
      return [h("span", { class: "flag bad" }, health), size];
    default:
      return health satisfies never;
  }
}

function savedCell(record: MachineRecord): Child {
  if (record.savedAt === null) return h("span", { class: "muted" }, "none");
  const where = [record.branch, record.commit?.slice(0, 12) ?? null].flatMap((part) => part ?? []).join(" @ ");
  const at = Date.parse(record.savedAt);
  return [
    Number.isNaN(at) ? foreign(record.savedAt) : timeText(at),
    where === "" ? null : h("span", { class: "sub" }, foreign(where)),
  ];
}

function ownerCell(record: MachineRecord): Child {
  if (record.sessionId === null) return h("span", { class: "muted" }, "nobody yet");
  return h("code", {}, foreign(record.sessionId, 40));
}

function compactionsCell(count: number, unsaved: boolean): Child {
  return [count, unsaved ? h("span", { class: "sub" }, h("span", { class: "flag warn" }, "last unsaved")) : null];
}

function dash(): Markup {
  return h("span", { class: "muted" }, "–");
}
