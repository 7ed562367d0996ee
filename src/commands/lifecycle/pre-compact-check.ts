import { invariant } from "../../base/invariant.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { LifecycleEventType } from "../../lifecycle/states.ts";
import { type ContextCheck, checkContext, countText, isGood } from "../check-context.ts";
import { type CommandContext, sessionOf } from "../command-context.ts";
import { keptByGit } from "../lost-file.ts";
import { done, failed, type Report } from "../report.ts";
import { forRole, type RoleInput } from "../role-argument.ts";
import { checkData, createdNote, findings, goodReport, mendRoleHint, savedFacts } from "./save.ts";
import { step } from "./step.ts";
import type { StepPlan } from "./step-plan.ts";

/** `lifecycle.pre.compact [role]`: whether the client may compact now; a valid context file is marked `saved`. */
export async function lifecyclePreCompact(context: CommandContext, input: RoleInput): Promise<Report> {
  const { role: argument } = input;
  if (argument === undefined && !context.env.HIVEMIND_ROLE) {
    return done("No role is named and HIVEMIND_ROLE is not set: nothing to check.\n", { role: null });
  }
  return forRole(context, argument, (role) => checkToCompact(context, role, input.takeOver));
}

async function checkToCompact(context: CommandContext, role: RoleName, takeOver: boolean): Promise<Report> {
  const mark = (create: boolean) =>
    step(
      context,
      role,
      {
        by: "lifecycle.pre.compact",
        sessionId: sessionOf(context),
        create,
        unstick: true,
        owner: takeOver ? "take-over" : "refuse",
        broken: "stop",
      },
      (record) => planCheck(context, role, record),
    );
  const kept = await keptByGit(context, role);
  let result = await mark(false);
  let unmarked: ContextCheck | null = null;
  if (result.ok && result.value === null) {
    unmarked = checkContext(context, role, null);
    // A machine is made to hold that a valid file is saved, as the hook and a save make one; for anything else none is.
    if (isGood(unmarked)) result = await mark(true);
  }
  if (!result.ok) return result.error;
  const marked = result.value;
  // Looked at once: what an agent writes meanwhile must not be told to be saved.
  const check = marked === null ? unmarked : marked.value;
  invariant(check !== null, "a file that no machine was marked for was looked at by itself");
  const state = marked?.after.state ?? null;
  const created = marked === null ? [] : await createdNote(context, role, marked);
  const notes = [...(marked?.notes ?? []), ...created];
  const data = { role, state, ...checkData(check) };
  if (check.kind === "unreadable") {
    const { unreadableContext } = await import("../lost-context.ts");
    const isKnown = marked !== null && marked.before.savedAt !== null;
    return failed(await unreadableContext(context, role, { check, isKnown, kept }), { notes, data });
  }
  if (!check.valid) {
    return failed(
      {
        code: "context-invalid",
        message: `${check.checked.path} is not valid: ${countText(check.errors, check.warnings)}.`,
        hint: mendRoleHint(context, role, check, kept),
      },
      { parts: [findings(check)], notes, data },
    );
  }
  const way = marked?.way.join(" -> ") ?? "no machine";
  const text = `${role}: ${way}\n${check.checked.path} is valid (${countText(0, check.warnings)}); compacting is safe.\n`;
  return goodReport(check, text, data, notes);
}

function planCheck(context: CommandContext, role: RoleName, record: MachineRecord): StepPlan<ContextCheck> {
  const check = checkContext(context, role, record);
  return { ...planMark(context, record, check), value: check };
}

/** The events that bring a machine to `saved` where the file is valid, and out of `saved` where it no longer is. */
export function planMark(
  context: CommandContext,
  record: MachineRecord,
  check: ContextCheck,
): Omit<StepPlan<unknown>, "value"> {
  if (isGood(check)) {
    if (record.state === "saved" && record.contextSha256 === check.sha256) return { events: [] };
    const events: LifecycleEventType[] = [...toSaving(record), "CONTEXT_VALID"];
    // What it says is as old as its save: from there on counts what changed since.
    if (record.contextSha256 === check.sha256) return { events, contextBytes: check.bytes };
    return { events, ...savedFacts(context, check) };
  }
  // `saved` must not stand for a file that is no longer good.
  return { events: record.state === "saved" ? ["SAVE", "CONTEXT_INVALID"] : [] };
}

function toSaving(record: MachineRecord): LifecycleEventType[] {
  return record.state === "saving" ? [] : ["SAVE"];
}
