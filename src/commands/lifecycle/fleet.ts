import { plural } from "../../base/plural.ts";
import { err, ok, type Result, valueOr } from "../../base/result.ts";
import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { listContextFiles, roleOfContextFile } from "../../stores/context-file-store.ts";
import { listMachines } from "../../stores/machine-store.ts";
import { CONTEXT_SUFFIX } from "../../stores/paths.ts";
import { markRoles, type RoleMarks } from "../../stores/role-marks.ts";
import type { CommandContext } from "../command-context.ts";
import { folderUnreadable } from "../folder-unreadable.ts";
import { lookedForRoles } from "../looked-into.ts";
import type { FailedReport } from "../report.ts";
import { checkRole, noMachine } from "../role-argument.ts";
import { roleProofs } from "../role-proof.ts";
import { briefFacts, fleetFacts } from "./fleet-facts.ts";
import { inPassing } from "./in-passing.ts";
import { type RoleFacts, type RoleStatus, readBrief, readFacts, statusOf } from "./role-status.ts";
import { statusData } from "./status-data.ts";
import { parseFilter, type StatusFilter } from "./status-filter.ts";
import type { StatusQuestion } from "./status-question.ts";
import { statusTable } from "./status-text.ts";

export type FleetQuestion = Omit<StatusQuestion, "json">;

/** What a status shows, and what is said beside it. */
export interface Fleet {
  readonly roles: readonly RoleStatus[];
  /** Roles that the filter left out. */
  readonly hidden: number;
  readonly notes: readonly string[];
  /** What the files of all roles were known by before they were read; null where one role was asked for. */
  readonly marks: RoleMarks | null;
}

/** The table, or a line where there is nothing to show. */
export function fleetText({ roles, hidden }: Pick<Fleet, "roles" | "hidden">): string {
  if (roles.length > 0) return statusTable(roles);
  return hidden === 0 ? "No role has a machine yet.\n" : `None of ${plural(hidden, "role")} fits the filter.\n`;
}

/** Reads what a status shows; a report where that cannot be done, or is not asked for in a way that can be understood. */
export async function readFleet(context: CommandContext, input: FleetQuestion): Promise<Result<Fleet, FailedReport>> {
  const filter = input.filter === undefined ? null : parseFilter(input.filter);
  if (filter !== null && !filter.ok) return filter;
  const unsaved = input.unsaved ? await unsavedReader(context) : null;
  const proofs = roleProofs(context);
  const see = (role: RoleName, facts: RoleFacts): RoleStatus =>
    statusOf(context, role, facts, {
      proof: proofs(role, facts.record),
      unsavedWork: unsaved === null ? null : unsaved(role, facts),
    });
  if (input.role !== undefined) return oneRole(context, input, filter?.value ?? null, see);

  const listed = listMachines(context.paths);
  if (!listed.ok) return err(folderUnreadable(context.paths, listed.error));
  const { marks, all } = inPassing(listed.value.length, () => {
    const marks = markRoles(context.paths, listed.value, !input.brief);
    const looked = { roles: listed.value, marks };
    const facts = (input.brief ? briefFacts : fleetFacts)(context, looked);
    const all: RoleStatus[] = [];
    for (let index = 0; index < facts.length; index++) {
      const role = listed.value[index];
      const own = facts[index];
      if (role !== undefined && own !== undefined) all.push(see(role, own));
    }
    return { marks, all };
  });
  const roles = filter === null ? all : all.filter(filter.value.status);
  return ok({
    roles,
    hidden: all.length - roles.length,
    notes: filter === null && !input.brief ? withoutNotes(context, listed.value) : [],
    marks,
  });
}

function oneRole(
  context: CommandContext,
  input: FleetQuestion,
  filter: StatusFilter | null,
  see: (role: RoleName, facts: RoleFacts) => RoleStatus,
): Result<Fleet, FailedReport> {
  const role = checkRole(context, input.role ?? "");
  if (!role.ok) return role;
  const status = see(role.value, (input.brief ? readBrief : readFacts)(context, role.value));
  if (status.record === null && status.problem === null) {
    return err(noMachine(context, role.value, { roles: [statusData(status)] }));
  }
  const shown = filter === null || filter.status(status);
  return ok({ roles: shown ? [status] : [], hidden: shown ? 0 : 1, notes: [], marks: null });
}

function withoutNotes(context: CommandContext, machines: readonly RoleName[]): readonly string[] {
  const known = new Set<string>(machines);
  const without = valueOr(listContextFiles(context.paths), [])
    .filter((name) => !known.has(name.slice(0, -CONTEXT_SUFFIX.length)))
    .map(roleOfContextFile)
    .filter((role) => role !== null)
    .sort();
  const [first] = without;
  if (first === undefined) return machines.length > 0 ? [] : [lookedForRoles(context)];
  const create = `${context.invokedAs} lifecycle.init ${without.length === 1 ? first : "<role>"}`;
  return [`A context file but no machine: ${without.join(", ")}. Create it: ${create}.`];
}

/** Reading transcripts is a bundle of its own: most looks ask for none. */
async function unsavedReader(context: CommandContext) {
  const { unsavedWork } = await import("./unsaved-work.ts");
  const config: Config = (await loadConfig(context.paths)).value;
  return (role: RoleName, facts: RoleFacts) => unsavedWork(context, config, role, facts.record);
}
