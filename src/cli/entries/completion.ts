import { completion } from "../../commands/completion/completion.ts";
import { completionTable } from "../../commands/completion/table.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../command-table.ts";
import type { Entry } from "../entry.ts";
import { runAnywhere } from "../run-command.ts";

export const entry: Entry = {
  completion: (world, invocation) =>
    runAnywhere(world, invocation, (context) =>
      completion(context, completionTable(COMMANDS, GLOBAL_OPTIONS), invocation.positionals[0] ?? ""),
    ),
};
