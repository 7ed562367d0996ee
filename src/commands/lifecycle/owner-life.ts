import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { lifeOf, type ProcessLife, parseProcess } from "../../platform/process-identity.ts";

/** Whether the client of a role's owner still runs. */
export function ownerLife(record: Pick<MachineRecord, "ownerProcess">): ProcessLife {
  const process = record.ownerProcess === null ? null : parseProcess(record.ownerProcess);
  return process === null ? "unknown" : lifeOf(process);
}
