import { lifecycleGraph } from "../../commands/lifecycle/graph.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.graph": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleGraph(context, {
        role: invocation.positionals[0],
        gantt: flag(invocation, "gantt"),
        day: text(invocation, "day"),
        since: text(invocation, "since"),
      }),
    ),
};
