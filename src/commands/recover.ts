import { existsSync } from "node:fs";
import { ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import type { RoleName } from "../lifecycle/role.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";
import { isFolder } from "../platform/stat-of.ts";
import { loadConfig } from "../stores/config-store.ts";
import { recordOf } from "../stores/machine-store.ts";
import { skillPath } from "../stores/role-skill.ts";
import { type ContextCheck, checkContext, isBlank } from "./check-context.ts";
import { type CommandContext, sessionOf } from "./command-context.ts";
import { knownRoles } from "./known-roles.ts";
import { step } from "./lifecycle/step.ts";
import { changesSince, fileFact, recoveryText } from "./recovery-text.ts";
import type { RecoveryTrail } from "./recovery-trail.ts";
import { failed, type Report, usage } from "./report.ts";
import { forRole, type RoleInput } from "./role-argument.ts";

export interface RecoverInput extends RoleInput {
  /** The session whose work is told; else the role's last one, or the one that runs this command. */
  readonly transcript: string | undefined;
  /** Not to recover, but to tell whether the agent has. */
  readonly check: boolean;
  /** For `check`: the project, where it is not a role's recovery that is asked about. */
  readonly project: string | undefined;
}

/** `recover [role]`: everything that an agent without memory needs, the same bytes for the same files; then the machine goes to `active`. */
export async function recover(context: CommandContext, input: RecoverInput): Promise<Report> {
  if (input.check) {
    // The proof reads a transcript: a bundle of its own.
    const { checkRecovery } = await import("./recovery-proof.ts");
    const { role: target, project, transcript } = input;
    return checkRecovery(context, { target, project, transcript });
  }
  if (input.project !== undefined) return usage("--project says whose files --check looks at.", "Add --check.");
  return forRole(context, input.role, (role) => recoverRole(context, role, input));
}

async function recoverRole(context: CommandContext, role: RoleName, input: RecoverInput): Promise<Report> {
  const config = await loadConfig(context.paths);
  const record = recordOf(context.paths, role);
  const check = checkContext(context, role, record);
  const architecture = config.value.recovery.architecture;
  const other = await savedElsewhere(context, role, sessionOf(context) ?? record?.sessionId ?? null);
  const trail = await lastTrail(context, config.value, record, input.transcript);
  if (!trail.ok) return trail.error;
  const text = recoveryText(context, { role, record, check, other, architecture, trail: trail.value?.text ?? null });
  const parts = [{ kind: "text", text } as const];
  const told = trail.value === null ? null : { transcript: trail.value.transcript, text: trail.value.text };
  const notes = [...config.notes, ...(trail.value?.notes ?? [])];
  const data = {
    role,
    root: context.paths.root,
    skill: fileFact(context, skillPath(context.paths, role)),
    architecture: fileFact(context, architecture),
    changes: changesSince(context, { record, check, other }),
    trail: told,
    context:
      check.kind === "checked"
        ? { path: check.checked.path, valid: check.valid, text: check.checked.text }
        : { path: check.path, valid: false, text: null },
  };
  if (isLost(check)) {
    const { path } = data.context;
    const missing = check.kind === "unreadable";
    const { lostContextHint } = await import("./lost-context.ts");
    const hint = await lostContextHint(context, { role, path, missing, isKnown: record?.savedAt != null });
    const problem = missing ? check.problem : { code: "context-empty", message: `${path} is empty.` };
    return failed({ ...problem, hint }, { parts, notes, data: { ...data, roles: knownRoles(context) } });
  }
  if (check.kind === "unreadable") {
    return failed(check.problem, { parts, notes, data: { ...data, roles: knownRoles(context) } });
  }

  const result = await step(
    context,
    role,
    {
      by: "recover",
      sessionId: sessionOf(context),
      create: false,
      unstick: "say",
      owner: input.takeOver ? "take-over" : "look",
      broken: "restart-always",
    },
    () => ({ events: ["RECOVERED"], value: null }),
  );
  // What the agent needs was read without the machine: it is printed all the same.
  if (!result.ok) return { ...result.error, parts, notes, data };
  if (sessionOf(context) !== null) {
    const { notePrinted } = await import("./recovery-proof.ts");
    notePrinted(context, role);
  }
  const from = result.value === null || result.value.created ? null : result.value.before.state;
  const moved = result.value === null ? [] : [`${role}: ${from ?? "unreadable"} -> ${result.value.after.state}.`];
  return {
    outcome: "done",
    parts,
    notes: [...notes, ...(result.value?.notes ?? []), ...moved],
    data: { ...data, state: result.value?.after.state ?? null, from },
  };
}

/** As `otherSave`, for which most repositories load nothing: they have no worktrees, and are none. */
async function savedElsewhere(context: CommandContext, role: RoleName, session: string | null): Promise<string | null> {
  const git = `${context.paths.root}/.git`;
  const isTree = existsSync(git) && !isFolder(git);
  if (!isTree && !existsSync(`${git}/worktrees`)) return null;
  return (await import("./role-roots.ts")).otherSave(context, role, session);
}

/** Whether nothing at all is left of the context file. */
function isLost(check: ContextCheck): boolean {
  return check.kind === "unreadable" ? check.missing : isBlank(check);
}

/** What was done in the session that was forgotten; null where its transcript is not known. */
async function lastTrail(
  context: CommandContext,
  config: Config,
  record: MachineRecord | null,
  named: string | undefined,
): Promise<Result<RecoveryTrail | null, Report>> {
  const session = record?.sessionId ?? sessionOf(context);
  if (named === undefined && session === null) return ok(null);
  // Most recoveries know no transcript: reading one is a bundle of its own.
  const { recoveryTrail } = await import("./recovery-trail.ts");
  return recoveryTrail(context, config, session, named);
}
