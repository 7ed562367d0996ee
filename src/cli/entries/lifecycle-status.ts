import { lifecycleStatus } from "../../commands/lifecycle/status.ts";
import { usage } from "../../commands/report.ts";
import type { Entry } from "../entry.ts";
import { COMMON, type QuickCommand, runQuickly } from "../quick-command.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.status": async (world, invocation) => {
    const input = {
      role: invocation.positionals[0],
      filter: text(invocation, "filter"),
      unsaved: flag(invocation, "unsaved"),
      brief: flag(invocation, "brief"),
      json: invocation.globals.json,
    };
    if (!flag(invocation, "watch") && text(invocation, "reconnect") !== undefined)
      return runCommand(world, invocation, () => usage("--reconnect is for --watch."));
    if (!flag(invocation, "watch")) return runCommand(world, invocation, (context) => lifecycleStatus(context, input));
    const { watchStatus } = await import("./lifecycle-watch.ts");
    return watchStatus(world, invocation, input);
  },
};

export const QUICK: readonly QuickCommand[] = [
  {
    command: "lifecycle.status",
    options: [...COMMON, { long: "filter", value: "clauses" }, { long: "brief" }, { long: "unsaved" }],
    most: 1,
  },
];

export const run = (build: string): Promise<number | null> => runQuickly(QUICK, entry, build);
