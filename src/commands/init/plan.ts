import { existsSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { shellQuote } from "../../base/shell-word.ts";
import { PROJECT_MARKS } from "../../config/default-config.ts";
import { HOOK_SCRIPTS, type HookScript, STANDARD_HOOKS } from "../../install/hook-scripts.ts";
import { guardedCommand, projectScriptCommand, wantedHooks } from "../../install/our-hooks.ts";
import type { Rest } from "../../install/settings-edit.ts";
import { USER_SCRIPT } from "../../install/user-script.ts";
import { shownPath } from "../../stores/paths.ts";
import {
  HOOKS_FOLDER,
  obstacleTo,
  projectSettings,
  userHookScript,
  userHooks,
  userSettings,
} from "../../stores/setup-file.ts";
import { repositoryRoot } from "../../stores/worktree.ts";
import type { CommandContext } from "../command-context.ts";
import type { Change } from "./change.ts";
import type { ProgramPlace } from "./find-program.ts";
import {
  agentsFolder,
  emptyFolders,
  emptyUserFolders,
  findScripts,
  planScripts,
  planUserScript,
  removeScripts,
} from "./plan-scripts.ts";
import {
  droppedFile,
  editOf,
  enabledPlugin,
  factNotes,
  openSettings,
  type PlanProblem,
  type SettingsFile,
} from "./plan-settings.ts";

/** What is to be done, and what there is to say about it. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** The settings file that registers hooks, as a person reads it, and why that one; null where none is to. */
  readonly target: { readonly shown: string; readonly why: string } | null;
  /** The plugin that registers the same hooks; then setting up registers the gate at most, which the plugin does not. */
  readonly plugin: string | null;
  /** The settings of all projects, as a person reads them, that register the hooks for this one too; then likewise. */
  readonly forAll: string | null;
  /** Whether the gate is, or is to be, registered. */
  readonly gate: boolean;
  /** Files in which hooks of ours stand beside that plugin's. */
  readonly twice: readonly string[];
}

export interface PlanInput {
  readonly remove: boolean;
  readonly user: boolean;
  /** Register the gate; to remove: it alone. Where it is registered it stays without being asked for. */
  readonly gate: boolean;
  /** Hook entries that the session-start document is split over. */
  readonly parts: number;
}

export function makePlan(context: CommandContext, program: ProgramPlace, input: PlanInput): Result<Plan, PlanProblem> {
  const plan = input.user ? planUser(context, program, input) : planProject(context, program, input);
  const problem = plan.ok ? inTheWay(context, plan.value.changes, input) : null;
  return problem === null ? plan : err(problem);
}

/** What would stop a change halfway is said before the first is made. */
function inTheWay(
  { paths, invokedAs }: CommandContext,
  changes: readonly Change[],
  { remove, user }: PlanInput,
): PlanProblem | null {
  const command = `${invokedAs} init${remove ? " --remove" : ""}${user ? " --user" : ""}`;
  for (const { action, file } of changes) {
    const obstacle = obstacleTo(file, action === "create-folder" || action === "delete-folder" ? "folder" : "file");
    if (obstacle === null) continue;
    const shown = shownPath(paths, obstacle.path);
    const hint = `${obstacle.way.replace("%", () => shown)}, and run ${command}.`;
    return { code: "in-the-way", message: `${shown} ${obstacle.message}.`, hint };
  }
  return null;
}

/** The hooks that are to be registered, where `elsewhere` tells what registers the standard ones already. */
function hooksFor(input: PlanInput, elsewhere: string | null, files: readonly SettingsFile[]): readonly HookScript[] {
  if (input.remove) return [];
  const gate = input.gate || files.some(({ facts }) => facts.gate === "usual");
  return [...(elsewhere === null ? STANDARD_HOOKS : []), ...(gate ? (["gate"] as const) : [])];
}

