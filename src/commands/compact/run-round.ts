import { machineName } from "../../lifecycle/role.ts";
import { monotonicMs } from "../../platform/clock.ts";
import { historyTail } from "../../stores/history-tail.ts";
import { readMachine } from "../../stores/machine-store.ts";
import { historyPath } from "../../stores/paths.ts";
import { checkContext, countText } from "../check-context.ts";
import { ownerLife } from "../lifecycle/ownership.ts";
import type { Report } from "../report.ts";
import { awaitPassage, type Passage } from "./await-passage.ts";
import { paneName } from "./find-pane.ts";
import type { Objection } from "./occupant.ts";
import { COMPACT, notReached, objected, type Round } from "./round.ts";
import { awaitReady, typeLine } from "./typing.ts";

/** The steps in their order; a report where one of them came to nothing. */
export async function runRound(round: Round): Promise<Report | null> {
  const { context, role, typist, log, limits, ask } = round;
  const pane = paneName(typist.pane);
  let after = revisionOf(round);
  if (ask === null) {
    log.add("ask", "skipped", `${role} is saved, and its context file is as it was`);
  } else {
    const typed = await typeLine(context, typist, ask);
    if (!typed.ok) return objected(round, "ask", typed.error);
    log.add("ask", "done", `typed into pane ${pane}, found by ${round.found.by}`);
    const saved = await passage(round, { states: ["saved", "compacting"], after, timeoutMs: limits.saveMs });
    if (saved.kind !== "reached") return notReached(round, "save", saved);
    // What the client began by itself counts as this round's compaction.
    after = saved.state === "saved" ? saved.revision : saved.revision - 1;
    const detail = saved.state === "saved" ? `${role} is saved` : "the client compacts by itself";
    log.add("save", "done", detail);
  }

  const began = monotonicMs();
  if (!hasCompacted(round, after)) {
    const ready = await awaitReady(context, typist, { graceMs: limits.compactMs, still: true });
    if (!ready.ok) return objected(round, "compact", lateObjection(ready.error));
  }
  // The client may have done it by itself, while it was waited for.
  const byItself = hasCompacted(round, after);
  if (byItself) log.add("compact", "skipped", "the client has compacted by itself");
  else {
    const objection = stillSaved(round);
    if (objection !== null) return objected(round, "compact", objection);
    const typed = await typeLine(context, typist, COMPACT);
    if (!typed.ok) return objected(round, "compact", typed.error);
    log.add("compact", "done", `${COMPACT} typed into pane ${pane}`);
  }
  const timeoutMs = Math.max(0, limits.compactMs - (monotonicMs() - began));
  const back = await passage(round, { states: ["recovering", "active"], after, timeoutMs });
  if (back.kind !== "reached") return notReached(round, "recover", back);
  if (!hasCompacted(round, after)) {
    return objected(round, "recover", {
      code: "not-compacted",
      message: `${role} came to ${back.state} without a compaction.`,
      hint: `Somebody else may have recovered it: ${context.invokedAs} lifecycle.history ${role}.`,
    });
  }
  log.add("recover", "done", `${role} is ${back.state}`);
  return null;
}

/** A pane that did not come to rest in time is a time-out; everything else is what it is. */
function lateObjection(objection: Objection): Objection {
  return objection.passing === true ? { ...objection, code: "timed-out" } : objection;
}

/** Whether the client has begun or ended a compaction since that revision, as the role's history tells. */
function hasCompacted({ context, role }: Round, after: number): boolean {
  const tail = historyTail(historyPath(context.paths, machineName(role)), after);
  return tail.read(Number.MAX_SAFE_INTEGER).some(({ event }) => event === "COMPACT" || event === "COMPACTED");
}

function stillSaved({ context, role }: Round): Objection | null {
  const machine = readMachine(context.paths, role);
  const state = machine.ok ? machine.value?.record.state : undefined;
  if (state === "saved") return null;
  return {
    code: "no-longer-saved",
    message: `${role} is no longer saved but ${state ?? "without a machine"}; ${COMPACT} is not typed.`,
    hint: "Run this again: it asks for another save.",
  };
}

async function passage(
  { context, role, typist, tell }: Round,
  options: {
    readonly states: readonly ("saved" | "compacting" | "recovering" | "active")[];
    readonly after: number;
    readonly timeoutMs: number;
  },
): Promise<Passage> {
  return awaitPassage(context.paths, role, {
    ...options,
    stop: typist.stop,
    isVain: () => {
      const machine = readMachine(context.paths, role);
      return machine.ok && machine.value !== null && ownerLife(machine.value.record) === "ended";
    },
    onEntry: (entry) => {
      if (entry.event !== "CONTEXT_INVALID") return;
      const check = checkContext(context.paths, role, null);
      const why = check.kind === "checked" ? countText(check.errors, check.warnings) : check.problem.message;
      tell(`${role} tried to save, and its context file is not valid: ${why}.`);
    },
  });
}

function revisionOf({ context, role }: Round): number {
  const machine = readMachine(context.paths, role);
  return machine.ok ? (machine.value?.record.revision ?? 0) : 0;
}
