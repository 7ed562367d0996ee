import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { HOOK_SCRIPTS, type HookScript, hookScript, isOurScript } from "../../install/hook-scripts.ts";
import { scriptNames } from "../../install/our-hooks.ts";
import { shownPath } from "../../stores/paths.ts";
import { HOOKS_FOLDER, holdsOnly, hookScriptFile, isFolder, readSetupFile } from "../../stores/settings-store.ts";
import type { CommandContext } from "../command-context.ts";
import type { Change } from "./change.ts";
import type { PlanProblem } from "./plan-settings.ts";

const SCRIPT_MODE = 0o755;

export interface Scripts {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  readonly names: ReadonlyMap<HookScript, string>;
  /** Names in the folder that are somebody else's. */
  readonly foreign: ReadonlySet<string>;
}

/** The hook scripts to write or to take away. A script of somebody else's stays, and ours takes another name. */
export function planScripts(context: CommandContext, remove: boolean): Result<Scripts, PlanProblem> {
  const changes: Change[] = [];
  const notes: string[] = [];
  const foreign = new Set<string>();
  const names = new Map<HookScript, string>();
  for (const hook of HOOK_SCRIPTS) {
    let free: string | null = null;
    let ours: string | null = null;
    for (const name of scriptNames(hook)) {
      const file = hookScriptFile(context.paths, name);
      const shown = shownPath(context.paths, file.path);
      const read = readSetupFile(file);
      if (!read.ok) return err({ code: "unreadable", message: `${shown} ${read.error.message}.` });
      if (read.value === null) free ??= name;
      else if (!isOurScript(hook, read.value.text)) foreign.add(name);
      else if (remove || ours !== null) changes.push({ action: "delete", file, shown, before: read.value.text });
      else {
        ours = name;
        const after = hookScript(hook);
        const { text, mode } = read.value;
        if (text !== after) changes.push({ action: "change", file, shown, before: text, after, mode: mode | 0o111 });
        else if ((mode & 0o111) !== 0o111) changes.push({ action: "make-runnable", file, shown, mode: mode | 0o111 });
      }
    }
    if (remove) continue;
    const name = ours ?? free;
    if (name === null) {
      const message = `${HOOKS_FOLDER} holds ${scriptNames(hook).join(" and ")}, and neither was written by context.`;
      return err({ code: "name-taken", message, hint: "Rename one of them: they are left as they are." });
    }
    names.set(hook, name);
    if (name !== scriptNames(hook)[0]) {
      notes.push(`${HOOKS_FOLDER}/${scriptNames(hook)[0]} is another script; ours is ${name}.`);
    }
    if (ours !== null) continue;
    const file = hookScriptFile(context.paths, name);
    const shown = shownPath(context.paths, file.path);
    changes.push({ action: "create", file, shown, after: hookScript(hook), mode: SCRIPT_MODE });
  }
  return ok({ changes, notes, names, foreign });
}

/** The folder of the roles' context files, where it is missing. */
export function agentsFolder({ paths }: CommandContext): Change[] {
  if (isFolder(paths.agents)) return [];
  const file = { path: paths.agents, root: paths.root };
  return [{ action: "create-folder", file, shown: `${shownPath(paths, paths.agents)}/` }];
}

/** Folders that hold nothing once the changes are made; none where nothing of ours was there. */
export function emptyFolders({ paths }: CommandContext, changes: readonly Change[]): Change[] {
  const gone = new Set(changes.filter(({ action }) => action === "delete").map(({ file }) => file.path));
  if (gone.size === 0) return [];
  const folders = [[".claude", "hooks"], [".claude"], ["session", "agents"], ["session"]];
  const removed: Change[] = [];
  for (const names of folders) {
    const path = join(paths.root, ...names);
    const inside = [...gone].filter((file) => join(file, "..") === path).map((file) => file.slice(path.length + 1));
    if (!holdsOnly(path, new Set(inside))) continue;
    gone.add(path);
    removed.push({ action: "delete-folder", file: { path, root: paths.root }, shown: `${names.join("/")}/` });
  }
  return removed;
}
