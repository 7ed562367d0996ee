import { processWorld } from "../platform/process-world.ts";
import type { CommandName } from "./command-table.ts";
import type { Entry } from "./entry.ts";
import { globalsOf } from "./invocation.ts";
import { readPlain } from "./plain-options.ts";

/** What a command line that is run all day holds, as its row in the table of commands has it. */
export interface QuickCommand {
  readonly command: CommandName;
  /** Those of its options, and of every command's, that are read here. */
  readonly options: readonly QuickOption[];
  /** So many arguments at most, and none that it needs. */
  readonly most: number;
}

export interface QuickOption {
  readonly long: string;
  readonly short?: string;
  readonly value?: string;
}

/** Of the options that every command has, those that agents and scripts pass. */
export const COMMON: readonly QuickOption[] = [
  { long: "root", short: "C", value: "dir" },
  { long: "json" },
  { long: "quiet", short: "q" },
];

/**
 * Runs a command without the table of all of them, which a start pays for; its exit code, or null where its
 * command line has to be read in full, and where the run is no common one.
 */
export async function runQuickly(
  commands: readonly QuickCommand[],
  entry: Entry,
  build: string,
): Promise<number | null> {
  const world = { ...processWorld(), build };
  const [name, ...words] = world.argv;
  const quick = commands.find(({ command }) => command === name);
  if (quick === undefined || world.env.CONTEXT_PROBE === "1") return null;
  const handler = entry[quick.command];
  const line = readPlain(words, quick.options);
  if (handler === undefined || line === null || line.positionals.length > quick.most) return null;
  const globals = globalsOf(line.values);
  return handler(world, { command: quick.command, positionals: line.positionals, options: line.values, globals });
}
