import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { lifeOf, type ProcessLife, parseProcess } from "../../platform/process-identity.ts";

/** Whether the client of a role's owner still runs. */
export function ownerLife(record: Pick<MachineRecord, "ownerProcess">): ProcessLife {
  const process = record.ownerProcess === null ? null : parseProcess(record.ownerProcess);
  return process === null ? "unknown" : lifeOf(process);
}

/** Whether a role compacts by its state alone: its client has ended, or takes too long, and will not report the end. */
export function isLeftCompacting(record: MachineRecord, now: Date): boolean {
  return record.state === "compacting" && stuckReason(record, now, ownerLife(record)) !== null;
}
