import { parseArgs } from "node:util";
import { COMMANDS, type CommandName, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./command-table.ts";
import { type PlainLine, readPlain } from "./plain-options.ts";

export interface GlobalOptions {
  readonly root: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

/** A command line that names a command and fits it. */
export interface Invocation {
  readonly command: CommandName;
  readonly positionals: readonly string[];
  /** By long name: true for a flag, the text for an option with a value. */
  readonly options: Readonly<Record<string, string | true | undefined>>;
  readonly globals: GlobalOptions;
}

/**
 * Reads a command line that is in order, or null: then the full program, which knows every way to be wrong, reads it
 * again and says what is. So the everyday call loads no argument parser but Node's own.
 */
export function readInvocation(argv: readonly string[]): Invocation | null {
  const words = splitCommand(argv);
  if (words === null) return null;
  const { spec, rest } = words;
  const known = [...GLOBAL_OPTIONS, ...spec.options];
  const parsed = readPlain(rest, known) ?? readFully(rest, known);
  if (parsed === null) return null;
  const options: Record<string, string | true> = {};
  for (const option of known) {
    const value = parsed.values[option.long];
    if (typeof value !== "string" && value !== true) continue;
    if (option.choices !== undefined && !option.choices.some((choice) => choice === value)) return null;
    options[option.long] = value;
  }
  if (!fits(spec, parsed.positionals.length)) return null;
  return { command: spec.name, positionals: parsed.positionals, options, globals: globalsOf(options) };
}

/** As Node's own parser reads it, every spelling included; null where it is out of order. */
function readFully(
  rest: string[],
  known: readonly OptionSpec[],
): (Pick<PlainLine, "positionals"> & { values: Readonly<Record<string, unknown>> }) | null {
  try {
    return parseArgs({ args: rest, options: parserOptions(known), allowPositionals: true, strict: true });
  } catch {
    return null;
  }
}

/** The options that every command takes, read from what was given. */
export function globalsOf(options: Readonly<Record<string, string | true | undefined>>): GlobalOptions {
  const { root } = options;
  return {
    root: typeof root === "string" ? root : undefined,
    json: options.json === true || options.format === "json",
    quiet: options.quiet === true,
    verbose: options.verbose === true,
    color: options["no-color"] !== true,
  };
}

type NamedSpec = CommandSpec & { readonly name: CommandName };

/** Dotted and spaced names alike, with global options before the name or within it; null where no command is named. */
export function splitCommand(argv: readonly string[]): { spec: NamedSpec; rest: string[] } | null {
  const before: string[] = [];
  const words: string[] = [];
  let at = 0;
  let best: { spec: NamedSpec; next: number } | null = null;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word.startsWith("-")) {
      // Within a spaced name only options that every command has: "lifecycle --json status".
      if (best !== null || (words.length > 0 && !isGlobal(word))) break;
      before.push(word);
      if (takesValue(word)) before.push(argv[++at] ?? "");
      continue;
    }
    // An empty variable in a hook's line must stop no compaction.
    if (word === "" && words.length === 0) continue;
    words.push(word);
    const name = words.join(".");
    const spec: NamedSpec | undefined = COMMANDS.find((command) => command.name === name);
    if (spec !== undefined) best = { spec, next: at + 1 };
    else if (!COMMANDS.some((command) => command.name.startsWith(`${name}.`))) break;
  }
  return best === null ? null : { spec: best.spec, rest: [...before, ...argv.slice(best.next)] };
}

/** What stands in a command line beside its options and the values of those that every command has. */
export function wordsOf(argv: readonly string[]): readonly string[] {
  return argv.filter((word, at) => !word.startsWith("-") && !takesValue(argv[at - 1] ?? ""));
}

/** The command that `-C` took for its folder, where the folder was forgotten; null where another one is named, or none. */
export function takenForFolder(argv: readonly string[]): CommandSpec | null {
  const at = argv.findIndex(takesValue);
  return at === -1 || splitCommand(argv) !== null ? null : (splitCommand(argv.toSpliced(at, 1))?.spec ?? null);
}

function isGlobal(word: string): boolean {
  const [name] = word.split("=");
  return GLOBAL_OPTIONS.some((option) => name === `--${option.long}` || word === `-${option.short}`);
}

function takesValue(word: string): boolean {
  return GLOBAL_OPTIONS.some(
    (option) => option.value !== undefined && (word === `--${option.long}` || word === `-${option.short}`),
  );
}

function parserOptions(known: readonly OptionSpec[]) {
  const options: Record<string, { type: "string" | "boolean"; short?: string }> = {};
  for (const { long, short, value } of known) {
    options[long] = { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
  }
  return options;
}

function fits(spec: CommandSpec, count: number): boolean {
  const required = spec.arguments.filter((argument) => argument.required).length;
  const open = spec.arguments.some((argument) => argument.variadic);
  return count >= required && (open || count <= spec.arguments.length);
}
