import { contextFileTemplate } from "../context-file/template.ts";
import type { RoleName } from "../lifecycle/role.ts";
import { ownPane } from "../platform/tmux.ts";
import { createContextFile, readContextFile, writeContextFile } from "../stores/context-file-store.ts";
import { contextFilePath, shownPath } from "../stores/paths.ts";
import { skillPath } from "../stores/role-skill.ts";
import { unread } from "./check-context.ts";
import type { CommandContext } from "./command-context.ts";
import { identityConflict } from "./identity.ts";
import { pathFrom } from "./path-from.ts";
import { done, failed, type Report } from "./report.ts";
import { forRole } from "./role-argument.ts";
import { unwritable } from "./unwritable.ts";

export interface NewInput {
  readonly role: string | undefined;
  readonly description: string | undefined;
  readonly pane: string | undefined;
  readonly force: boolean;
}

/** `new <role>`: a valid context file to fill in. */
export function newContextFile(context: CommandContext, input: NewInput): Promise<Report> {
  return forRole(context, input.role, (role) => newFileOf(context, role, input));
}

async function newFileOf(context: CommandContext, role: RoleName, input: NewInput): Promise<Report> {
  const path = contextFilePath(context.paths, role);
  const shown = shownPath(context.paths, path);
  const existing = readContextFile(context.paths, role);
  const free = !existing.ok && existing.error.problem === "missing";
  if (!existing.ok && /^(?:denied|link)$/.test(existing.error.problem)) {
    return failed(unread(shown, existing.error, ""));
  }
  if (!free && !input.force) return alreadyThere(shown);
  const other = input.pane === undefined ? await otherRole(context, role) : null;
  const text = contextFileTemplate({
    role,
    ...(input.description === undefined ? {} : { description: input.description }),
    skill: skillPath(context.paths, role),
    pane: input.pane ?? (other === null ? await paneText(context) : "none"),
    date: `${context.now().toISOString().slice(0, 16)}Z`,
  });
  const written = input.force
    ? writeContextFile(context.paths, path, text, existing.ok ? existing.value.mode : undefined)
    : createContextFile(context.paths, path, text);
  if (!written.ok) return failed(unwritable(shown, written.error));
  // Somebody was faster.
  if (written.value === false) return alreadyThere(shown);
  return done(
    `${pathFrom(context, path)} is written.\nNext: fill it in, then run ${context.invokedAs} lifecycle.save ${role}\n`,
    { role, path: shown, replaced: !free },
    other === null ? [] : [other],
  );
}

function alreadyThere(shown: string): Report {
  return failed({
    code: "already-there",
    message: `${shown} is already there.`,
    hint: "It is left as it is; --force replaces it.",
  });
}

/** Why this pane is not the role's, as a line for stderr; null where nothing says so. */
async function otherRole(context: CommandContext, role: RoleName): Promise<string | null> {
  if (!context.env.TMUX_PANE) return null;
  const { HIVEMIND_ROLE: inherited } = context.env;
  const conflict =
    inherited && inherited !== role
      ? { role: inherited, source: "HIVEMIND_ROLE" }
      : await identityConflict(context, role);
  if (conflict === null) return null;
  return `This pane is not ${role}'s: ${conflict.source} says ${JSON.stringify(conflict.role)}. The Pane field says none; --pane names one.`;
}

/** `0.4 in cursorOrchestrator` inside tmux; elsewhere there is no pane to come back to. */
async function paneText(context: CommandContext): Promise<string> {
  const pane = await ownPane(context.env);
  const [, session, place] = /^(.*):(\d+\.\d+)$/.exec(pane?.address ?? "") ?? [];
  return session === undefined || place === undefined ? "none" : `${place} in ${session}`;
}
