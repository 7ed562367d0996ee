import { plural } from "../../base/plural.ts";
import { type Advanced, advance } from "../../lifecycle/advance.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { monotonicMs } from "../../platform/clock.ts";
import type { MachineWork } from "../../stores/machine-access.ts";
import { createMachine } from "../../stores/machine-store.ts";
import { shownPath } from "../../stores/paths.ts";
import {
  dropPending,
  listPending,
  type PendingNote,
  type PendingStep,
  sweepNotes,
} from "../../stores/pending-store.ts";
import { setAside } from "../../stores/set-aside.ts";
import type { SharedMachines } from "../../stores/shared-machines.ts";
import type { CommandContext } from "../command-context.ts";
import { ownership, takeOverCommand } from "./ownership.ts";

/** How long a noted step waits for others that change the same machine, in milliseconds. */
const WAIT_MS = 2000;

export interface MadeUp {
  /** What deserves a line. */
  readonly said: readonly string[];
  /** Notes that were not told for want of time: what comes now has to come behind them. */
  readonly left: number;
}

/**
 * Takes the steps that were noted while the store was out of reach, in their order, each once: the store keeps their
 * names. It takes `limitMs` at most, since a client waits for its hooks.
 */
export async function makeUp(
  context: CommandContext,
  shared: SharedMachines,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<MadeUp> {
  const began = monotonicMs();
  const { notes, broken } = listPending(context.paths);
  const said: string[] = [];
  for (const path of broken) {
    const moved = setAside(path, context.now());
    const kept = moved.ok ? `; it is set aside as ${moved.value}` : "";
    said.push(`${shownPath(context.paths, path)} is no step that was noted${kept}.`);
  }
  if (notes.length > 0) sweepNotes(context.paths, context.now());
  let made = 0;
  let left = 0;
  const waiting = new Set<RoleName>();
  for (const [index, note] of notes.entries()) {
    const { role, at } = note.step;
    if (monotonicMs() - began >= limitMs) {
      left = notes.length - index;
      break;
    }
    // What is wrong with one role's machine holds up its own notes.
    if (waiting.has(role)) continue;
    const options = { now: new Date(at), waitMs: WAIT_MS, setAside: () => false, once: note.id };
    const outcome = await shared.transact(role, options, stepOf(context, note));
    if (outcome.ok) {
      dropPending(context.paths, note.id);
      made += 1;
      continue;
    }
    said.push(`What was noted for ${role} waits on: ${outcome.error.path} ${outcome.error.message}.`);
    if (outcome.error.problem === "unreachable") break;
    waiting.add(role);
  }
  if (made > 0)
    said.push(`${plural(made, "step")} that had been noted ${made === 1 ? "is" : "are"} told to the store.`);
  if (left > 0)
    said.push(`${plural(left, "step")} that had been noted ${left === 1 ? "waits" : "wait"} on: there are many.`);
  return { said, left };
}

function stepOf(context: CommandContext, { step }: PendingNote): MachineWork<null> {
  return (found) => {
    const at = new Date(step.at);
    if (found === null && !step.create) return { update: null, result: null };
    const stored = found ?? createMachine(context.paths, step.role, at);
    const { record, history } = advanced(stored.record, step);
    const { session_id: sessionId, source, owner: policy } = step;
    const place = { process: step.process, pane: step.pane };
    const takeOver = () => takeOverCommand(context, step.role);
    const owned = ownership(stored.record, { sessionId, place, source, policy, takeOver, now: at });
    const owner = owned.ok ? owned.value.facts : null;
    if (history.length === 0 && owner === null && found !== null) return { update: null, result: null };
    const isNew = step.context_sha256 !== stored.record.contextSha256;
    const saved = isNew && history.some(({ event }) => event === "CONTEXT_VALID") ? savedFacts(step) : {};
    return { update: { stored: { ...stored, record: { ...record, ...saved, ...owner } }, history }, result: null };
  };
}

/** What has happened has happened: an event that the machine does not take in the state it is in now is left out. */
function advanced(start: MachineRecord, step: PendingStep): Advanced {
  let record = start;
  const history: Advanced["history"][number][] = [];
  if (step.from !== null && step.from !== start.state) return { record, history };
  const cause = {
    at: new Date(step.at),
    by: `${step.by} (noted)`,
    sessionId: step.session_id,
    contextBytes: step.context_bytes ?? undefined,
  };
  for (const event of step.events) {
    const moved = advance(record, [event], cause);
    if (!moved.ok) continue;
    record = moved.value.record;
    history.push(...moved.value.history);
  }
  return { record, history };
}

function savedFacts(step: PendingStep): Partial<MachineRecord> {
  const { context_sha256: contextSha256, saved_at: savedAt, branch, commit } = step;
  return { contextSha256, savedAt, branch, commit };
}
