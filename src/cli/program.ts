import { Argument, Command, CommanderError, Option } from "commander";
import { suggest } from "../base/suggest.ts";
import { invokedHere } from "../commands/command-context.ts";
import { done, type Report, usage } from "../commands/report.ts";
import type { World } from "../platform/world.ts";
import { COMMANDS, type CommandName, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./command-table.ts";
import { globalsOf, type Invocation, splitCommand, takenForFolder, wordsOf } from "./invocation.ts";
import { asksForJson } from "./json-form.ts";
import { VERSION } from "./version.ts";
import { writeReport } from "./write-report.ts";

type Run = (world: World, invocation: Invocation) => Promise<number>;

/** The whole command line: help, version, and every way to be wrong, each with what was probably meant. */
export async function runProgram(world: World, run: Run): Promise<number> {
  let exitCode = 0;
  let told = "";
  const program = buildProgram(
    world,
    async (invocation) => {
      exitCode = await run(world, invocation);
    },
    (text) => {
      told += text;
    },
  );
  const argv = normalise(world.argv);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const words = wordsOf(world.argv);
    if (error.code === "commander.version") return write(world, done(told, { version: VERSION }));
    const taken = error.exitCode === 0 ? null : takenForFolder(world.argv);
    if (taken !== null) {
      return write(world, usage("No folder stands behind -C (--root).", `Did you mean -C <dir> ${taken.name}?`));
    }
    // Commander has no sentence for either: help for what is no command, and options without a command.
    if (error.code === "commander.help" && error.exitCode !== 0) {
      const of = words.slice(1);
      // The help of help is the whole one, which names it.
      if (words.length > 0 && of[0] !== "help") return write(world, unknownCommand(world, of));
      program.outputHelp();
    } else if (error.code === "commander.unknownCommand" && words.length > 0) {
      return write(world, unknownCommand(world, words));
    } else if (error.exitCode !== 0) return write(world, misuse(world, error));
  }
  return told === "" ? exitCode : write(world, done(told, { help: told }));
}

function write(world: World, report: Report): number {
  const json = asksForJson(world.argv);
  return writeReport(world, { globals: { root: undefined, json, quiet: false, verbose: false, color: false } }, report);
}

/** The commander program for the table; `act` gets every command line that is in order. */
function buildProgram(
  world: World,
  act: (invocation: Invocation) => Promise<void>,
  tell: (text: string) => void,
): Command {
  const program = new Command("context")
    .description("Keeps a coding agent's memory across a compaction.")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeOut: tell, writeErr: () => undefined, ...looksOf(world) })
    .addHelpText("after", GENERAL_HELP);
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option));
  for (const spec of COMMANDS) addCommand(program, spec, act);
  return program;
}

/** How wide help may be: asked of the terminal where there is one, for that alone loads Node's streams. No help is in colours. */
function looksOf(world: World) {
  const noColors = { getOutHasColors: () => false, getErrHasColors: () => false };
  return world.stdout.isTerminal()
    ? noColors
    : { ...noColors, getOutHelpWidth: () => PLAIN_WIDTH, getErrHelpWidth: () => PLAIN_WIDTH };
}

/** Commander's own figure where there is no terminal. */
const PLAIN_WIDTH = 80;

function addCommand(
  program: Command,
  spec: CommandSpec & { readonly name: CommandName },
  act: (invocation: Invocation) => Promise<void>,
): void {
  const command = program.command(spec.name).description(spec.summary).exitOverride().allowExcessArguments(false);
  for (const { name, required, variadic, summary } of spec.arguments) {
    const shown = `${name}${variadic ? "..." : ""}`;
    command.addArgument(new Argument(required ? `<${shown}>` : `[${shown}]`, summary));
  }
  for (const option of spec.options) command.addOption(toOption(option));
  for (const option of GLOBAL_OPTIONS) command.addOption(toOption(option).hideHelp());
  command.addHelpText("after", helpOf(spec));
  command.action(async () => {
    const options = readOptions({ ...program.opts(), ...command.opts() }, [...GLOBAL_OPTIONS, ...spec.options]);
    await act({ command: spec.name, positionals: command.args, options, globals: globalsOf(options) });
  });
}

function toOption({ long, short, value, choices, summary }: OptionSpec): Option {
  const flags = `${short === undefined ? "" : `-${short}, `}--${long}${value === undefined ? "" : ` <${value}>`}`;
  const option = new Option(flags, summary);
  return choices === undefined ? option : option.choices(choices);
}