/** Hooks of all projects go by a script of the user's own: a project's files are not to be run before it is trusted. */
function planUser(context: CommandContext, program: ProgramPlace, input: PlanInput): Result<Plan, PlanProblem> {
  const settings = openUserSettings(context);
  if (!settings.ok) return settings;
  const file = settings.value;
  const plugin = input.remove ? null : enabledPlugin([file]);
  const start = shellQuote(forwardSlashes(join(userHooks(context.env).named, USER_SCRIPT)));
  const hooks = hooksFor(input, plugin, [file]);
  const wanted = hooks.flatMap((hook) =>
    wantedHooks(input.parts, () => `${start} ${hook}`, [hook]).map((one) => ({
      ...one,
      command: guardedCommand(start, hook, one.command, PROJECT_MARKS),
    })),
  );
  const dropped = wanted.length === 0 ? null : droppedFile(file);
  if (dropped !== null) return err(dropped);
  const gone = input.remove && !input.gate;
  const edit = editOf(
    file,
    { wanted, rest: input.remove ? removal(input) : "keep" },
    gone ? startsUserScript : () => false,
  );
  if (!edit.ok) return edit;
  const place = program.kind === "machine" ? forwardSlashes(program.path) : null;
  const script =
    wanted.length > 0 || gone ? planUserScript(context, gone ? "none" : { program: place }) : ok<readonly Change[]>([]);
  if (!script.ok) return script;
  const named = place === null ? "" : ` The script that they start names ${program.path}: ${program.why}.`;
  // Lines name the script only where it is.
  const changes = gone ? [...edit.value.changes, ...script.value] : [...script.value, ...edit.value.changes];
  return ok({
    changes: gone ? [...changes, ...emptyUserFolders(context, changes)] : changes,
    notes: [...edit.value.notes, ...factNotes([file])],
    target: wanted.length === 0 ? null : { shown: file.shown, why: `it holds for all your projects.${named}` },
    plugin,
    forAll: null,
    gate: hooks.includes("gate"),
    twice: plugin === null || file.facts.events.length === 0 ? [] : [file.shown],
  });
}

function planProject(context: CommandContext, program: ProgramPlace, input: PlanInput): Result<Plan, PlanProblem> {
  const { paths } = context;
  const found = findScripts(context);
  if (!found.ok) return found;
  const { foreign } = found.value;
  const shared = openSettings(context, projectSettings(paths, "shared"), foreign);
  if (!shared.ok) return shared;
  const local = openSettings(context, projectSettings(paths, "local"), foreign);
  if (!local.ok) return local;
  // The file of all projects is only looked at: what is wrong with it is for its owner, not for this project.
  const user = openUserSettings(context);
  const own = [shared.value, local.value];
  const known = [...(user.ok ? [user.value] : []), ...own];
  const plugin = input.remove ? null : enabledPlugin(known);
  const serving = !input.remove && plugin === null && user.ok && isServed(user.value, own) ? user.value : null;
  const idle = serving === null ? null : (droppedFile(serving) ?? scriptGone(context, serving));
  if (idle !== null) return err(idle);
  const forAll = serving?.shown ?? null;
  const elsewhere = plugin ?? forAll;
  const hasGate = user.ok && user.value.facts.gate !== null;
  const hooks = hooksFor({ ...input, gate: input.gate && !(forAll !== null && hasGate) }, elsewhere, own);
  const scripts = planScripts(context, found.value, hooks);
  if (!input.remove && !scripts.ok) return scripts;
  const names = scripts.ok ? scripts.value.names : new Map<HookScript, string>();
  const machine = program.kind === "machine";
  // The client runs equal lines once, of which it may find a second one in the main checkout.
  const root = forwardSlashes(repositoryRoot(paths.root));
  const place = machine ? { program: forwardSlashes(program.path), root } : null;
  const wanted = wantedHooks(
    input.parts,
    (hook) => projectScriptCommand(`${HOOKS_FOLDER}/${names.get(hook)}`, place),
    hooks,
  );
  const dropped = wanted.length === 0 ? null : (droppedFile(shared.value) ?? droppedFile(local.value));
  if (dropped !== null) return err(dropped);
  if (machine && wanted.length > 0 && shared.value.facts.portable) return err(notFoundHere(shared.value, program));
  const isGone = input.remove ? startsScript(context, input.gate ? ["gate"] : HOOK_SCRIPTS) : () => false;
  const inShared = editOf(
    shared.value,
    {
      wanted: machine ? [] : wanted,
      rest: input.remove ? removal(input) : elsewhere !== null ? "keep" : "move",
    },
    isGone,
  );
  if (!inShared.ok) return inShared;
  const inLocal = editOf(
    local.value,
    {
      wanted: machine ? wanted : [],
      rest: input.remove ? removal(input) : elsewhere !== null ? "move-gate" : "move",
    },
    isGone,
  );
  if (!inLocal.ok) return inLocal;
  const settingsChanges = [...inShared.value.changes, ...inLocal.value.changes];
  // Settings name a script only where it is: they come last when it is made, and first when it goes.
  const changes: Change[] = [];
  if (input.remove) {
    changes.push(...settingsChanges, ...removeScripts(context, found.value, input.gate ? ["gate"] : HOOK_SCRIPTS));
    changes.push(...emptyFolders(context, changes, input.gate ? "client" : "all"));
  } else {
    changes.push(...agentsFolder(context), ...(scripts.ok ? scripts.value.changes : []), ...settingsChanges);
  }
  const target = machine ? local.value : shared.value;
  const both = !input.remove && elsewhere === null && user.ok && user.value.facts.events.length > 0;
  const gateTwice = hooks.includes("gate") && hasGate;
  return ok({
    changes,
    notes: [
      ...(scripts.ok && !input.remove ? scripts.value.notes : []),
      ...inShared.value.notes,
      ...inLocal.value.notes,
      ...(user.ok ? [] : [`${user.error.message} It is not looked at.`]),
      ...factNotes(serving === null ? own : [serving, ...own]),
      ...(input.remove && !input.gate && changes.length > 0 ? keptByHooks(context) : []),
      ...(user.ok && (both || gateTwice)
        ? [
            `${user.value.shown} registers ${both ? "hooks" : "the gate"} of context for all projects too: both run, and one is enough.`,
          ]
        : []),
    ],
    target: wanted.length === 0 ? null : { shown: target.shown, why: whyThere(program) },
    plugin,
    forAll,
    gate: hooks.includes("gate"),
    twice: plugin === null ? [] : known.filter(({ facts }) => facts.events.length > 0).map(({ shown }) => shown),
  });
}

