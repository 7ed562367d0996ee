import { err, ok } from "../../base/result.ts";
import { type Advanced, advance } from "../../lifecycle/advance.ts";
import { type Refusal, refusalText } from "../../lifecycle/refusal.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { formatMachine, type MachineRecord, type StoredMachine } from "../../lifecycle/snapshot.ts";
import { stuckReason } from "../../lifecycle/stuck.ts";
import { keepForNode, keptForNode } from "../../platform/kept-for-node.ts";
import type { MachineError, MachineProblem } from "../../stores/machine-access.ts";
import { createMachine, readMachine, transact } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { type OwnerPlace, ownerPlace } from "../owner-place.ts";
import { type FailedReport, failed } from "../report.ts";
import { machineReport } from "./machine-report.ts";
import { ownerLife } from "./owner-life.ts";
import { ownership, takeOverCommand } from "./ownership.ts";
import type { StepAnswer, StepDone, StepOptions, StepPlan, StepWork } from "./step-plan.ts";

/** A command waits this long for another process to finish its step; the contract's figure. */
export const COMMAND_WAIT_MS = 2000;

/** A hook does not make its client wait for another process: it gives up sooner. */
export const HOOK_WAIT_MS = 400;

/** A step of nobody's session looks for no place. */
const NOWHERE: OwnerPlace = { process: null, pane: null };

/**
 * One command's step of a role's machine, under its lock: `plan` sees the machine and says which events to send. Null
 * where the role has no machine and none is to be made. In a store that is shared `plan` may be asked more than once.
 */
export async function step<T>(
  context: CommandContext,
  role: RoleName,
  options: StepOptions,
  plan: (record: MachineRecord) => StepPlan<T>,
): Promise<StepAnswer<T>> {
  const now = context.now();
  const place = options.sessionId === null ? NOWHERE : ownerPlace(context);
  const asked = { plan, now, place, fault: "" };
  const work = stepWork(context, role, options, asked);
  const transaction = {
    now,
    waitMs: options.waitMs ?? COMMAND_WAIT_MS,
    setAside: ({ problem, message }: MachineError) => {
      asked.fault = message;
      return setsAside(problem, options.broken);
    },
  };
  const { shared } = context.paths;
  if (shared !== undefined) {
    const { sharedStep } = await import("./shared-step.ts");
    return sharedStep(context, shared, role, { options, plan, place, transaction, work });
  }
  const kept = keptForNode(context.env);
  if (kept !== null) {
    const { parseKept } = await import("./kept-step.ts");
    const taken = parseKept(kept, role, options.by);
    if (taken !== null) return ok({ ...taken, value: plan(taken.start).value });
  }
  if (!options.create) {
    // To lock what is not there would make a folder for it, and fail where none may be made.
    const seen = readMachine(context.paths, role);
    if (seen.ok && seen.value === null) return ok(null);
  }
  const outcome = transact(context.paths, role, transaction, work);
  if (!outcome.ok) return err(machineReport(context, role, outcome.error));
  const done = outcome.value.ok ? outcome.value.value : null;
  if (done !== null && done.after.revision !== done.before.revision) keepForNode(() => keptText(done, options.by));
  return outcome.value;
}

/** What a hook says where it could not take its step. */
export function unchangedNote(role: string, { problem }: FailedReport): string {
  return `The state of ${role} was not changed: ${problem.message}`;
}

/** A step as `kept-step.ts` reads it. */
function keptText({ value, before, start, after, ...rest }: StepDone<unknown>, by: string): string {
  // The original tool's file does not say since when.
  const text = (record: MachineRecord) =>
    formatMachine({ record: { ...record, since: record.since ?? after.since }, items: [], legacy: null });
  return JSON.stringify({ ...rest, by, before: text(before), start: text(start), after: text(after) });
}

