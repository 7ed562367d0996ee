import { err, ok } from "../../base/result.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { type MachineRecord, newMachine } from "../../lifecycle/snapshot.ts";
import type { TransactionOptions } from "../../stores/machine-access.ts";
import { pendingId, writePending } from "../../stores/pending-store.ts";
import type { SharedMachines } from "../../stores/shared-machines.ts";
import type { CommandContext } from "../command-context.ts";
import type { OwnerPlace } from "../owner-place.ts";
import { machineReport } from "./machine-report.ts";
import type { StepAnswer, StepOptions, StepPlan, StepWork } from "./step-plan.ts";

export interface SharedStep<T> {
  readonly options: StepOptions;
  readonly plan: (record: MachineRecord) => StepPlan<T>;
  readonly place: OwnerPlace;
  readonly transaction: TransactionOptions;
  readonly work: StepWork<T>;
}

/** A step of a machine that is kept in a server. A hook's step that does not reach it is noted, and taken later. */
export async function sharedStep<T>(
  context: CommandContext,
  shared: SharedMachines,
  role: RoleName,
  step: SharedStep<T>,
): Promise<StepAnswer<T>> {
  // With a name, a step whose answer was lost can be noted: it is not taken twice.
  const id = shared.offline === "note" ? pendingId(step.transaction.now) : undefined;
  const outcome = await shared.transact(role, { ...step.transaction, once: id }, step.work);
  if (outcome.ok) return outcome.value;
  if (id === undefined || outcome.error.problem !== "unreachable") {
    return err(machineReport(context, role, outcome.error));
  }
  const { message } = outcome.error;
  const told = shared.connected ? [`${outcome.error.path} ${message}; it is noted, and told to it later.`] : [];
  return noteStep(context, role, id, step, told);
}

function noteStep<T>(
  context: CommandContext,
  role: RoleName,
  id: string,
  { options, plan, place, transaction }: SharedStep<T>,
  told: readonly string[],
): StepAnswer<T> {
  const at = transaction.now.toISOString();
  const from = options.assume ?? null;
  const record: MachineRecord = { ...newMachine(role, at).record, state: from ?? "active" };
  const { events, facts, contextBytes, value } = plan(record);
  const same = {
    created: false,
    before: record,
    start: record,
    after: record,
    way: [record.state],
    foreignOwner: null,
  };
  const done = ok({ ...same, notes: told, value });
  // A session that begins may be its owner's successor: who is that, only the machine tells.
  const begins = options.sessionId !== null && (options.source ?? null) !== null;
  if (events.length === 0 && !begins) return done;
  const noted = writePending(context.paths, {
    id,
    step: {
      role,
      at,
      by: options.by,
      session_id: options.sessionId,
      source: options.source ?? null,
      owner: options.owner === "look" ? "look" : "note",
      process: place.process,
      pane: place.pane,
      create: options.create,
      from,
      events,
      context_sha256: facts?.contextSha256 ?? null,
      saved_at: facts?.savedAt ?? null,
      branch: facts?.branch ?? null,
      commit: facts?.commit ?? null,
      context_bytes: contextBytes ?? null,
    },
  });
  return noted.ok ? done : err(machineReport(context, role, { problem: "unwritable", ...noted.error }));
}