/** Commander's camel-cased values under the options' own names; `--no-x` is told by its `x` being false. */
function readOptions(
  values: Readonly<Record<string, unknown>>,
  known: readonly OptionSpec[],
): Record<string, string | true> {
  const options: Record<string, string | true> = {};
  for (const { long } of known) {
    const negated = long.startsWith("no-");
    const key = (negated ? long.slice(3) : long).replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    const value = values[key];
    if (negated ? value === false : value === true) options[long] = true;
    else if (typeof value === "string") options[long] = value;
  }
  return options;
}

function helpOf(spec: CommandSpec): string {
  const exits = spec.exits.map(([code, meaning]) => `  ${code}  ${meaning}\n`).join("");
  const examples = spec.examples.map((example) => `  $ ./context ${example}\n`).join("");
  return `${exits === "" ? "" : `\nExit codes:\n${exits}`}\nExamples:\n${examples}`.trimEnd();
}

const GENERAL_HELP = `
Spaced names mean the same: "lifecycle save" is "lifecycle.save".

Exit codes:
  0  done, warnings allowed      1  not as it should be      2  usage
  3  ran out of time             4  locked, or the store of the machines cannot be reached
  70 a fault of this program     130, 143 interrupted

Examples:
  $ ./context lifecycle.save oosh-expert
  $ ./context recover oosh-expert`;

/** The dotted name in place of a spaced one, so that both reach the same command. */
function normalise(argv: readonly string[]): string[] {
  const asksForHelp = wordsOf(argv)[0] === "help";
  const at = asksForHelp ? argv.indexOf("help") : -1;
  const split = splitCommand([...argv.slice(0, Math.max(at, 0)), ...argv.slice(at + 1)]);
  if (split === null) return [...argv];
  // Options that stood before the name are the command's own here: each command knows the global ones.
  return asksForHelp ? ["help", split.spec.name] : [split.spec.name, ...split.rest];
}

/** Commander's own sentence, as one of ours. */
function misuse(world: World, error: CommanderError): Report {
  // What was typed may hold a line break too.
  const [first = "", more = ""] = error.message
    .replace(/^error: /, "")
    .trim()
    .split(/\n\((?=Did)/);
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? "" : "."}`;
  if (first.includes("'--role")) return usage(sentence, "A role is named without --role.");
  const known = splitCommand(world.argv)?.spec.name;
  const way = known === undefined ? allCommands(world) : `Run ${invokedHere(world)} help ${known} for what it takes.`;
  return usage(sentence, more.slice(0, -1) || way);
}

function allCommands(world: World): string {
  return `Run ${invokedHere(world)} help for the commands.`;
}

function unknownCommand(world: World, words: readonly string[]): Report {
  return usage(`Unknown command '${words[0] ?? ""}'.`, meantBy(world, words));
}

/** What to do about words that begin with no command. The program's own name may stand before it: `context.recover`. */
function meantBy(world: World, typed: readonly string[]): string {
  const words = typed
    .join(" ")
    .replace(/^context[. ](?=.)/i, "")
    .split(" ");
  const near = nearCommand(words[0] ?? "");
  return verbsOf(words) ?? (near === null ? allCommands(world) : `Did you mean ${near}?`);
}

/** The command that was probably meant: one of a group by its verb alone, or one that is spelt nearly so. */
function nearCommand(word: string): string | null {
  const names = COMMANDS.map((command) => command.name);
  const verbs = new Map<string, string>(names.map((name) => [name.slice(name.indexOf(".") + 1), name]));
  verbs.set("help", "help");
  // "New" is new, although there is a resume.new.
  for (const name of names) verbs.set(name, name);
  const wanted = word.toLowerCase();
  return verbs.get(wanted) ?? suggest(wanted, names) ?? verbs.get(suggest(wanted, verbs.keys()) ?? "") ?? null;
}

/** "lifecycle" alone, or with a verb that is none: the verbs there are. Of a group that is spelt nearly so, the verb alone. */
function verbsOf(words: readonly string[]): string | null {
  const [first = "", ...rest] = words.slice(0, 3).join(".").split(".");
  const grouped = COMMANDS.map((command) => command.name).filter((name) => name.includes("."));
  const group = suggest(
    first,
    grouped.map((name) => name.slice(0, name.indexOf("."))),
  );
  const names = grouped.filter((name) => name.startsWith(`${group}.`));
  const verbs = names.map((name) => name.slice(name.indexOf(".") + 1));
  // The second word may be a verb's second half, or a role.
  const near = suggest(rest[0] ?? "", verbs) ?? suggest(rest.slice(0, 2).join("."), verbs);
  if (near !== null) return `Did you mean ${group}.${near}?`;
  return group === first.toLowerCase() && verbs.length > 1 ? `Its commands: ${names.join(", ")}.` : null;
}
