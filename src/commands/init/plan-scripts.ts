import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { HOOK_SCRIPTS, type HookScript, hookScript, isOurScript, isWrittenByUs } from "../../install/hook-scripts.ts";
import { scriptNames } from "../../install/our-hooks.ts";
import { foldersMadeFor, USER_SCRIPT, userScript } from "../../install/user-script.ts";
import { realPathInside } from "../../platform/contain.ts";
import { isFolder } from "../../platform/stat-of.ts";
import { wayToRead } from "../../platform/way-to-read.ts";
import { shownPath } from "../../stores/paths.ts";
import { holdsOnly } from "../../stores/settings-store.ts";
import {
  HOOKS_FOLDER,
  hookScriptFile,
  readSetupFile,
  realPathOf,
  type SetupFile,
  userHooks,
} from "../../stores/setup-file.ts";
import type { CommandContext } from "../command-context.ts";
import type { Change } from "./change.ts";
import type { PlanProblem } from "./plan-settings.ts";

const SCRIPT_MODE = 0o755;

/** What stands under the names that a hook's script may have. */
interface FoundScript {
  /** The script that runs, or would run; null where there is none of ours. */
  readonly ours: { readonly name: string; readonly text: string; readonly mode: number } | null;
  /** Further ones of ours, of no use to anybody. */
  readonly spare: readonly { readonly name: string; readonly text: string }[];
  /** The first name that nothing has. */
  readonly free: string | null;
}

export interface FoundScripts {
  readonly hooks: ReadonlyMap<HookScript, FoundScript>;
  /** Names in the folder that are somebody else's. */
  readonly foreign: ReadonlySet<string>;
}

/** Looks for the hook scripts in a project's folder, or in another one that holds such scripts. */
export function findScripts(
  context: CommandContext,
  fileOf: (name: string) => SetupFile = (name) => hookScriptFile(context.paths, name),
): Result<FoundScripts, PlanProblem> {
  const foreign = new Set<string>();
  const hooks = new Map<HookScript, FoundScript>();
  for (const hook of HOOK_SCRIPTS) {
    const found: { name: string; text: string; mode: number }[] = [];
    let free: string | null = null;
    for (const name of scriptNames(hook)) {
      const file = fileOf(name);
      const read = readSetupFile(file);
      if (!read.ok) {
        const shown = shownPath(context.paths, file.path);
        const hint = `${wayToRead(read.error.problem, shown)}.`;
        return err({ code: "unreadable", message: `${shown} ${read.error.message}.`, hint });
      }
      if (read.value === null) free ??= name;
      else if (isOurScript(hook, read.value.text)) found.push({ name, ...read.value });
      else foreign.add(name);
    }
    const [ours = null, ...spare] = found;
    hooks.set(hook, { ours, spare, free });
  }
  return ok({ hooks, foreign });
}

export interface Scripts {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  readonly names: ReadonlyMap<HookScript, string>;
}

/**
 * The hook scripts to write: those that are wanted, and those of ours that are there already, so that none is of an earlier
 * version. A script of somebody else's stays, and ours takes another name.
 */
export function planScripts(
  context: CommandContext,
  found: FoundScripts,
  wanted: readonly HookScript[],
): Result<Scripts, PlanProblem> {
  const changes: Change[] = [];
  const notes: string[] = [];
  const names = new Map<HookScript, string>();
  for (const [hook, { ours, spare, free }] of found.hooks) {
    if (ours === null && !wanted.includes(hook)) continue;
    const name = ours?.name ?? free;
    if (name === null) {
      const message = `${HOOKS_FOLDER} holds ${scriptNames(hook).join(" and ")}, and neither was written by context.`;
      return err({ code: "name-taken", message, hint: "Rename one of them: they are left as they are." });
    }
    names.set(hook, name);
    if (name !== scriptNames(hook)[0]) {
      notes.push(`${HOOKS_FOLDER}/${scriptNames(hook)[0]} is another script; ours is ${name}.`);
    }
    changes.push(...deletions(context, spare));
    const after = hookScript(hook);
    const target = place(context, name);
    if (ours === null) changes.push({ action: "create", ...target, after, mode: SCRIPT_MODE });
    else if (ours.text !== after) {
      changes.push({ action: "change", ...target, before: ours.text, after, mode: runnable(ours.mode) });
    } else if ((ours.mode & 0o100) === 0) {
      changes.push({ action: "make-runnable", ...target, mode: runnable(ours.mode) });
    }
  }
  return ok({ changes, notes, names });
}

/**
 * The script that starts the program for the hooks of all projects: written with the path of the program (null: it is on the
 * PATH), or taken away.
 */
