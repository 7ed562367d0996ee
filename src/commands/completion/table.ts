import { LIFECYCLE_STATES } from "../../lifecycle/states.ts";

/** What stands in a place of a command line. `roles-and-files`: either. */
export type Kind = "roles" | "projects" | "roles-and-files" | "files" | "folders" | "commands" | "nothing";

export interface CompletionOption {
  readonly long: string;
  readonly short: string | null;
  /** Null for an option without a value; words where only those are taken. */
  readonly value: Kind | readonly string[] | null;
  readonly summary: string;
}

export interface CompletionCommand {
  /** Canonical, dotted. */
  readonly name: string;
  readonly summary: string;
  readonly argument: Kind | readonly string[];
  /** Whether it takes more than one. */
  readonly variadic: boolean;
  readonly options: readonly CompletionOption[];
}

export interface CompletionTable {
  readonly commands: readonly CompletionCommand[];
  /** Options that every command takes. */
  readonly globals: readonly CompletionOption[];
}

/** A command as the help knows it. */
export interface HelpCommand {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly { readonly name: string; readonly variadic: boolean }[];
  readonly options: readonly HelpOption[];
}

export interface HelpOption {
  readonly long: string;
  readonly short?: string;
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly summary: string;
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
/** How a session starts, as the client says it. */
const SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;
export type Shell = (typeof SHELLS)[number];

/** What the help's table says of what may stand where; names of arguments and values are the same all over it. */
export function completionTable(commands: readonly HelpCommand[], globals: readonly HelpOption[]): CompletionTable {
  const known = commands.map(({ name, summary, arguments: words, options }) => ({
    name,
    summary,
    argument: words[0]?.name === "shell" ? SHELLS : (KINDS.get(words[0]?.name ?? "") ?? "nothing"),
    variadic: words[0]?.variadic ?? false,
    options: options.map(optionOf),
  }));
  const help = {
    name: "help",
    summary: "show help for a command",
    argument: "commands",
    variadic: false,
    options: [],
  } as const;
  return { commands: [...known, help], globals: [...globals.map(optionOf), HELP] };
}

const HELP: CompletionOption = { long: "help", short: "h", value: null, summary: "show help" };

const KINDS: ReadonlyMap<string, Kind | readonly string[]> = new Map<string, Kind | readonly string[]>([
  ["role", "roles"],
  ["project", "projects"],
  ["id", "projects"],
  ["target", "roles-and-files"],
  ["file", "files"],
  ["transcript", "files"],
  ["dir", "folders"],
  ["states", LIFECYCLE_STATES],
  ["source", SOURCES],
]);

function optionOf({ long, short, value, choices, summary }: HelpOption): CompletionOption {
  const kind = value === undefined ? null : (choices ?? KINDS.get(value) ?? "nothing");
  return { long, short: short ?? null, value: kind, summary };
}

/** The first parts of dotted names: `lifecycle`, whose verbs are `save` and others. */
export function groupsOf(table: CompletionTable): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const { name } of table.commands) {
    const parts = name.split(".");
    for (let at = 1; at < parts.length; at++) {
      const group = parts.slice(0, at).join(".");
      const next = parts[at] ?? "";
      const known = groups.get(group) ?? [];
      if (!known.includes(next)) groups.set(group, [...known, next]);
    }
  }
  return groups;
}

/** The words by which an option is named. */
export function optionWords({ long, short }: CompletionOption): readonly string[] {
  return [...(short === null ? [] : [`-${short}`]), `--${long}`];
}

/** The words of all options that are followed by a value; an option is so everywhere, or nowhere. */
export function valuedWords({ commands, globals }: CompletionTable): readonly string[] {
  const valued = [...globals, ...commands.flatMap(({ options }) => options)].filter(({ value }) => value !== null);
  return [...new Set(valued.flatMap(optionWords))];
}
