import { plural } from "../../base/plural.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { HistoryEntry } from "../../lifecycle/advance.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { readHistory, readMachine } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import type { FailedReport } from "../report.ts";
import { noMachine } from "../role-argument.ts";
import { historyReport } from "./machine-report.ts";

export interface RoleHistory {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** Lines that could not be read. */
  readonly broken: number;
  /** The role has no machine; what there is, is of an earlier one. */
  readonly noMachine: boolean;
  readonly notes: readonly string[];
}

/** A role's transitions; an env file that cannot be read does not hide what led there. */
export function roleHistory(context: CommandContext, role: RoleName): Result<RoleHistory, FailedReport> {
  const machine = readMachine(context.paths, role);
  const reached = machine.ok ? (machine.value?.record.revision ?? null) : null;
  const history = readHistory(context.paths, role, reached);
  if (!history.ok) return err(historyReport(context, role, history.error));
  const { entries, broken } = history.value;
  const noMachineAtAll = machine.ok && machine.value === null;
  if (noMachineAtAll && entries.length === 0) return err(noMachine(context, role));
  const notes = [
    ...(machine.ok ? [] : [`${shownPath(context.paths, machine.error.path)} ${machine.error.message}.`]),
    ...(broken === 0
      ? []
      : [`${plural(broken, "line")} could not be read and ${broken === 1 ? "is" : "are"} left out.`]),
  ];
  return ok({ entries, broken, noMachine: noMachineAtAll, notes });
}