export function planUserScript(
  { paths, env }: CommandContext,
  wanted: { readonly program: string | null } | "none",
): Result<readonly Change[], PlanProblem> {
  const folder = userHooks(env);
  const path = join(folder.path, USER_SCRIPT);
  const real = realPathOf(path);
  // Who keeps such files among others of theirs may have linked each by itself.
  const file: SetupFile = { path, root: real === null ? folder.root : dirname(real) };
  const shown = shownPath(paths, join(folder.named, USER_SCRIPT));
  const read = readSetupFile(file);
  if (!read.ok) {
    const { message, problem } = read.error;
    return err({ code: "unreadable", message: `${shown} ${message}.`, hint: `${wayToRead(problem, shown)}.` });
  }
  const before = read.value;
  const isOurs = before !== null && isWrittenByUs(before.text);
  if (wanted === "none") {
    return ok(isOurs ? [{ action: "delete", file, shown, before: before.text }] : []);
  }
  if (before !== null && !isOurs) {
    const message = `${shown} was not written by context.`;
    return err({ code: "name-taken", message, hint: "Rename it: it is left as it is." });
  }
  const above = foldersAbove(join(folder.named, USER_SCRIPT));
  const missing = above.findIndex((path) => existsSync(path));
  const after = userScript(wanted.program, before === null ? missing : foldersMadeFor(before.text));
  if (before === null) return ok([{ action: "create", file, shown, after, mode: SCRIPT_MODE }]);
  const mode = runnable(before.mode);
  if (before.text !== after) return ok([{ action: "change", file, shown, before: before.text, after, mode }]);
  return ok((before.mode & 0o100) === 0 ? [{ action: "make-runnable", file, shown, mode }] : []);
}

/** Those who may read a script may run it: where git checks out with a narrow umask, that is its owner alone. */
function runnable(mode: number): number {
  return mode | 0o100 | ((mode & 0o444) >> 2);
}

/** The hook scripts of ours to take away. */
export function removeScripts(
  context: CommandContext,
  found: FoundScripts,
  hooks: readonly HookScript[],
): readonly Change[] {
  return [...found.hooks].flatMap(([hook, { ours, spare }]) =>
    hooks.includes(hook) ? deletions(context, ours === null ? spare : [ours, ...spare]) : [],
  );
}

function deletions(context: CommandContext, scripts: readonly { name: string; text: string }[]): Change[] {
  return scripts.map(({ name, text }) => ({ action: "delete", ...place(context, name), before: text }));
}

function place({ paths }: CommandContext, name: string): { file: SetupFile; shown: string } {
  const file = hookScriptFile(paths, name);
  return { file, shown: shownPath(paths, file.path) };
}

/** The folder of the roles' context files, where it is missing. */
export function agentsFolder({ paths }: CommandContext): Change[] {
  // A link that leads out is in the way.
  if (isFolder(paths.agents) && realPathInside(paths.root, paths.agents) !== null) return [];
  const file = { path: paths.agents, root: paths.root };
  return [{ action: "create-folder", file, shown: `${shownPath(paths, paths.agents)}/` }];
}

/** Folders of the project that hold nothing once the changes are made; none where nothing of ours was there. */
export function emptyFolders(context: CommandContext, changes: readonly Change[], whose: "client" | "all"): Change[] {
  const ofClient = [".claude/hooks", ".claude"];
  const folders = whose === "client" ? ofClient : [...ofClient, "session/agents", "session"];
  const { root } = context.paths;
  return emptied(
    context,
    changes,
    folders.map((name) => ({ path: join(root, name), root })),
  );
}

/** Folders that were made for the script of all projects, and hold nothing once the changes are made. */
export function emptyUserFolders(context: CommandContext, changes: readonly Change[]): Change[] {
  const script = join(userHooks(context.env).named, USER_SCRIPT);
  const made = changes.flatMap((change) => (change.action === "delete" ? foldersMadeFor(change.before) : []));
  const folders = foldersAbove(script).slice(0, Math.max(0, ...made));
  return emptied(
    context,
    changes,
    folders.map((path) => ({ path, root: dirname(path) })),
  );
}

function emptied({ paths }: CommandContext, changes: readonly Change[], folders: readonly SetupFile[]): Change[] {
  const gone = new Set(changes.filter(({ action }) => action === "delete").map(({ file }) => file.path));
  if (gone.size === 0) return [];
  const removed: Change[] = [];
  for (const file of folders) {
    const folder = realPathOf(file.path);
    const inside = [...gone].filter((path) => realPathOf(dirname(path)) === folder).map((path) => basename(path));
    if (!holdsOnly(file.path, new Set(inside))) continue;
    gone.add(file.path);
    removed.push({ action: "delete-folder", file, shown: `${shownPath(paths, file.path)}/` });
  }
  return removed;
}

/** Those that a file lies in, the nearest first. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
