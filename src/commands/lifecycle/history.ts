import { printableLine } from "../../base/printable.ts";
import { table } from "../../base/table.ts";
import { readHistory, readMachine } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { plural } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { done, failed, type Report } from "../report.ts";
import { roleArgument } from "../role-argument.ts";
import { machineReport } from "./machine-report.ts";

/** `lifecycle.history <role>`: the transitions, oldest first. */
export async function lifecycleHistory(context: CommandContext, argument: string | undefined): Promise<Report> {
  const chosen = await roleArgument(context, argument);
  if (!chosen.ok) return chosen.error;
  const { role } = chosen.value;
  const machine = readMachine(context.paths, role);
  // An env file that cannot be read must not hide what led there.
  const reached = machine.ok ? (machine.value?.record.revision ?? null) : null;
  const history = readHistory(context.paths, role, reached);
  if (!history.ok) return machineReport(context, role, history.error);
  const { entries, broken } = history.value;
  const notes = [
    ...chosen.value.notes,
    ...(machine.ok ? [] : [`${shownPath(context.paths, machine.error.path)} ${machine.error.message}.`]),
    ...(broken === 0 ? [] : [`${plural(broken, "line")} could not be read and are left out.`]),
  ];
  if (machine.ok && machine.value === null && entries.length === 0) {
    return failed({
      code: "no-machine",
      message: `${role} has no machine.`,
      hint: `Create it: ${context.invokedAs} lifecycle.init ${role}.`,
    });
  }
  const rows = entries.map((entry) => [
    String(entry.revision),
    printableLine(entry.at),
    entry.event,
    entry.from,
    entry.to,
    printableLine(entry.by),
    printableLine(entry.session_id ?? "-"),
  ]);
  const text =
    entries.length === 0
      ? `${role} has made no transition yet.\n`
      : table([["REVISION", "TIME", "EVENT", "FROM", "TO", "BY", "SESSION"], ...rows]);
  return done(text, { role, entries, broken_lines: broken }, notes);
}
