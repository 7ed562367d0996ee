import { usage } from "../../commands/report.ts";
import type { Entry, Handler } from "../entry.ts";
import { runAnywhere } from "../run-command.ts";

const leftOut: Handler = (world, invocation) =>
  runAnywhere(world, invocation, () =>
    usage(
      `${invocation.command} is not part of the plugin, which sets itself up.`,
      "The package agent-context has it: npm install --save-dev agent-context.",
    ),
  );

/** What stands in the plugin in place of the commands that set up a project or a shell. */
export const entry: Entry = { init: leftOut, completion: leftOut };
