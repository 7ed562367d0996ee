import { existsSync } from "node:fs";
import { printableLine } from "../../base/printable.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { loadConfig } from "../../stores/config-store.ts";
import type { CommandContext } from "../command-context.ts";
import { deliveryOf } from "../second-delivery.ts";
import { preCompactProject } from "./project.ts";
import type { PreCompactRole } from "./role.ts";

export interface PreCompactInput {
  readonly role: RoleName | null;
  /** What stands where a role's name is expected, and is none; null where nothing does. */
  readonly misnamed: string | null;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  readonly cwd: string | null;
  readonly trigger: "manual" | "auto" | "unknown";
  readonly requireSaved: boolean;
  /** Text for the summariser is asked for: it takes work that is otherwise left out. */
  readonly wantsGuidance: boolean;
  /** False for a look: nothing is written. */
  readonly live: boolean;
}

export interface PreCompactResult {
  readonly guidance: string;
  readonly warnings: readonly string[];
  /** Why the compaction is stopped; null where it goes on. */
  readonly block: string | null;
}

/** The summariser's prompt takes at most this many characters of ours; the contract's figure. */
const GUIDANCE_MAX = 2000;

/** PreCompact: the role is marked, the project in hand is written down, the summariser is told what to keep. */
export async function preCompact(context: CommandContext, input: PreCompactInput): Promise<PreCompactResult> {
  const { sessionId, transcriptPath, trigger } = input;
  const isSecond = async (): Promise<boolean> =>
    input.live &&
    input.wantsGuidance &&
    (await deliveryOf(context, { sessionId, transcriptPath, what: "pre-compact", occasion: trigger })) === "second";
  if (input.role !== null && (await isSecond())) return { guidance: "", warnings: [], block: null };
  const config = await loadConfig(context.paths);
  // What a session without a role, or a plain hook, does not need is a bundle of its own.
  const conflict = await doubtOf(context, input);
  const role =
    input.role === null || conflict !== null
      ? conflict
      : await (await import("./role.ts")).preCompactRole(context, {
          ...input,
          role: input.role,
          other: await savedElsewhere(context, input.role, sessionId),
        });
  if (role?.block) return { guidance: "", warnings: role.warnings, block: role.block };
  const project = await preCompactProject(context, config.value, input);
  const first = (role?.guidance ?? []).map((line) => `${line}\n`).join("");
  const work = input.wantsGuidance
    ? (await import("./work-guidance.ts")).workGuidance(context, config.value, input, project, first.length)
    : { text: "", warnings: [] };
  const lines = `${first}${work.text}`.split("\n").filter((line) => line !== "");
  // A folder that no start has made is not made for this.
  const told =
    input.role === null && lines.length > 0 && existsSync(context.paths.cache) && (await isSecond()) ? [] : lines;
  return {
    // A person who tries the hook reads it on a terminal.
    guidance: fitLines(told.map(printableLine), GUIDANCE_MAX),
    // A transcript that cannot be read may be told by both of its readers.
    warnings: [...new Set([...config.notes, ...(role?.warnings ?? []), ...project.warnings, ...work.warnings])],
    block: null,
  };
}

/** Most repositories have no worktree that the session may have come back from. */
async function savedElsewhere(context: CommandContext, role: RoleName, session: string | null): Promise<string | null> {
  if (!existsSync(`${context.paths.root}/.git/worktrees`)) return null;
  return (await import("../role-roots.ts")).otherSave(context, role, session);
}

/** What is to be told in the role's place, where it is not certain which one the agent has; null where there is no doubt. */
async function doubtOf(
  context: CommandContext,
  { role, misnamed: name }: PreCompactInput,
): Promise<PreCompactRole | null> {
  if (name !== null) return misnamed(context, name);
  return role === null ? null : conflictOf(context, role);
}

/** What should name a role and does not: after the compaction nobody would know that there was one. */
async function misnamed(context: CommandContext, name: string): Promise<PreCompactRole> {
  const { misnamedRole } = await import("../misnamed-role.ts");
  const text = misnamedRole(context, name);
  return { warnings: [text], guidance: [`Keep in the summary which role this agent worked as. ${text}`], block: null };
}

/** A role that is probably another agent's: nothing is done to it, and everybody is told. */
async function conflictOf(context: CommandContext, role: RoleName): Promise<PreCompactRole | null> {
  // Outside tmux nobody else could say who this is.
  if (!context.env.TMUX_PANE) return null;
  const { conflictText, identityConflict } = await import("../identity.ts");
  const conflict = await identityConflict(context, role);
  if (conflict === null) return null;
  const text = conflictText(role, conflict);
  return {
    warnings: [
      `${text} The state of neither was changed: unset HIVEMIND_ROLE here, or set it to the role of this pane.`,
    ],
    guidance: [
      `It is not certain which role this agent has: ${text} Keep in the summary which of the two it worked as; after the compaction it names that role in full: ${context.invokedAs} recover <role>`,
    ],
    block: null,
  };
}

/** Whole lines from the first on, as many as fit. */
function fitLines(lines: readonly string[], limit: number): string {
  let text = "";
  for (const line of lines) if (text.length + line.length + 1 <= limit) text += `${line}\n`;
  return text;
}
