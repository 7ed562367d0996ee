import { printableLine } from "../../base/printable.ts";
import { table } from "../../base/table.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { LifecycleState } from "../../lifecycle/states.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { listMachines, readMachine } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { type ContextCheck, checkContext, plural } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { failed, type Problem, type Report } from "../report.ts";
import { checkRole, knownRoles } from "../role-argument.ts";
import { proofText, type RoleProof, roleProofs } from "../role-proof.ts";
import { machineReport } from "./machine-report.ts";

interface RoleStatus {
  readonly role: RoleName;
  readonly record: MachineRecord | null;
  /** Why the machine cannot be read. */
  readonly problem: Problem | null;
  readonly stuck: boolean;
  readonly check: ContextCheck;
  readonly changedSinceSave: boolean;
  /** What was read since the last compaction; null where none is known. */
  readonly proof: RoleProof | null;
}

/** `lifecycle.status [role]`: where each role stands, and how its context file is. */
export async function lifecycleStatus(context: CommandContext, argument: string | undefined): Promise<Report> {
  if (argument !== undefined) return statusOfOne(context, argument);
  const listed = listMachines(context.paths);
  if (!listed.ok) {
    return failed({
      code: "folder-unreadable",
      message: `${shownPath(context.paths, listed.error.path)} ${listed.error.message}.`,
      hint: "Give this user the rights to read it.",
    });
  }
  const proofs = roleProofs(context);
  const roles = listed.value.map((role) => statusOf(context, role, proofs));
  const without = knownRoles(context).filter((role) => !listed.value.includes(role));
  const notes =
    without.length === 0
      ? []
      : [`A context file but no machine: ${without.join(", ")}. Create one with lifecycle.init.`];
  return report(context, roles, roles.length === 0 ? "No role has a machine yet.\n" : statusTable(roles), notes);
}

function statusOfOne(context: CommandContext, argument: string): Report {
  const role = checkRole(context, argument);
  if (!role.ok) return role.error;
  const status = statusOf(context, role.value, roleProofs(context));
  if (status.record === null && status.problem === null) {
    return failed(
      {
        code: "no-machine",
        message: `${role.value} has no machine.`,
        hint: `Create it: ${context.invokedAs} lifecycle.init ${role.value}.`,
      },
      { data: { roles: [statusData(status)] } },
    );
  }
  return report(context, [status], statusTable([status]), []);
}

function report(context: CommandContext, roles: readonly RoleStatus[], text: string, notes: readonly string[]): Report {
  const data = { root: context.paths.root, roles: roles.map(statusData) };
  const said = [...notes, ...roles.filter((status) => status.stuck).map(stuckNote)];
  const parts = [{ kind: "text", text } as const];
  const [first, ...others] = roles.flatMap((status) => status.problem ?? []);
  if (first === undefined) return { outcome: "done", parts, notes: said, data };
  return failed(first, { parts, notes: [...said, ...others.map((problem) => problem.message)], data });
}

function statusOf(context: CommandContext, role: RoleName, proofs: ReturnType<typeof roleProofs>): RoleStatus {
  const machine = readMachine(context.paths, role);
  const record = machine.ok ? (machine.value?.record ?? null) : null;
  const check = checkContext(context.paths, role, record);
  return {
    role,
    record,
    problem: machine.ok ? null : (machineReport(context, role, machine.error).problem ?? null),
    stuck: record !== null && stuckReason(record, context.now(), "unknown") !== null,
    check,
    changedSinceSave:
      check.kind === "checked" && record?.contextSha256 != null && record.contextSha256 !== check.sha256,
    proof: proofs(role, record),
  };
}

const HEADER = ["ROLE", "STATE", "SINCE", "CONTEXT", "UPDATED", "PANE", "COMPACTIONS"];

function statusTable(roles: readonly RoleStatus[]): string {
  if (roles.every(({ proof }) => proof === null)) return table([HEADER, ...roles.map(row)]);
  const proved = roles.map((status) => [...row(status), status.proof === null ? "-" : proofText(status.proof)]);
  return table([[...HEADER, "RECOVERY"], ...proved]);
}

function row(status: RoleStatus): readonly string[] {
  const { record, check } = status;
  return [
    status.role,
    record === null ? "unreadable" : `${record.state}${status.stuck ? " (stuck)" : ""}`,
    record?.since ?? "-",
    healthText(status),
    check.kind === "checked" ? printableLine(check.updated ?? "-") : "-",
    check.kind === "checked" ? printableLine(check.pane ?? "-") : "-",
    record === null ? "-" : `${record.compactions}${record.unsaved ? " (last one unsaved)" : ""}`,
  ];
}

function healthText(status: RoleStatus): string {
  const { check } = status;
  if (check.kind === "unreadable") return check.missing ? "missing" : "unreadable";
  if (!check.valid) return plural(check.errors, "error");
  return status.changedSinceSave ? "changed since save" : "valid";
}

/** What gets each transitional state moving again. */
const WAY_OUT = {
  active: "",
  saving: "the agent has not finished its save",
  saved: "",
  compacting: "the compaction never ended, or its end was not reported",
  recovering: "the agent has not run its recovery",
} satisfies Record<LifecycleState, string>;

function stuckNote(status: RoleStatus): string {
  const { role, record } = status;
  if (record === null) return "";
  return `${role} is stuck in "${record.state}" since ${record.since}: ${WAY_OUT[record.state]}. lifecycle.recover ${role} frees it.`;
}

function statusData(status: RoleStatus): Record<string, unknown> {
  const { role, record, check } = status;
  return {
    role,
    state: record?.state ?? null,
    since: record?.since ?? null,
    previous: record?.previous ?? null,
    event: record?.event ?? null,
    revision: record?.revision ?? null,
    stuck: status.stuck,
    compactions: record?.compactions ?? null,
    unsaved: record?.unsaved ?? null,
    session_id: record?.sessionId ?? null,
    owned_since: record?.ownedSince ?? null,
    saved_at: record?.savedAt ?? null,
    recovered_at: record?.recoveredAt ?? null,
    problem: status.problem?.message ?? null,
    ...(status.proof === null ? {} : { recovery: proofData(status.proof) }),
    context: {
      path: check.kind === "checked" ? check.checked.path : check.path,
      health: check.kind === "checked" ? (check.valid ? "valid" : "invalid") : check.missing ? "missing" : "unreadable",
      errors: check.kind === "checked" ? check.errors : null,
      warnings: check.kind === "checked" ? check.warnings : null,
      changed_since_save: status.changedSinceSave,
      updated: check.kind === "checked" ? check.updated : null,
      pane: check.kind === "checked" ? check.pane : null,
    },
  };
}

function proofData(proof: RoleProof): Record<string, unknown> {
  const { verdict, files, missing, compactedAt, sessionId } = proof;
  return {
    verdict,
    required: files.length,
    missing: missing.map(({ path }) => path),
    session_id: sessionId,
    compacted_at: compactedAt,
  };
}
