import type { Position, Span } from "../base/source-text.ts";
import { positionAt } from "../base/source-text.ts";
import { type FormFault, groupFault, hookFault } from "./hook-form.ts";
import type { HookScript } from "./hook-scripts.ts";
import { type JsonContainer, type JsonElement, type JsonNode, memberOf, stringOf } from "./json-tree.ts";
import { ourCommand, PROGRAM, programAt } from "./our-hooks.ts";
import { groupsOf, type SettingsDocument } from "./settings-document.ts";
import { simpleCommands } from "./simple-commands.ts";

/** A command that a settings file registers, whoever wrote it, and the containers it stands in. */
export interface CommandEntry {
  readonly event: string;
  readonly command: string;
  readonly position: Position;
  /** Null where the client runs it at every start of the event. */
  readonly matcher: string | null;
  /** Seconds; null where it is none that is a number above 0. */
  readonly timeout: number | null;
  /** Where that number stands. */
  readonly timeoutSpan: Span | null;
  /** What keeps the client from taking it; null where nothing does. */
  readonly fault: FormFault | null;
  /** A member that the client takes, and with which it goes on without the answer; null where there is none. */
  readonly unheard: string | null;
  readonly events: JsonContainer;
  readonly eventIndex: number;
  readonly groups: JsonContainer;
  readonly groupIndex: number;
  readonly entries: JsonContainer;
  readonly entryIndex: number;
}

/** Every command that the file registers as a hook, in its order. */
export function commandEntries(document: SettingsDocument): readonly CommandEntry[] {
  return hookPlaces(document).flatMap(({ value, start, fault, matcher, ...place }): readonly CommandEntry[] => {
    const command = stringOf(memberOf(value, "command")?.value);
    if (command === null) return [];
    const timeout = memberOf(value, "timeout")?.value;
    const seconds = timeout?.kind === "scalar" && typeof timeout.value === "number" ? timeout.value : 0;
    return [
      {
        ...place,
        command,
        fault,
        position: positionAt(document.source, start),
        matcher,
        unheard: unheardBy(value),
        timeout: seconds > 0 ? seconds : null,
        timeoutSpan: seconds > 0 && timeout !== undefined ? { start: timeout.start, end: timeout.end } : null,
      },
    ];
  });
}

/**
 * Seen with 2.1.332, while 2.0.76 knows none of them: it does not wait for a hook of the background, runs one with a condition at
 * calls of tools alone, and gives a line for `sh` to PowerShell.
 */
function unheardBy(hook: JsonNode): string | null {
  const value = (name: string) => memberOf(hook, name)?.value;
  const isTrue = (name: string): boolean => {
    const flag = value(name);
    return flag?.kind === "scalar" && flag.value === true;
  };
  const flags = ["async", "asyncRewake"].find(isTrue);
  if (flags !== undefined) return flags;
  if (stringOf(value("if"))) return "if";
  return stringOf(value("shell")) === "powershell" ? "shell" : null;
}

/** What the client leaves out of a file, each group or hook once: whatever runs there, or would. */
export function formFaults(document: SettingsDocument): readonly (FormFault & { readonly event: string })[] {
  const groups = (document.hooks?.elements ?? []).flatMap((element) =>
    groupsOf(element).elements.map(({ value }) => ({ event: element.key ?? "", fault: groupFault(value) })),
  );
  const inWholeGroups = hookPlaces(document).filter(({ groups, groupIndex }) => {
    const group = groups.elements[groupIndex];
    return group !== undefined && groupFault(group.value) === null;
  });
  return [...groups, ...inWholeGroups].flatMap(({ event, fault }) => (fault === null ? [] : [{ ...fault, event }]));
}

/** Everything that stands where a hook does. */
function hookPlaces({ hooks }: SettingsDocument) {
  if (hooks === null) return [];
  return hooks.elements.flatMap((element, eventIndex) => {
    const groups = groupsOf(element);
    return groups.elements.flatMap((group, groupIndex) => {
      const entries = memberOf(group.value, "hooks")?.value;
      if (entries?.kind !== "array") return [];
      const ofGroup = groupFault(group.value);
      return entries.elements.map(({ value, start }, entryIndex) => ({
        ...{ event: element.key ?? "", value, start, matcher: matcherOf(group), fault: ofGroup ?? hookFault(value) },
        ...{ events: hooks, eventIndex, groups, groupIndex, entries, entryIndex },
      }));
    });
  });
}

/** What a group is limited to; null where the client runs it always. */
function matcherOf({ value }: JsonElement): string | null {
  const matcher = stringOf(memberOf(value, "matcher")?.value);
  return matcher === "" || matcher === "*" ? null : matcher;
}

/** The words of a line of ours behind its hook's name or script: its options. */
export function optionWords(command: string, hook: HookScript): readonly string[] {
  // A line may ask first whether the script is there.
  const words = simpleCommands(command).findLast((line) => line.some((word) => isHookWord(word, hook))) ?? [];
  return words.slice(words.findIndex((word) => isHookWord(word, hook)) + 1);
}

function isHookWord(word: string, hook: HookScript): boolean {
  return word === hook || word.endsWith(`/${hook}.sh`) || word.endsWith(`/context-${hook}.sh`);
}

/**
 * The command that a line gives to this program, where it is none of ours that `verbs` holds; null for every other line.
 * Only a line that does nothing else is looked at.
 */
export function unknownVerb(command: string, verbs: readonly string[]): string | null {
  if (ourCommand(command, NONE) !== null) return null;
  const [words = [], ...more] = simpleCommands(command);
  const at = programAt(words);
  if (more.length > 0 || !PROGRAM.test(words[at] ?? "")) return null;
  // Behind an option of a starter's it may be that one's value, such as a folder.
  if (/^-(?!-?$|y$)/.test(words[at - 1] ?? "")) return null;
  const verb = words.find(
    (word, index) => index > at && !word.startsWith("-") && !/^(?:-C|--root)$/.test(words[index - 1] ?? ""),
  );
  if (verb === undefined) return null;
  // The spaced form of a name is accepted as well.
  return verbs.some((name) => name === verb || name.startsWith(`${verb}.`)) ? null : verb;
}

const NONE: ReadonlySet<string> = new Set();

/** Absolute paths that a line names as a program, or gives to one in a variable. */
export function namedPaths(command: string): readonly string[] {
  return simpleCommands(command).flatMap((words) => {
    const paths = words.flatMap((word) => {
      const path = word.replace(/^[A-Za-z_]\w*=/, "");
      return /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? [path] : [];
    });
    return paths;
  });
}
