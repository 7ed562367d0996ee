import { isAbsolute } from "node:path";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { commandEntries } from "../../install/hook-entries.ts";
import { isOurScript } from "../../install/hook-scripts.ts";
import { scriptOf } from "../../install/our-hooks.ts";
import { PLUGIN_PREFIX } from "../../install/plugin-name.ts";
import { readSettings, type SettingsDocument } from "../../install/settings-document.ts";
import { editSettings, type SettingsRequest } from "../../install/settings-edit.ts";
import { type SettingsFacts, settingsFacts } from "../../install/settings-facts.ts";
import { simpleCommands } from "../../install/simple-commands.ts";
import { homeFolder } from "../../platform/home-folder.ts";
import { wayToRead } from "../../platform/way-to-read.ts";
import { shownPath } from "../../stores/paths.ts";
import { readSetupFile, type SetupFile } from "../../stores/setup-file.ts";
import type { CommandContext } from "../command-context.ts";
import type { Problem } from "../report.ts";
import type { Change } from "./change.ts";

export type PlanProblem = Problem & { readonly finding?: Diagnostic };

/** A settings file as it stands. */
export interface SettingsFile {
  readonly file: SetupFile;
  readonly shown: string;
  /** Null where there is none. */
  readonly text: string | null;
  readonly mode: number;
  /** Names of scripts beside it, in `hooks`, that are not ours, and such scripts elsewhere as the file spells them. */
  readonly foreign: ReadonlySet<string>;
  readonly facts: SettingsFacts;
}

/** Reads a settings file; one that cannot be changed safely is a problem with its place. `names` are scripts beside it that are not ours. */
export function openSettings(
  context: CommandContext,
  file: SetupFile,
  names: ReadonlySet<string>,
): Result<SettingsFile, PlanProblem> {
  const shown = shownPath(context.paths, file.path);
  const read = readSetupFile(file);
  if (!read.ok) {
    const { message, problem } = read.error;
    return err({ code: "unreadable", message: `${shown} ${message}.`, hint: `${wayToRead(problem, shown)}.` });
  }
  const text = read.value?.text ?? null;
  const document = readSettings(text ?? "");
  if (!document.ok) {
    const { code, message, hint, start } = document.error;
    const place = `${shown}:${start.line}:${start.column}`;
    return err({
      code,
      message: `${place} ${message}`,
      ...(hint === undefined ? {} : { hint }),
      finding: document.error,
    });
  }
  const foreign = new Set([...names, ...theirs(context, document.value)]);
  const facts = settingsFacts(document.value, foreign);
  return ok({ file, shown, text, mode: read.value?.mode ?? 0o644, foreign, facts });
}

/** Scripts of our names that a line takes from elsewhere, such as the user's own hooks, and that this program did not write. */
function theirs({ env, paths }: CommandContext, document: SettingsDocument): readonly string[] {
  return commandEntries(document).flatMap(({ command }) =>
    simpleCommands(command)
      .flat()
      .filter((word) => {
        const path = word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => homeFolder(env));
        const hook = isAbsolute(path) ? scriptOf(path) : undefined;
        if (hook === undefined || path.startsWith(`${paths.root}/`)) return false;
        const read = readSetupFile({ path, root: path });
        // Of one that is gone its options tell whose it was.
        if (!read.ok || read.value === null) return !/ --(?:guidance|part)\b/.test(command);
        return !isOurScript(hook, read.value.text);
      }),
  );
}

/** What has to become of the file so that it registers what is asked for. `isGone` of a line: whether the script goes that it starts. */
export function editOf(
  { file, shown, text, mode, foreign }: SettingsFile,
  request: Omit<SettingsRequest, "foreign">,
  isGone: (command: string) => boolean,
): Result<{ changes: readonly Change[]; notes: readonly string[] }, PlanProblem> {
  const edit = editSettings(text, { ...request, foreign });
  if (!edit.ok) return err({ code: edit.error.code, message: `${shown} ${edit.error.message}` });
  const after = edit.value.text;
  const notes = edit.value.custom.map(({ event, matcher, plain, position, command }) => {
    const how = !plain ? "in a line of your own" : matcher === null ? "for every call" : `for "${matcher}" only`;
    return `${shown}:${position.line}:${position.column} runs a hook of context at ${event} ${how}: it is left as it is${isGone(command) ? ", and there is no such script any more: take it out" : ""}.`;
  });
  if (after === text) return ok({ changes: [], notes });
  if (after === null) {
    return ok({ changes: [{ action: "delete", file, shown, before: text ?? "" }], notes });
  }
  const change: Change =
    text === null
      ? { action: "create", file, shown, after, mode }
      : { action: "change", file, shown, before: text, after, mode };
  return ok({ changes: [change], notes });
}

/**
 * A file that the client drops: to register hooks beside it is refused, wherever they go. In such a file they would never
 * run, and in another one nobody would see what the client leaves out. What is taken out of one is out all the same.
 */
export function droppedFile({ shown, facts: { dropped } }: SettingsFile): PlanProblem | null {
  if (dropped === null) return null;
  const { position, found, expected, way } = dropped;
  const message = `Found ${found}, expected ${expected}: Claude Code drops the whole file.`;
  const hint = `${way} there; the file is left as it is.`;
  return {
    code: "settings-dropped",
    message: `${shown}:${position.line}:${position.column} ${message}`,
    hint,
    finding: { code: "settings-dropped", severity: "error", message, hint, start: position, end: position },
  };
}

/** The plugin of this program that the client loads: of the files, the later one has the last word. */
export function enabledPlugin(files: readonly SettingsFile[]): string | null {
  const plugins = new Map(files.flatMap(({ facts }) => [...facts.plugins]));
  for (const [name, enabled] of plugins) if (enabled && name.startsWith(PLUGIN_PREFIX)) return name;
  return null;
}

/** What keeps a settings file from taking effect, a sentence each. */
export function factNotes(files: readonly SettingsFile[]): string[] {
  return files.flatMap((file) => {
    const dropped = droppedFile(file);
    const notes = dropped === null ? [] : [dropped.message];
    return file.facts.hooksDisabled ? [...notes, `${file.shown} sets disableAllHooks: no hook runs.`] : notes;
  });
}
