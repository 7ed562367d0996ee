import { lifecycleHistory } from "../../commands/lifecycle/history.ts";
import { lifecycleStatus } from "../../commands/lifecycle/status.ts";
import { usage } from "../../commands/report.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";
import { VERSION } from "../version.ts";

export const entry: Entry = {
  "lifecycle.status": async (world, invocation) => {
    const input = {
      role: invocation.positionals[0],
      filter: text(invocation, "filter"),
      unsaved: flag(invocation, "unsaved"),
      brief: flag(invocation, "brief"),
      edition: VERSION,
    };
    if (!flag(invocation, "watch") && text(invocation, "reconnect") !== undefined)
      return runCommand(world, invocation, () => usage("--reconnect is for --watch."));
    if (!flag(invocation, "watch"))
      return runCommand(world, invocation, (context) =>
        lifecycleStatus(context, { ...input, json: invocation.globals.json }),
      );
    const { watchStatus } = await import("./lifecycle-watch.ts");
    return watchStatus(world, invocation, input);
  },
  "lifecycle.history": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleHistory(context, {
        role: invocation.positionals[0],
        since: text(invocation, "since"),
        limit: text(invocation, "limit"),
      }),
    ),
};
