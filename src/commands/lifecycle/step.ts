import { err, ok, type Result } from "../../base/result.ts";
import { type Advanced, advance } from "../../lifecycle/advance.ts";
import { type Refusal, refusalText } from "../../lifecycle/refusal.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord, StoredMachine } from "../../lifecycle/snapshot.ts";
import type { LifecycleEventType } from "../../lifecycle/states.ts";
import { isStuckRecord } from "../../lifecycle/stuck.ts";
import { createMachine, type MachineProblem, readMachine, transact } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";
import { failed, type Report } from "../report.ts";
import { machineReport } from "./machine-report.ts";

/** A command waits this long for another process to finish its step; the contract's figure. */
export const COMMAND_WAIT_MS = 2000;

export interface StepOptions {
  /** The command or hook, for the history. */
  readonly by: string;
  readonly sessionId: string | null;
  /** Make a machine where there is none. */
  readonly create: boolean;
  /** A role that is stuck goes on from `active` before the step. */
  readonly unstick: boolean;
  /** What to do where the recorded owner is another session. `look` also leaves a role without an owner as it is. */
  readonly owner: "refuse" | "note" | "look" | "take-over";
  /** What to do with an env file that holds no machine: set it aside and stop, or go on anew, or go on anew whatever is wrong with it. */
  readonly broken: "stop" | "restart" | "restart-always";
  readonly waitMs?: number;
}

export interface StepPlan<T> {
  readonly events: readonly LifecycleEventType[];
  /** Facts to record with the step. */
  readonly facts?: Partial<Pick<MachineRecord, "contextSha256" | "savedAt" | "branch" | "commit">>;
  /** Of the context file, for the history's line of the save. */
  readonly contextBytes?: number;
  readonly value: T;
}

export interface StepDone<T> {
  /** The role had no machine before. */
  readonly created: boolean;
  readonly before: MachineRecord;
  readonly after: MachineRecord;
  /** The states gone through, the first one included. */
  readonly way: readonly string[];
  readonly notes: readonly string[];
  readonly value: T;
}

/**
 * One command's step of a role's machine, under its lock: `plan` sees the machine and says which events to send. Null
 * where the role has no machine and none is to be made.
 */
export function step<T>(
  context: CommandContext,
  role: RoleName,
  options: StepOptions,
  plan: (record: MachineRecord) => StepPlan<T>,
): Result<StepDone<T> | null, Report> {
  const now = context.now();
  const cause = { at: now, by: options.by, sessionId: options.sessionId };
  type Answer = Result<StepDone<T> | null, Report>;
  if (!options.create) {
    // To lock what is not there would make a folder for it, and fail where none may be made.
    const seen = readMachine(context.paths, role);
    if (seen.ok && seen.value === null) return ok(null);
  }
  const outcome = transact<Answer>(
    context.paths,
    role,
    { now, waitMs: options.waitMs ?? COMMAND_WAIT_MS, setAside: (problem) => setsAside(problem, options.broken) },
    (found, setAside) => {
      const nothing = (result: Answer) => ({ update: null, result });
      const notes: string[] = [];
      if (setAside !== null) {
        const kept = shownPath(context.paths, setAside);
        if (options.broken === "stop") return nothing(err(setAsideReport(role, kept)));
        notes.push(`The state of ${role} could not be read and was set aside as ${kept}; a new one begins.`);
      }
      if (found === null && !options.create && setAside === null) return nothing(ok(null));
      const stored = found ?? createMachine(context.paths, role, now);

      const owned = ownership(stored.record, options, now);
      if (!owned.ok) return nothing(owned);
      notes.push(...owned.value.notes);
      let start: Advanced = { record: stored.record, history: [] };
      if (options.unstick && isStuckRecord(stored.record, now)) {
        const { state, since } = stored.record;
        notes.push(`${role} was stuck in "${state}" since ${since}; it goes on from "active".`);
        const freed = advance(stored.record, ["RECOVERED"], { ...cause, by: `${options.by} (stuck in ${state})` });
        if (freed.ok) start = freed.value;
      }
      const planned = plan(start.record);
      const moved = advance(start.record, planned.events, { ...cause, contextBytes: planned.contextBytes });
      if (!moved.ok) return nothing(err(refusalReport(role, moved.error)));
      const history = [...start.history, ...moved.value.history];
      const record: MachineRecord = { ...moved.value.record, ...planned.facts, ...owned.value.facts };
      const result = ok({
        created: found === null,
        before: stored.record,
        after: record,
        way: [stored.record.state, ...history.map((entry) => entry.to)],
        notes,
        value: planned.value,
      });
      const changed = history.length > 0 || found === null || planned.facts !== undefined || owned.value.facts !== null;
      const next: StoredMachine = { ...stored, record };
      return { update: changed ? { stored: next, history } : null, result };
    },
  );
  return outcome.ok ? outcome.value : err(machineReport(context, role, outcome.error));
}

interface Ownership {
  readonly facts: Pick<MachineRecord, "sessionId" | "ownedSince"> | null;
  readonly notes: readonly string[];
}

/** A role belongs to the session that saved it first; another one gets it only by asking for it by name. */
function ownership(record: MachineRecord, options: StepOptions, now: Date): Result<Ownership, Report> {
  const { sessionId } = options;
  if (sessionId === null || record.sessionId === sessionId) return ok({ facts: null, notes: [] });
  const facts = { sessionId, ownedSince: now.toISOString() };
  if (record.sessionId === null) return ok({ facts: options.owner === "look" ? null : facts, notes: [] });
  const owner = `session ${record.sessionId}${record.ownedSince === null ? "" : ` since ${record.ownedSince}`}`;
  switch (options.owner) {
    case "take-over":
      return ok({ facts, notes: [`${record.role} was owned by ${owner}; session ${sessionId} takes it over.`] });
    case "note":
    case "look":
      return ok({
        facts: null,
        notes: [
          `${record.role} is owned by ${owner}; this is session ${sessionId}. If the role is yours, save with --take-over.`,
        ],
      });
    case "refuse":
      return err(
        failed({
          code: "owned-by-another",
          message: `${record.role} is owned by ${owner}; this is session ${sessionId}.`,
          hint: "Use the role that is yours, or take this one with --take-over.",
        }),
      );
    default:
      return options.owner satisfies never;
  }
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
      return false;
    default:
      return problem satisfies never;
  }
}

function setAsideReport(role: RoleName, kept: string): Report {
  return failed({
    code: "state-unreadable",
    message: `The state of ${role} could not be read; it was set aside as ${kept}.`,
    hint: "Run the command again: it begins a new state.",
  });
}

function refusalReport(role: RoleName, refusal: Refusal): Report {
  return failed(
    {
      code: "event-refused",
      message: refusalText(refusal),
      hint: `If the agent is at work again: lifecycle.recover ${role}.`,
    },
    { data: { role, state: refusal.state, event: refusal.event, allowed: refusal.allowed } },
  );
}
