import { invariant } from "../../base/invariant.ts";
import { isoText } from "../../base/iso-text.ts";
import { suggest } from "../../base/suggest.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { MachineRecord } from "../../lifecycle/snapshot.ts";
import { contextFilePath, projectPaths, shownPath } from "../../stores/paths.ts";
import { projectAbove } from "../../stores/project-above.ts";
import { type CheckedContext, type ContextCheck, checkContext, countText, isGood } from "../check-context.ts";
import { type CommandContext, sessionOf } from "../command-context.ts";
import { gitHead } from "../git-head.ts";
import { knownRoles } from "../known-roles.ts";
import { rootOption } from "../looked-into.ts";
import { keptByGit } from "../lost-file.ts";
import { mendHint } from "../mend-hint.ts";
import { done, failed, type Report } from "../report.ts";
import { findingsData } from "../report-json.ts";
import { absentRoleHint, forRole, type RoleInput } from "../role-argument.ts";
import { roleExists } from "../role-exists.ts";
import { step } from "./step.ts";
import type { StepDone, StepPlan } from "./step-plan.ts";

/** `lifecycle.save <role>`: validates the context file and marks the role `saved`, or leaves it in `saving` with the findings. */
export function lifecycleSave(context: CommandContext, input: RoleInput): Promise<Report> {
  return forRole(context, input.role, (role) => saveRole(context, role, input.takeOver));
}

async function saveRole(context: CommandContext, role: RoleName, takeOver: boolean): Promise<Report> {
  const unknown = refuseUnknown(context, role);
  if (unknown !== null) return unknown;
  const kept = await keptByGit(context, role);
  const result = await step(
    context,
    role,
    {
      by: "lifecycle.save",
      sessionId: sessionOf(context),
      create: true,
      unstick: true,
      owner: takeOver ? "take-over" : "refuse",
      broken: "stop",
    },
    (record) => planSave(context, role, record),
  );
  if (!result.ok) return result.error;
  invariant(result.value !== null, "a step that creates has a machine");
  return saveReport(context, role, { ...result.value, kept });
}

/** The events that a save sends, from the context file as it stands now. */
function planSave(context: CommandContext, role: RoleName, record: MachineRecord): StepPlan<ContextCheck> {
  const check = checkContext(context, role, record);
  if (!isGood(check)) return { events: ["SAVE", "CONTEXT_INVALID"], value: check };
  return { events: ["SAVE", "CONTEXT_VALID"], ...savedFacts(context, check), value: check };
}

/** What a good save records, so that a recovery can say what changed since. */
export function savedFacts(
  context: CommandContext,
  check: CheckedContext,
): Pick<StepPlan<unknown>, "facts" | "contextBytes"> {
  const head = gitHead(context.paths.root);
  const facts = {
    contextSha256: check.sha256,
    savedAt: isoText(context.now()),
    branch: head?.branch ?? null,
    commit: head?.commit ?? null,
  };
  return { facts, contextBytes: check.bytes };
}

async function saveReport(
  context: CommandContext,
  role: RoleName,
  result: StepDone<ContextCheck> & { readonly kept: string | null },
): Promise<Report> {
  const { value: check, before, after } = result;
  const said = [...result.notes, ...(await createdNote(context, role, result))];
  const way = result.way.join(" -> ");
  const data = { role, state: after.state, revision: after.revision, ...checkData(check) };
  if (check.kind === "unreadable") {
    const { unreadableContext } = await import("../lost-context.ts");
    const problem = await unreadableContext(context, role, {
      check,
      isKnown: before.savedAt !== null,
      kept: result.kept,
    });
    return failed(problem, { parts: [{ kind: "text", text: `${role}: ${way}\n` }], notes: said, data });
  }
  if (!check.valid) {
    return failed(
      {
        code: "context-invalid",
        message: `${check.checked.path} is not valid: ${countText(check.errors, check.warnings)}. ${role} stays in "${after.state}".`,
        hint: mendRoleHint(context, role, check, result.kept),
      },
      { parts: [{ kind: "text", text: `${role}: ${way}\n` }, findings(check)], notes: said, data },
    );
  }
  const text =
    `${role}: ${way}\n` +
    `${check.checked.path} is valid (${countText(0, check.warnings)}), SHA-256 ${check.sha256}\n` +
    `Next: compact whenever you need to; after it, run ${context.invokedAs} recover ${role}\n`;
  return goodReport(check, text, data, said);
}

/** The report on a good file: its warnings, where it has any, and what was done. */
export function goodReport(
  check: CheckedContext,
  text: string,
  data: Report["data"],
  notes: readonly string[],
): Report {
  const report = done(text, data, notes);
  return check.warnings === 0 ? report : { ...report, parts: [findings(check), ...report.parts] };
}

/** A machine that nobody asked for is told, and one that the client's hooks may know nothing of. */
export async function createdNote(
  { paths, env }: CommandContext,
  role: RoleName,
  { created }: StepDone<unknown>,
): Promise<readonly string[]> {
  if (!created) return [];
  const note = `${role} had no machine; it is created.`;
  const above = projectAbove(paths.root, role);
  if (above === null) return [note];
  const { worktreeInHand } = await import("../role-roots.ts");
  const follows = (await worktreeInHand({ paths: projectPaths(above, env), env }, paths.root)) !== null;
  const where = follows ? "hooks go by this one while you stand here; for who looks there" : "if the client runs there";
  return [
    note,
    `The project that this one belongs to has it too: ${where}, write and save that, with ${rootOption(above)}.`,
  ];
}

/** What can be done about a role's file that is not valid, so that it is saved. */
export function mendRoleHint(
  context: CommandContext,
  role: RoleName,
  check: CheckedContext,
  kept: string | null,
): string {
  const { invokedAs } = context;
  return mendHint([check.checked], {
    kept,
    again: `${invokedAs} lifecycle.save ${role}`,
    fix: `${invokedAs} validate --fix ${role}`,
    anew: `${invokedAs} new ${role} --force`,
  });
}

/** A context file's findings, as a part of a report. */
export function findings(check: CheckedContext): Report["parts"][number] {
  return { kind: "findings", files: [check.checked] };
}

/** What a check found, for a program. */
export function checkData(check: ContextCheck): Record<string, unknown> {
  if (check.kind === "unreadable")
    return { context: { path: check.path, health: check.missing ? "missing" : "unreadable" } };
  return {
    context: {
      path: check.checked.path,
      health: check.valid ? "valid" : "invalid",
      errors: check.errors,
      warnings: check.warnings,
      sha256: check.sha256,
      findings: findingsData(check.checked.diagnostics),
    },
  };
}

/**
 * A role that has neither a context file nor a machine, and nearly the name of one that has, is most likely misspelt, and one
 * that the project around this one has is meant there: nothing is made for it. Any other is new: its save has been tried, and stays in `saving` like every save of a file that is missing.
 */
function refuseUnknown(context: CommandContext, role: RoleName): Report | null {
  if (roleExists(context.paths, role)) return null;
  const known = knownRoles(context);
  // A link that leads nowhere is there, and the check says what is wrong with it.
  if (known.includes(role)) return null;
  if (suggest(role, known) === null && projectAbove(context.paths.root, role) === null) return null;
  const there = known.length === 0 ? "There is no role here." : `Roles that exist: ${known.join(", ")}.`;
  return failed(
    {
      code: "context-missing",
      message: `${shownPath(context.paths, contextFilePath(context.paths, role))} does not exist, and ${role} has no machine. ${there}`,
      hint: absentRoleHint(context, role, "new"),
    },
    { data: { role, roles: known } },
  );
}
