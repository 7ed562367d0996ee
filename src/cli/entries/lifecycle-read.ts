import { lifecycleHistory } from "../../commands/lifecycle/history.ts";
import { lifecycleStatus } from "../../commands/lifecycle/status.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";
import { VERSION } from "../version.ts";

export const entry: Entry = {
  "lifecycle.status": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleStatus(context, {
        role: invocation.positionals[0],
        filter: text(invocation, "filter"),
        unsaved: flag(invocation, "unsaved"),
        edition: VERSION,
      }),
    ),
  "lifecycle.history": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleHistory(context, {
        role: invocation.positionals[0],
        since: text(invocation, "since"),
        limit: text(invocation, "limit"),
      }),
    ),
};
