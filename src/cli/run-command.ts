import { printable } from "../base/printable.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { openContext } from "../commands/command-context.ts";
import { noProject, type Report } from "../commands/report.ts";
import type { RoleInput } from "../commands/role-argument.ts";
import type { World } from "../platform/world.ts";
import type { FindingForm } from "./finding-forms.ts";
import type { Invocation } from "./invocation.ts";
import { writeReport } from "./write-report.ts";

/**
 * Opens the project, runs the command, writes its report, which names the project for a program; the exit code. `forms` are
 * those of its findings, by the word behind `--format`.
 */
export function runCommand(
  world: World,
  invocation: Invocation,
  command: Command,
  forms: Readonly<Record<string, FindingForm>> = {},
): Promise<number> {
  const named: Command = async (context, given) => {
    const report = await command(context, given);
    // What the command line lacks has nothing to do with any project.
    if (report.outcome === "usage") return report;
    return { ...report, data: { root: context.paths.root, ...report.data } };
  };
  return run(world, invocation, named, forms[text(invocation, "format") ?? ""]);
}

/** The same for a command that says the same in every project. */
export function runAnywhere(world: World, invocation: Invocation, command: Command): Promise<number> {
  return run(world, invocation, command);
}

type Command = (context: CommandContext, invocation: Invocation) => Report | Promise<Report>;

async function run(world: World, invocation: Invocation, command: Command, findings?: FindingForm): Promise<number> {
  const { globals } = invocation;
  const context = openContext(world, { root: globals.root, hook: false });
  if (globals.verbose && context.ok) {
    const { sayMore } = await import("../commands/say-more.ts");
    for (const line of sayMore(context.value, world, globals.root)) world.stderr.write(`context: ${printable(line)}\n`);
  }
  const report = context.ok
    ? await inStore(context.value, invocation, (opened) => command(opened, invocation))
    : noProject(context.error);
  return writeReport(world, { globals, findings }, report);
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

/** The role that a step is for, and whether it is taken over. */
export function roleInput(invocation: Invocation): RoleInput {
  return { role: invocation.positionals[0], takeOver: flag(invocation, "take-over") };
}

/** Whether an option that takes no value was given. */
export function flag(invocation: Invocation, name: string): boolean {
  return invocation.options[name] === true;
}

/** The value of an option; undefined where it was not given. */
export function text(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name];
  return typeof value === "string" ? value : undefined;
}
