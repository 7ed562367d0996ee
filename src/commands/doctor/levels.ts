import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { positionAt } from "../../base/source-text.ts";
import type { HookEntry, Level, SettingsLevel } from "../../doctor/facts.ts";
import { type Place, placeText } from "../../doctor/finding.ts";
import { commandEntries, formFaults, namedPaths, optionWords, unknownVerb } from "../../install/hook-entries.ts";
import type { FormFault } from "../../install/hook-form.ts";
import { HOOK_SCRIPTS, type HookScript } from "../../install/hook-scripts.ts";
import { memberOf } from "../../install/json-tree.ts";
import { type OurCommand, ourCommand } from "../../install/our-hooks.ts";
import { readSettings, type SettingsDocument } from "../../install/settings-document.ts";
import { lookedAt, managedFiles, pluginFolder } from "../../stores/client-store.ts";
import { projectPaths, shownPath } from "../../stores/paths.ts";
import {
  hookScriptFile,
  projectSettings,
  realPathOf,
  type SetupFile,
  userHookScript,
  userSettings,
} from "../../stores/setup-file.ts";
import { repositoryRoot } from "../../stores/worktree.ts";
import type { CommandContext } from "../command-context.ts";
import { findScripts } from "../init/plan-scripts.ts";
import { enabledPlugin, openSettings, type SettingsFile } from "../init/plan-settings.ts";

export interface LevelsInput {
  /** Names of this program's commands. */
  readonly verbs: readonly string[];
  readonly managed: string;
}

export interface OpenLevels {
  readonly levels: readonly SettingsLevel[];
  readonly plugin: { readonly name: string; readonly enabledBy: Place; readonly folder: string | null } | null;
  /** Files that can be edited, by level; those that cannot be read are left out. */
  readonly files: ReadonlyMap<Level, SettingsFile>;
  /** Level that switches the plugin on. */
  readonly pluginLevel: Level | null;
}

