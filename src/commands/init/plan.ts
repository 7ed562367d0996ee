import { ok, type Result } from "../../base/result.ts";
import { projectScriptCommand, shellQuote, wantedHooks } from "../../install/our-hooks.ts";
import { HOOKS_FOLDER, projectSettings, userSettings } from "../../stores/settings-store.ts";
import type { CommandContext } from "../command-context.ts";
import type { Change } from "./change.ts";
import type { ProgramPlace } from "./find-program.ts";
import { agentsFolder, emptyFolders, planScripts } from "./plan-scripts.ts";
import { editOf, enabledPlugin, factNotes, openSettings, type PlanProblem } from "./plan-settings.ts";

const NO_SCRIPTS: ReadonlySet<string> = new Set();

/** What is to be done, and what there is to say about it. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** The settings file that registers the hooks, as a person reads it, and why that one; null where none is to. */
  readonly target: { readonly shown: string; readonly why: string } | null;
  /** The plugin that registers the same hooks; then setting up registers none. */
  readonly plugin: string | null;
  /** Files in which hooks of ours stand beside that plugin's. */
  readonly twice: readonly string[];
}

export interface PlanInput {
  readonly remove: boolean;
  readonly user: boolean;
  /** Hook entries that the session-start document is split over. */
  readonly parts: number;
}

export function makePlan(context: CommandContext, program: ProgramPlace, input: PlanInput): Result<Plan, PlanProblem> {
  return input.user ? planUser(context, program, input) : planProject(context, program, input);
}

/** Hooks of all projects start the program itself: a project's own files are not to be run before it is trusted. */
function planUser(context: CommandContext, program: ProgramPlace, input: PlanInput): Result<Plan, PlanProblem> {
  const settings = openSettings(context, userSettings(context.env), NO_SCRIPTS);
  if (!settings.ok) return settings;
  const plugin = input.remove ? null : enabledPlugin([settings.value]);
  const start = program.kind === "machine" ? shellQuote(forwardSlashes(program.path)) : "context";
  const wanted = plugin === null && !input.remove ? wantedHooks(input.parts, (hook) => `${start} ${hook}`) : [];
  const rest = input.remove ? "remove" : "keep";
  const edit = editOf(settings.value, { wanted, rest, foreign: NO_SCRIPTS });
  if (!edit.ok) return edit;
  const named = program.kind === "machine" ? ` The commands name ${program.path}: ${program.why}.` : "";
  return ok({
    changes: edit.value.changes,
    notes: [...edit.value.notes, ...factNotes([settings.value])],
    target:
      wanted.length === 0 ? null : { shown: settings.value.shown, why: `it holds for all your projects.${named}` },
    plugin,
    twice: plugin === null || settings.value.facts.events.length === 0 ? [] : [settings.value.shown],
  });
}

function planProject(context: CommandContext, program: ProgramPlace, input: PlanInput): Result<Plan, PlanProblem> {
  const { paths, env } = context;
  const scripts = planScripts(context, input.remove);
  if (!scripts.ok) return scripts;
  const { foreign, names } = scripts.value;
  const shared = openSettings(context, projectSettings(paths, "shared"), foreign);
  if (!shared.ok) return shared;
  const local = openSettings(context, projectSettings(paths, "local"), foreign);
  if (!local.ok) return local;
  // The file of all projects is only looked at: what is wrong with it is for its owner, not for this project.
  const user = openSettings(context, userSettings(env), NO_SCRIPTS);
  const known = [...(user.ok ? [user.value] : []), shared.value, local.value];
  const plugin = input.remove ? null : enabledPlugin(known);
  const machine = program.kind === "machine";
  const wanted =
    plugin !== null || input.remove
      ? []
      : wantedHooks(input.parts, (hook) =>
          projectScriptCommand(`${HOOKS_FOLDER}/${names.get(hook)}`, machine ? forwardSlashes(program.path) : null),
        );
  const other = input.remove ? "remove" : plugin !== null ? "keep" : machine ? "keep-portable" : "remove";
  const inShared = editOf(shared.value, { wanted: machine ? [] : wanted, rest: other, foreign });
  if (!inShared.ok) return inShared;
  const inLocal = editOf(local.value, {
    wanted: machine ? wanted : [],
    rest: plugin !== null ? "keep" : "remove",
    foreign,
  });
  if (!inLocal.ok) return inLocal;
  const settingsChanges = [...inShared.value.changes, ...inLocal.value.changes];
  const scriptChanges = plugin === null ? scripts.value.changes : [];
  const folders: Change[] = input.remove ? [] : agentsFolder(context);
  // Settings name a script only where it is: they come last when it is made, and first when it goes.
  const changes = input.remove
    ? [...settingsChanges, ...scriptChanges]
    : [...folders, ...scriptChanges, ...settingsChanges];
  if (input.remove) changes.push(...emptyFolders(context, changes));
  const target = machine ? local.value : shared.value;
  const both = !input.remove && plugin === null && user.ok && user.value.facts.events.length > 0;
  return ok({
    changes,
    notes: [
      ...scripts.value.notes,
      ...inShared.value.notes,
      ...inLocal.value.notes,
      ...(user.ok ? [] : [`${user.error.message} It is not looked at.`]),
      ...factNotes([shared.value, local.value]),
      ...(both ? [`${user.value.shown} registers hooks of context for all projects too: both would run.`] : []),
    ],
    target: wanted.length === 0 ? null : { shown: target.shown, why: whyThere(program) },
    plugin,
    twice: plugin === null ? [] : known.filter(({ facts }) => facts.events.length > 0).map(({ shown }) => shown),
  });
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
