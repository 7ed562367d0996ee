import { processWorld } from "../platform/process-world.ts";
import type { CommandName } from "./command-table.ts";
import type { Handler } from "./entry.ts";
import { globalsOf } from "./invocation.ts";
import { readPlain } from "./plain-options.ts";

export interface QuickHook {
  readonly command: CommandName;
  /** Those of its options that an installed hook has, as in the table of commands. */
  readonly options: readonly { readonly long: string; readonly value?: string }[];
}

/**
 * Runs a hook without the table of commands, which costs it a tenth of its start; its exit code, or null where its command line has to be
 * read in full, and where the run is no common one.
 */
export async function runQuickly(
  { command, options }: QuickHook,
  handler: Handler,
  build: string,
): Promise<number | null> {
  const world = { ...processWorld(), build };
  if (world.env.CONTEXT_PROBE === "1") return null;
  const line = readPlain(world.argv.slice(1), options);
  if (line === null || line.positionals.length > 0) return null;
  const globals = globalsOf(line.values);
  return handler(world, { command, positionals: [], options: line.values, globals });
}