/** Every file from which the client takes hooks, with those of ours in it. */
export function openLevels(context: CommandContext, input: LevelsInput): OpenLevels {
  const { env, paths } = context;
  const foreign = foreignScripts(context);
  const main = projectPaths(repositoryRoot(paths.root), env);
  const sources: readonly (readonly [Level, SetupFile, ReadonlySet<string>])[] = [
    ["user", userSettings(env), foreignScripts(context, (name) => userHookScript(env, name))],
    ["project", projectSettings(paths, "shared"), foreign],
    ["local", projectSettings(paths, "local"), foreign],
    ["main", projectSettings(main, "local"), foreignScripts(context, (name) => hookScriptFile(main, name))],
    ...managedFiles(input.managed).map((path) => ["managed", lookedAt(path), NONE] as const),
  ];
  const levels: SettingsLevel[] = [];
  const files = new Map<Level, SettingsFile>();
  // A project in the home folder, or with a link to that one's `.claude`, has the user's settings for its own: one file is one level.
  const seen = new Set<string>();
  for (const [level, file, foreign] of sources) {
    const real = realPathOf(file.path) ?? resolve(file.path);
    if (seen.has(real)) continue;
    seen.add(real);
    const opened = openLevel(context, level, file, { ...input, foreign });
    if (opened.level !== null) levels.push(opened.level);
    if (opened.file !== null) files.set(level, opened.file);
  }
  const name = enabledPlugin([...files.values()]);
  if (name === null) return { levels, plugin: null, files, pluginLevel: null };
  const enabling = [...files].findLast(([, { facts }]) => facts.plugins.has(name));
  const folder = pluginFolder(context.env, name);
  const enabledBy: Place = { file: enabling?.[1].shown ?? "", line: null, column: null };
  const registers = folder === null ? null : openPlugin(context, folder, input);
  return {
    levels: registers === null ? levels : [registers, ...levels],
    plugin: { name, enabledBy, folder: registers === null ? null : folder },
    files,
    pluginLevel: enabling?.[0] ?? null,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Of those in `hooks` beside the settings: theirs have such names too. */
function foreignScripts(...place: Parameters<typeof findScripts>): ReadonlySet<string> {
  const scripts = findScripts(...place);
  return scripts.ok ? scripts.value.foreign : NONE;
}

/** What the client puts a plugin's folder in place of, before the shell reads the line. */
const PLUGIN_ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}/g;

function openPlugin(context: CommandContext, folder: string, input: LevelsInput): SettingsLevel | null {
  const { level } = openLevel(context, "plugin", lookedAt(join(folder, "hooks", "hooks.json")), {
    ...input,
    foreign: NONE,
  });
  if (level === null) return null;
  return {
    ...level,
    hooks: level.hooks.map((hook) => ({ ...hook, command: hook.command.replace(PLUGIN_ROOT, () => folder), gone: [] })),
  };
}

function openLevel(
  context: CommandContext,
  level: Level,
  file: SetupFile,
  input: LevelsInput & { readonly foreign: ReadonlySet<string> },
): { readonly level: SettingsLevel | null; readonly file: SettingsFile | null } {
  const opened = openSettings(context, file, input.foreign);
  if (!opened.ok) {
    const { code, finding, message, hint } = opened.error;
    const at = shownPath(context.paths, file.path);
    const place: Place = { file: at, line: finding?.start.line ?? null, column: finding?.start.column ?? null };
    const text = finding === undefined ? message.slice(at.length + 1) : finding.message;
    const consequence = CONSEQUENCES.get(code) ?? " The client reads none of it.";
    const problem = { place, message: `${text}${consequence}`, hint: hint ?? "Mend it there." };
    return { level: { ...empty(level, at), problem }, file: null };
  }
  const { shown, text, facts, foreign } = opened.value;
  if (text === null) return { level: null, file: opened.value };
  const document = readSettings(text);
  if (!document.ok) return { level: null, file: null };
  const at = (position: { line: number; column: number }): Place => ({ file: shown, ...position });
  const leftOut = ({ start, found, expected }: FormFault) => ({
    place: at(positionAt(document.value.source, start)),
    ...{ found, expected },
  });
  const entries = commandEntries(document.value);
  const hooks = entries.flatMap((entry): readonly HookEntry[] => {
    const ours = ourCommand(entry.command, foreign) ?? (level === "plugin" ? pluginCommand(entry.command) : null);
    if (ours === null) return [];
    const { event, command, matcher, timeout, unheard, position } = entry;
    const fault = entry.fault === null ? null : leftOut(entry.fault);
    const words = optionWords(command, ours.hook);
    const gone = [...new Set(namedPaths(command))].filter((path) => !existsSync(path));
    return [{ level, place: at(position), event, command, words, matcher, timeout, unheard, fault, gone, ...ours }];
  });
  const unknownVerbs = entries.flatMap(({ command, event, position }) => {
    const verb = unknownVerb(command, input.verbs);
    return verb === null ? [] : [{ verb, event, place: at(position) }];
  });
  return {
    level: {
      ...empty(level, shown),
      dropped: facts.dropped === null ? null : { ...facts.dropped, place: at(facts.dropped.position) },
      disableAllHooks: flagOf(document.value, "disableAllHooks"),
      managedHooksOnly: flagOf(document.value, "allowManagedHooksOnly") === true,
      env: facts.dropped === null ? variables(document.value) : {},
      hooks,
      leftOut: formFaults(document.value)
        .map((fault) => ({ ...leftOut(fault), event: fault.event }))
        .filter(
          ({ place }) => !hooks.some(({ fault }) => fault !== null && placeText(fault.place) === placeText(place)),
        ),
      newEvents: newEvents(document.value, shown),
      unknownVerbs,
    },
    file: opened.value,
  };
}

/** What the client does about a file that cannot be changed safely, where it is not that it reads none of it. */
const CONSEQUENCES: ReadonlyMap<string, string> = new Map([
  ["not-hooks", " The client leaves that out, and 2.0.76 drops the whole file."],
  ["repeated-name", ""],
]);

/** Every command of our own plugin is ours, whatever its scripts are called. */
function pluginCommand(command: string): OurCommand | null {
  const hook: HookScript | undefined = HOOK_SCRIPTS.find((name) => command.includes(name));
  return hook === undefined ? null : { hook, plain: true, machinePath: false };
}

function empty(level: Level, shown: string): SettingsLevel {
  return {
    ...{ level, shown, problem: null, dropped: null, disableAllHooks: null, managedHooksOnly: false, env: {} },
    ...{ hooks: [], leftOut: [], newEvents: [], unknownVerbs: [] },
  };
}

function flagOf({ json }: SettingsDocument, name: string): boolean | null {
  const value = memberOf(json.root, name)?.value;
  return value?.kind === "scalar" && typeof value.value === "boolean" ? value.value : null;
}

/** What both 2.1.332 and 2.0.76 hand to hooks, numbers as text: measured. A text with a NUL can be no variable's. */
function variables({ json }: SettingsDocument): SettingsLevel["env"] {
  const env = memberOf(json.root, "env")?.value;
  return Object.fromEntries(
    (env?.kind === "object" ? env.elements : []).flatMap(({ key, value }) =>
      value.kind === "scalar" && !`${key}${value.value}`.includes("\0") ? [[key, `${value.value}`]] : [],
    ),
  );
}

/** Events of Claude Code 2.0.76, from its own payloads and its documentation of that time. */
const OLD_EVENTS: ReadonlySet<string> = new Set([
  "Notification",
  "PermissionRequest",
  "PostToolUse",
  "PreCompact",
  "PreToolUse",
  "SessionEnd",
  "SessionStart",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "UserPromptSubmit",
]);

function newEvents({ hooks, source }: SettingsDocument, shown: string): SettingsLevel["newEvents"] {
  const names = (hooks?.elements ?? []).filter(({ key }) => !OLD_EVENTS.has(key ?? ""));
  return names.map(({ key, start }) => ({ name: key ?? "", place: { file: shown, ...positionAt(source, start) } }));
}
