import { existsSync } from "node:fs";
import { printableBlock, printableLine } from "../base/printable.ts";
import { parseContextFile } from "../context-file/parse.ts";
import type { RoleName } from "../lifecycle/role.ts";
import type { MachineRecord } from "../lifecycle/snapshot.ts";
import { realPathInside } from "../platform/contain.ts";
import { isFolder } from "../platform/stat-of.ts";
import { inRoot } from "../stores/paths.ts";
import { skillPath } from "../stores/role-skill.ts";
import { mainCheckout } from "../stores/worktree.ts";
import { type ContextCheck, countText, isBlank } from "./check-context.ts";
import type { CommandContext } from "./command-context.ts";
import { gitHead } from "./git-head.ts";
import { knownRoles } from "./known-roles.ts";
import { RECOVERY_CHECKLIST } from "./recovery-checklist.ts";

export interface RecoveryFacts {
  readonly role: RoleName;
  readonly record: MachineRecord | null;
  readonly check: ContextCheck;
  /** The context file that the session saved in another worktree; null where there is none. */
  readonly other: string | null;
  /** Of the architecture document, relative to the root. */
  readonly architecture: string;
  /** What was done in the last session, as Markdown; null where no transcript of it is known. */
  readonly trail: string | null;
}

/** What an agent without memory reads: the same bytes for the same files. */
export function recoveryText(context: CommandContext, facts: RecoveryFacts): string {
  const { role, record, check, architecture, trail } = facts;
  const { root } = context.paths;
  const lines = [
    `# Recovery of ${role}`,
    "",
    `Role: ${role}`,
    `Owner: ${ownerText(record)}`,
    // A worktree's own name says nothing of the project.
    `Project: ${printableLine(mainCheckout(root) ?? root)}`,
    `Workspace: ${printableLine(root)} (paths below are relative to it)`,
    "",
    "## Checklist",
    "",
    ...RECOVERY_CHECKLIST.map((item, index) => `${index + 1}. ${item}`),
    "",
    "## Skill file",
    "",
    fileLine(context, skillPath(context.paths, role)),
    "",
    "## Architecture",
    "",
    fileLine(context, architecture),
    "",
    "## Changed since the save",
    "",
    ...changesSince(context, facts).map((change) => `- ${change}`),
    "",
    ...(trail === null ? [] : [printableBlock(trail.replace(/^#/gm, "##")).trimEnd(), ""]),
    "## Context file",
    "",
    ...contextLines(context, check),
    "",
    check.kind === "checked" && !isBlank(check)
      ? `Recovery of ${role} is complete: begin with step 1 of the checklist.`
      : `Recovery of ${role} is not complete: the context file ${lostText(check)}.`,
  ];
  return `${lines.join("\n")}\n`;
}

function lostText(check: ContextCheck): string {
  if (check.kind === "checked") return "is empty";
  return check.missing ? "is missing" : "cannot be read";
}

function ownerText(record: MachineRecord | null): string {
  if (record?.sessionId == null) return "no session recorded";
  return `session ${printableLine(record.sessionId)}${record.ownedSince === null ? "" : ` since ${record.ownedSince}`}`;
}

function fileLine(context: CommandContext, path: string): string {
  const { state } = fileFact(context, path);
  return state === "present" ? printableLine(path) : `${printableLine(path)} (${state})`;
}

/** Whether a file that a recovery names is there; one outside the project is not looked at. */
export function fileFact(
  context: CommandContext,
  path: string,
): { path: string; state: "present" | "missing" | "a folder" | "refused: outside the project" } {
  const full = inRoot(context.paths, path);
  if (realPathInside(context.paths.root, full) === null) return { path, state: "refused: outside the project" };
  return { path, state: isFolder(full) ? "a folder" : existsSync(full) ? "present" : "missing" };
}

function contextLines(context: CommandContext, check: ContextCheck): readonly string[] {
  if (check.kind === "unreadable") {
    const roles = knownRoles(context);
    return [
      check.problem.message,
      roles.length === 0 ? "No role exists in this project." : `Roles that exist: ${roles.join(", ")}.`,
    ];
  }
  const { path, text, diagnostics } = check.checked;
  // Errors alone: a warning of being stale comes with the first recovery, and the second prints the same bytes.
  const verdict = check.valid ? "" : ` It is not valid: ${countText(check.errors, 0)}.`;
  const findings = diagnostics
    .filter((finding) => finding.severity === "error")
    .map((finding) => `- line ${finding.start.line}: ${printableLine(finding.message)}`);
  // Without the look back each of many blank lines would be a beginning to try.
  const body = printableBlock(text.replace(/^\uFEFF/, "")).replace(/(?<!\n)\n+$/, "");
  return [`${path}, whole, between the two lines of dashes.${verdict}`, ...findings, "", RULE, body, RULE];
}

const RULE = "-".repeat(72);

/** What is known to differ from the last good save; recorded facts are looked at again, never repeated on trust. */
export function changesSince(
  context: CommandContext,
  { record, check, other }: Pick<RecoveryFacts, "record" | "check" | "other">,
): readonly string[] {
  const changes: string[] = [];
  if (record?.savedAt == null) {
    changes.push("No save is recorded: what the context file says may be old.");
  } else {
    changes.push(
      `Saved ${record.savedAt}${record.branch === null ? "" : ` on branch ${printableLine(record.branch)}`}.`,
    );
    const head = gitHead(context.paths.root);
    const branch = head?.branch ?? null;
    const commit = head?.commit ?? null;
    if (branch !== record.branch) changes.push(`Branch was ${shown(record.branch)}, is ${shown(branch)}.`);
    if (commit !== record.commit) changes.push(`Commit was ${shown(record.commit)}, is ${shown(commit)}.`);
  }
  if (record?.unsaved) changes.push("The last compaction began before a good save.");
  if (other !== null) {
    changes.push(
      `This session saved the role in ${printableLine(other)} as well, and it says something else: read it too.`,
    );
  }
  if (check.kind === "unreadable") return changes;
  if (record?.contextSha256 != null && record.contextSha256 !== check.sha256)
    changes.push("The context file was edited.");
  for (const path of parseContextFile(check.checked.text).data.keyFiles) {
    const full = inRoot(context.paths, path);
    if (realPathInside(context.paths.root, full) !== null && !existsSync(full)) {
      changes.push(`Key file gone: ${printableLine(path)}`);
    }
  }
  if (record?.savedAt != null && changes.length === 1) changes.push("Nothing changed since.");
  return changes;
}

function shown(value: string | null): string {
  return value === null ? "none" : printableLine(value);
}
