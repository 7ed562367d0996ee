import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { type StuckReason, stuckReason } from "../../lifecycle/stuck.ts";
import type { ProcessLife } from "../../platform/process-identity.ts";
import { readMachine } from "../../stores/machine-store.ts";
import { checkContext } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import type { Problem } from "../report.ts";
import type { RoleProof } from "../role-proof.ts";
import { machineReport } from "./machine-report.ts";
import { ownerLife } from "./owner-life.ts";
import type { UnsavedWork } from "./unsaved-work.ts";

/** What a status tells of a machine. */
export type StatusRecord = Omit<MachineRecord, "contextSha256" | "ownerBefore" | "branch" | "commit">;

/** What the files say of a role: the same for as long as they do not change. */
export interface RoleFacts {
  readonly record: StatusRecord | null;
  /** Why the machine cannot be read. */
  readonly problem: Problem | null;
  /** Null where nobody asked. */
  readonly context: ContextFacts | null;
}

export interface ContextFacts {
  /** Relative to the root. */
  readonly path: string;
  readonly health: "valid" | "invalid" | "missing" | "unreadable";
  /** Findings; null where the file could not be read. */
  readonly errors: number | null;
  readonly warnings: number | null;
  readonly changedSinceSave: boolean;
  readonly updated: string | null;
  readonly pane: string | null;
}

export interface RoleStatus extends RoleFacts {
  readonly role: RoleName;
  readonly stuck: StuckReason | null;
  /** Whether the owner's client still runs. */
  readonly owner: ProcessLife;
  /** What was read since the last compaction; null where none is known. */
  readonly proof: RoleProof | null;
  /** Null where nobody asked. */
  readonly unsavedWork: UnsavedWork | null;
}

/** Reads a role's machine and checks its context file. */
export function readFacts(context: CommandContext, role: RoleName): RoleFacts {
  const machine = readMachine(context.paths, role);
  const record = machine.ok ? (machine.value?.record ?? null) : null;
  return { ...factsOf(context, role, machine), context: contextFacts(context, role, record) };
}

/** Reads a role's machine and leaves its context file alone. */
export function readBrief(context: CommandContext, role: RoleName): RoleFacts {
  return factsOf(context, role, readMachine(context.paths, role));
}

function factsOf(context: CommandContext, role: RoleName, machine: ReturnType<typeof readMachine>): RoleFacts {
  return {
    record: machine.ok ? (machine.value?.record ?? null) : null,
    problem: machine.ok ? null : machineReport(context, role, machine.error).problem,
    context: null,
  };
}

function contextFacts(context: CommandContext, role: RoleName, record: MachineRecord | null): ContextFacts {
  const check = checkContext(context, role, record);
  if (check.kind === "unreadable") {
    const health = check.missing ? "missing" : "unreadable";
    const nothing = { errors: null, warnings: null, changedSinceSave: false, updated: null, pane: null };
    return { path: check.path, health, ...nothing };
  }
  return {
    path: check.checked.path,
    health: check.valid ? "valid" : "invalid",
    errors: check.errors,
    warnings: check.warnings,
    changedSinceSave: record?.contextSha256 != null && record.contextSha256 !== check.sha256,
    updated: check.updated,
    pane: check.pane,
  };
}

/** The facts in the light of now: who is stuck, and whose client still runs. */
export function statusOf(
  context: CommandContext,
  role: RoleName,
  facts: RoleFacts,
  more: { readonly proof: RoleProof | null; readonly unsavedWork: UnsavedWork | null },
): RoleStatus {
  const { record } = facts;
  const owner = record === null ? "unknown" : ownerLife(record);
  const stuck = record === null ? null : stuckReason(record, context.now(), owner);
  return { role, ...facts, stuck, owner, ...more };
}