/** Whether the settings of all projects register the hooks for one whose own settings register none. */
function isServed(user: SettingsFile, own: readonly SettingsFile[]): boolean {
  const events = wantedHooks(1, (hook) => hook).map(({ event }) => event);
  return (
    events.every((event) => user.facts.events.includes(event)) && own.every(({ facts }) => facts.events.length === 0)
  );
}

/** The script that those settings start is gone, as on a machine that was given the settings alone; null where it is there. */
function scriptGone({ env, invokedAs }: CommandContext, { shown, text }: SettingsFile): PlanProblem | null {
  if (text?.includes(USER_SCRIPT) !== true) return null;
  const named = [...text.matchAll(NAMED_SCRIPT)].map(([path]) => path);
  if ((named.length > 0 ? named : [join(userHooks(env).named, USER_SCRIPT)]).some(existsSync)) return null;
  return {
    code: "script-gone",
    message: `${shown} registers the hooks for all your projects, and the script that they start is gone: none of them runs.`,
    hint: `Run ${invokedAs} init --user, which writes a new one.`,
  };
}

/** As its lines name it; a person may have put it elsewhere. */
const NAMED_SCRIPT = new RegExp(`(?<=')/[^'"\\\\]{1,4096}/hooks/${USER_SCRIPT}(?=')`, "g");

/** What installed hooks have written is not what setting up made: it stays, and is told. */
function keptByHooks({ paths }: CommandContext): readonly string[] {
  if (!existsSync(paths.cache)) return [];
  return [
    `${shownPath(paths, paths.cache)} stays: hooks kept there what a next start needs. Without them it can be deleted.`,
  ];
}

function startsUserScript(command: string): boolean {
  return command.includes(`/hooks/${USER_SCRIPT}`);
}

/** Whether a line names a script of this project: another's stay. */
function startsScript({ paths }: CommandContext, hooks: readonly HookScript[]): (command: string) => boolean {
  const script = new RegExp(
    `(?:CLAUDE_PROJECT_DIR[}"']*/|(?:^|[\\s"';&|])(?:\\./)?)${HOOKS_FOLDER}/(?:context-)?(?:${hooks.join("|")})\\.sh\\b`,
  );
  return (command) => script.test(command.replaceAll(`${paths.root}/`, "./"));
}

function removal({ gate }: PlanInput): Rest {
  return gate ? "remove-gate" : "remove";
}

/** The settings of all projects; scripts beside them that are not of this program are not taken for ours. */
function openUserSettings(context: CommandContext): Result<SettingsFile, PlanProblem> {
  const scripts = findScripts(context, (name) => userHookScript(context.env, name));
  return scripts.ok ? openSettings(context, userSettings(context.env), scripts.value.foreign) : scripts;
}

/** Hooks that everybody shares stay, and beside them others would run as well as soon as they find the program. */
function notFoundHere({ shown }: SettingsFile, { why }: ProgramPlace): PlanProblem {
  return {
    code: "program-not-found",
    message: `${shown} registers the hooks for every machine, and on this one they find no program: ${why}.`,
    // The scripts look there first, whatever is installed.
    hint: why.startsWith("./") ? "Rename ./context." : "Install agent-context in the project or globally.",
  };
}

function whyThere(program: ProgramPlace): string {
  return program.kind === "machine"
    ? `the commands name ${program.path}, a path of this machine, since ${program.why}. The shared .claude/settings.json is no place for it.`
    : `the commands are the same on every machine, since ${program.why}.`;
}

/** A shell on Windows takes a backslash for an escape. */
function forwardSlashes(path: string): string {
  return /^[A-Za-z]:\\/.test(path) ? path.replaceAll("\\", "/") : path;
}
