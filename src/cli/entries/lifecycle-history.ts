import { lifecycleHistory } from "../../commands/lifecycle/history.ts";
import type { Entry } from "../entry.ts";
import { runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.history": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleHistory(context, {
        role: invocation.positionals[0],
        since: text(invocation, "since"),
        limit: text(invocation, "limit"),
      }),
    ),
};