function stepWork<T>(
  context: CommandContext,
  role: RoleName,
  options: StepOptions,
  asked: {
    readonly plan: (record: MachineRecord) => StepPlan<T>;
    readonly now: Date;
    readonly place: OwnerPlace;
    /** What is wrong with a file that was set aside, as the end of a sentence. */
    fault: string;
  },
): StepWork<T> {
  const { plan, now, place } = asked;
  const cause = { at: now, by: options.by, sessionId: options.sessionId };
  return (found, setAside) => {
    const nothing = (result: StepAnswer<T>) => ({ update: null, result });
    const notes: string[] = [];
    if (setAside !== null) {
      const kept = shownPath(context.paths, setAside);
      const said = `The state of ${role} ${asked.fault}; it was set aside as ${kept}`;
      if (options.broken === "stop") return nothing(err(setAsideReport(said)));
      notes.push(`${said}; a new one begins.`);
    }
    if (found === null && !options.create && setAside === null) return nothing(ok(null));
    const stored = found ?? createMachine(context.paths, role, now);

    const owned = ownership(stored.record, {
      sessionId: options.sessionId,
      place,
      source: options.source ?? null,
      policy: options.owner,
      takeOver: () => takeOverCommand(context, role),
      now,
    });
    if (!owned.ok) return nothing(owned);
    notes.push(...owned.value.notes);
    let start: Advanced = { record: stored.record, history: [] };
    const { state, since, recoveredAt, sessionId } = stored.record;
    const isStuck = stuckReason(stored.record, now, ownerLife(stored.record)) !== null;
    // An agent waits while it compacts: where it gives a command, Esc, a hook or a failing model ended that, and no hook told us.
    const isOwn = options.owner === "take-over" ? sessionId === options.sessionId : options.owner === "refuse";
    const isAtWork = state === "compacting" && isOwn && options.sessionId !== null;
    const isLeft = isStuck && state === "compacting" && owned.value.foreign === null;
    if (options.unstick === "compaction" ? isLeft : options.unstick && (isStuck || isAtWork)) {
      notes.push(`${role} was stuck in "${state}" since ${since}; it goes on from "active".`);
      const freed = advance(stored.record, ["RECOVERED"], { ...cause, by: `${options.by} (stuck in ${state})` });
      // A session that goes on behind a compaction that never ended has lost nothing.
      const lost = isStuck && options.unstick !== "compaction" ? lossOf(stored.record) : recoveredAt;
      if (freed.ok && options.unstick !== "say")
        start = { ...freed.value, record: { ...freed.value.record, recoveredAt: lost } };
    }
    const planned = plan(start.record);
    const moved = advance(start.record, planned.events, { ...cause, contextBytes: planned.contextBytes });
    if (!moved.ok) return nothing(err(refusalReport(context, role, moved.error)));
    const history = [...start.history, ...moved.value.history];
    const record: MachineRecord = { ...moved.value.record, ...planned.facts, ...owned.value.facts };
    const result = ok({
      created: found === null,
      before: stored.record,
      start: start.record,
      after: record,
      way: [stored.record.state, ...history.map((entry) => entry.to)],
      notes,
      foreignOwner: owned.value.foreign,
      value: planned.value,
    });
    const changed = history.length > 0 || found === null || planned.facts !== undefined || owned.value.facts !== null;
    const next: StoredMachine = { ...stored, record };
    return { update: changed ? { stored: next, history } : null, result };
  };
}

/**
 * The last loss of memory of a role that is freed: the compaction that it was stuck in, or the one before its save. The
 * freeing itself is none, and what was written before it is not old.
 */
function lossOf({ state, since, recoveredAt }: MachineRecord): string | null {
  return state === "saving" ? recoveredAt : (since ?? recoveredAt);
}

function setsAside(problem: MachineProblem, policy: StepOptions["broken"]): boolean {
  switch (problem) {
    case "corrupt":
    case "not-text":
    case "too-large":
    case "not-a-file":
      return true;
    case "unknown-state":
    case "contradiction":
      // Such a file still says something that a person may want to see first.
      return policy === "restart-always";
    case "newer-version":
    case "denied":
    case "failed":
    case "locked":
    case "unwritable":
    case "unreachable":
      return false;
    default:
      return problem satisfies never;
  }
}

function setAsideReport(said: string): FailedReport {
  return failed({
    code: "state-unreadable",
    message: `${said}.`,
    hint: "Run the command again: it begins a new state.",
  });
}

function refusalReport(context: CommandContext, role: RoleName, refusal: Refusal): FailedReport {
  return failed(
    {
      code: "event-refused",
      message: refusalText(refusal),
      hint: `If the agent is at work again, run ${context.invokedAs} lifecycle.recover ${role}.`,
    },
    { data: { role, state: refusal.state, event: refusal.event, allowed: refusal.allowed } },
  );
}
