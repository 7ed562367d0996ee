import { err, ok, type Result } from "../../base/result.ts";
import { monotonicMs } from "../../platform/clock.ts";
import type { MachineError } from "../../stores/machine-access.ts";
import { recordOf } from "../../stores/machine-store.ts";
import { checkContext, countText } from "../check-context.ts";
import { ownerLife } from "../lifecycle/owner-life.ts";
import { turnText } from "../lifecycle/store-turn.ts";
import type { Report } from "../report.ts";
import { awaitPassage, type Passage } from "./await-passage.ts";
import { paneName } from "./find-pane.ts";
import { newEntries } from "./new-entries.ts";
import { NOT_THE_CLIENT, type Objection } from "./occupant.ts";
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
  const before = await hasCompacted(round, after);
  if (!before.ok) return objected(round, "compact", before.error);
  if (!before.value) {
    const ready = await awaitReady(context, typist, { graceMs: limits.compactMs, still: true });
    if (!ready.ok) return objected(round, "compact", lateObjection(ready.error));
  }
  // The client may have done it by itself, while it was waited for.
  const byItself = await hasCompacted(round, after);
  if (!byItself.ok) return objected(round, "compact", byItself.error);
  if (byItself.value) log.add("compact", "skipped", "the client has compacted by itself");
  else {
    const objection = await stillSaved(round);
    if (objection !== null) return objected(round, "compact", objection);
    const typed = await typeLine(context, typist, COMPACT);
    if (!typed.ok) return objected(round, "compact", typed.error);
    log.add("compact", "done", `${COMPACT} typed into pane ${pane}`);
  }
  const timeoutMs = Math.max(0, limits.compactMs - (monotonicMs() - began));
  const back = await passage(round, { states: ["recovering", "active"], after, timeoutMs });
  if (back.kind !== "reached") return notReached(round, "recover", back);
  const compacted = await hasCompacted(round, after);
  if (!compacted.ok) return objected(round, "recover", compacted.error);
  if (!compacted.value) {
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
  return objection.passing === true && objection.code !== NOT_THE_CLIENT
    ? { ...objection, code: "timed-out" }
    : objection;
}

/** Whether the client has begun or ended a compaction since that revision, as the role's history tells. */
async function hasCompacted({ context, role }: Round, after: number): Promise<Result<boolean, Objection>> {
  const entries = await newEntries(context.paths, role, after)(Number.MAX_SAFE_INTEGER);
  if (!entries.ok) return err(lostObjection(entries.error));
  return ok(entries.value.some(({ event }) => event === "COMPACT" || event === "COMPACTED"));
}

function lostObjection({ path, message }: MachineError): Objection {
  return { code: "store-unreachable", message: `${path} ${message}.`, hint: "Run this again when it is there." };
}

async function stillSaved({ context, role }: Round): Promise<Objection | null> {
  // In a store that is shared, what was fetched is minutes old by now.
  const fetched = await context.paths.shared?.refresh();
  if (fetched?.ok === false) return lostObjection(fetched.error);
  const state = recordOf(context.paths, role)?.state;
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
    onTurn: (turn) => tell(turnText(turn)),
    isVain: () => {
      const record = recordOf(context.paths, role);
      return record !== null && ownerLife(record) === "ended";
    },
    onEntry: (entry) => {
      if (entry.event !== "CONTEXT_INVALID") return;
      const check = checkContext(context, role, null);
      const why = check.kind === "checked" ? countText(check.errors, check.warnings) : check.problem.message;
      tell(`${role} tried to save, and its context file is not valid: ${why}.`);
    },
  });
}

function revisionOf({ context, role }: Round): number {
  return recordOf(context.paths, role)?.revision ?? 0;
}
