import { explain } from "../../commands/explain.ts";
import type { Entry } from "../entry.ts";
import { runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  explain: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      explain(context, { source: text(invocation, "source"), transcript: text(invocation, "transcript") }),
    ),
};
