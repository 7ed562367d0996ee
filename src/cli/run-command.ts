import { printable } from "../base/printable.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { openContext } from "../commands/command-context.ts";
import type { Report } from "../commands/report.ts";
import { usage } from "../commands/report.ts";
import type { World } from "../platform/world.ts";
import type { Invocation } from "./invocation.ts";
import { writeReport } from "./write-report.ts";

/** Opens the project, runs the command, writes its report; the exit code. */
export async function runCommand(
  world: World,
  invocation: Invocation,
  command: (context: CommandContext, invocation: Invocation) => Report | Promise<Report>,
): Promise<number> {
  const { globals } = invocation;
  const context = openContext(world, { root: globals.root, hook: false });
  if (globals.verbose && context.ok) {
    const { sayMore } = await import("../commands/say-more.ts");
    for (const line of sayMore(context.value, world, globals.root)) world.stderr.write(`context: ${printable(line)}\n`);
  }
  const report = context.ok
    ? await inStore(context.value, invocation, (opened) => command(opened, invocation))
    : usage(context.error);
  return writeReport(world, { globals, format: text(invocation, "format") }, report);
}

/** Runs a command where the machines are: in files, or in the store that is named. */
export async function inStore(
  context: CommandContext,
  invocation: Invocation,
  command: (context: CommandContext) => Report | Promise<Report>,
): Promise<Report> {
  if (context.paths.shared === undefined) return command(context);
  const { withMachines } = await import("../commands/shared-machines.ts");
  return withMachines(context, invocation, command);
}

export function flag(invocation: Invocation, name: string): boolean {
  return invocation.options[name] === true;
}

export function text(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name];
  return typeof value === "string" ? value : undefined;
}
