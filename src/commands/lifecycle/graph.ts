import { DAY_MS, parseDay, parseMoment } from "../../base/moment.ts";
import { plural } from "../../base/plural.ts";
import { quote } from "../../base/quote.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { machineGraph, mermaidDiagram } from "../../lifecycle/diagram.ts";
import { type Gantt, type GanttRow, ganttDiagram } from "../../lifecycle/gantt.ts";
import { clipIntervals, intervalsOf } from "../../lifecycle/intervals.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { listMachines, readMachine } from "../../stores/machine-store.ts";
import type { CommandContext } from "../command-context.ts";
import { folderUnreadable } from "../folder-unreadable.ts";
import { done, type Report, usage } from "../report.ts";
import { checkRole, forRole, noMachine } from "../role-argument.ts";
import { untimedNote } from "./graph-notes.ts";
import { machineReport } from "./machine-report.ts";
import { roleHistory } from "./role-history.ts";

export interface GraphInput {
  readonly role: string | undefined;
  readonly gantt: boolean;
  readonly day: string | undefined;
  readonly since: string | undefined;
}

/** `lifecycle.graph [role]`: the machine with the role's state marked, or what roles did in a day, as Mermaid. */
export async function lifecycleGraph(context: CommandContext, input: GraphInput): Promise<Report> {
  if (input.gantt) return gantt(context, input);
  if (input.day !== undefined || input.since !== undefined) {
    return usage("--day and --since say which time --gantt draws.", "Add --gantt.");
  }
  if (input.role === undefined && !context.env.HIVEMIND_ROLE) return graph(null, null);
  return forRole(context, input.role, (role) => {
    const machine = readMachine(context.paths, role);
    if (!machine.ok) return machineReport(context, role, machine.error);
    if (machine.value === null) return noMachine(context, role);
    return graph(role, machine.value.record.state);
  });
}

function graph(role: RoleName | null, state: Parameters<typeof mermaidDiagram>[0]): Report {
  const text = mermaidDiagram(state);
  const { nodes, edges } = machineGraph();
  const marked = nodes.map((node) => ({ ...node, current: node.id === state }));
  return done(text, { role, state, nodes: marked, edges, mermaid: text });
}

interface Window {
  readonly from: number;
  readonly to: number;
}

function gantt(context: CommandContext, input: GraphInput): Report {
  const window = windowOf(input, context.now().getTime());
  if (!window.ok) return window.error;
  const roles = rolesOf(context, input.role);
  if (!roles.ok) return roles.error;
  const { from, to } = window.value;
  const notes: string[] = [];
  const rows: GanttRow[] = [];
  for (const role of roles.value) {
    const history = roleHistory(context, role);
    if (!history.ok) {
      if (input.role !== undefined) return history.error;
      notes.push(history.error.problem.message);
      continue;
    }
    notes.push(...history.value.notes);
    const { intervals, untimed } = intervalsOf(history.value.entries, context.now().getTime());
    if (untimed > 0) notes.push(untimedNote(role, untimed));
    rows.push({ role, intervals });
  }
  const chart = ganttDiagram(rows, from, to);
  if (chart.omitted > 0) notes.push(omittedNote(chart));
  const text = chart.text ?? "No role was in a state for long enough to be drawn in this time.\n";
  return done(text, ganttData(rows, window.value, chart), notes);
}

function ganttData(rows: readonly GanttRow[], { from, to }: Window, chart: Gantt): Record<string, unknown> {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    roles: rows.map(({ role, intervals }) => ({
      role,
      intervals: clipIntervals(intervals, from, to).map((interval) => ({
        ...interval,
        from: new Date(interval.from).toISOString(),
        to: new Date(interval.to).toISOString(),
      })),
    })),
    omitted: chart.omitted,
    mermaid: chart.text,
  };
}

/** A day, the time since, or the last 24 hours; never what lies ahead. */
function windowOf({ day, since }: GraphInput, now: number): Result<Window, Report> {
  if (day !== undefined && since !== undefined)
    return err(usage("--day and --since exclude each other.", "Name one of them."));
  if (day !== undefined) {
    const from = parseDay(day);
    if (from === null) return err(usage(`--day ${quote(day)} is no day.`, "Write it as 2026-02-03; days are of UTC."));
    if (from >= now) return err(usage(`--day ${quote(day)} has not begun yet.`, "Name a day of the past."));
    return ok({ from, to: Math.min(from + DAY_MS, now) });
  }
  const from = parseMoment(since ?? "24h", now);
  if (!from.ok) return err(usage(`--since ${quote(since ?? "")}: ${from.error}.`));
  if (from.value >= now) return err(usage(`--since ${quote(since ?? "")} lies ahead.`, "Name a time of the past."));
  return ok({ from: from.value, to: now });
}

function rolesOf(context: CommandContext, name: string | undefined): Result<readonly RoleName[], Report> {
  if (name !== undefined) {
    const role = checkRole(context, name);
    return role.ok ? ok([role.value]) : role;
  }
  const listed = listMachines(context.paths);
  return listed.ok ? listed : err(folderUnreadable(context.paths, listed.error));
}

function omittedNote({ omitted, shortest }: Gantt): string {
  const seconds = Math.ceil(shortest / 1000);
  return `${plural(omitted, "interval")} shorter than ${seconds} s ${omitted === 1 ? "is" : "are"} too short to be drawn; --json lists them.`;
}
