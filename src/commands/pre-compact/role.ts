import { printableLine } from "../../base/printable.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import type { LifecycleEventType } from "../../lifecycle/states.ts";
import { type ContextCheck, checkContext, countText, isGood } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { planMark } from "../lifecycle/pre-compact-check.ts";
import { HOOK_WAIT_MS, step, unchangedNote } from "../lifecycle/step.ts";
import type { StepPlan } from "../lifecycle/step-plan.ts";

export interface PreCompactRoleInput {
  readonly role: RoleName;
  readonly sessionId: string | null;
  readonly trigger: "manual" | "auto" | "unknown";
  /** Stop a manual compaction whose role is not saved. */
  readonly requireSaved: boolean;
  /** The context file that this session saved in another worktree, and came back from; null where there is none. */
  readonly other: string | null;
}

export interface PreCompactRole {
  /** For the person or agent at the terminal, a line each. */
  readonly warnings: readonly string[];
  /** For the summariser: what it must not lose about the role. */
  readonly guidance: readonly string[];
  /** Why the compaction is stopped; null where it goes on. */
  readonly block: string | null;
}

/** How many findings a hook repeats; the rest is counted. */
const SHOWN_FINDINGS = 5;

/** The role's part of PreCompact: a valid context file is marked `saved`, then the machine goes to `compacting` either way. */
export async function preCompactRole(context: CommandContext, input: PreCompactRoleInput): Promise<PreCompactRole> {
  const { role, other } = input;
  // Looks at the file alone: a machine that cannot be changed now must not let a compaction through.
  const isBlocked = (check: ContextCheck): boolean =>
    input.requireSaved && input.trigger === "manual" && !isGood(check);
  let check: ContextCheck | null = null;
  const result = await step(
    context,
    role,
    {
      by: "pre-compact",
      sessionId: input.sessionId,
      create: true,
      unstick: true,
      owner: "note",
      broken: "restart",
      waitMs: HOOK_WAIT_MS,
    },
    (record) => {
      check = checkContext(context, role, record);
      return isBlocked(check) ? { events: [], value: check } : { ...planCompact(context, record, check), value: check };
    },
  );
  const found = check ?? checkContext(context, role, null);
  const warnings: string[] = [];
  if (result.ok) warnings.push(...(result.value?.notes ?? []));
  else warnings.push(unchangedNote(role, result.error));
  warnings.push(...contextWarnings(context, role, found));
  const recoverCommand = `${context.invokedAs} recover ${role}`;
  const foreign = result.ok ? (result.value?.foreignOwner ?? null) : null;
  const guidance = [
    ...(foreign === null
      ? []
      : [
          `The role ${role} is owned by another session (${foreign}), not by this one: keep in the summary that this was seen.`,
        ]),
    `The agent's role is ${role}. After the compaction its first action is to run: ${recoverCommand}`,
    other !== null
      ? `This session saved it last in another worktree: keep in the summary that ${other} is to be read.`
      : isGood(found)
        ? `Its context file is saved; what it says need not be repeated in the summary.`
        : `Its context file is NOT saved (${reason(found)}): keep in the summary what was done, what is pending, and which files matter.`,
  ];
  const block = isBlocked(found)
    ? `The context of ${role} is not saved: ${reason(found)}. Run ${context.invokedAs} lifecycle.save ${role}, then compact.`
    : null;
  return { warnings, guidance, block };
}

function reason(check: ContextCheck): string {
  if (check.kind === "unreadable") return check.missing ? "it is missing" : "it cannot be read";
  return countText(check.errors, check.warnings);
}

function planCompact(
  context: CommandContext,
  record: MachineRecord,
  check: ContextCheck,
): Omit<StepPlan<unknown>, "value"> {
  // PreCompact again without an end of the one before: that compaction was given up, and the agent went on working.
  const abandoned: LifecycleEventType[] = record.state === "compacting" ? ["RECOVERED"] : [];
  const current: MachineRecord = abandoned.length === 0 ? record : { ...record, state: "active" };
  const mark = planMark(context, current, check);
  const events: LifecycleEventType[] = [...abandoned, ...mark.events];
  // From `recovering` the client may compact again before the agent has come back; the machine takes it by way of a save.
  if (current.state === "recovering" && mark.events.length === 0) events.push("SAVE", "CONTEXT_INVALID");
  events.push("COMPACT");
  return { ...mark, events };
}

function contextWarnings(context: CommandContext, role: RoleName, check: ContextCheck): readonly string[] {
  if (check.kind === "unreadable") return [`Context not saved: ${check.problem.message}`];
  if (check.valid) return [];
  const { path, diagnostics } = check.checked;
  const errors = diagnostics.filter((finding) => finding.severity === "error");
  const lines = errors
    .slice(0, SHOWN_FINDINGS)
    .map(
      (finding) =>
        `${path}:${finding.start.line}:${finding.start.column} ${finding.code} ${printableLine(finding.message)}`,
    );
  const more = errors.length > SHOWN_FINDINGS ? [`and ${errors.length - SHOWN_FINDINGS} more`] : [];
  return [
    `Context not saved: ${path} has ${countText(check.errors, check.warnings)}. ${context.invokedAs} validate ${role} shows them.`,
    ...lines,
    ...more,
  ];
}
