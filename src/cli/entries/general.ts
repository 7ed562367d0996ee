import { demo } from "../../commands/demo/demo.ts";
import { newContextFile } from "../../commands/new.ts";
import { schema } from "../../commands/schema.ts";
import type { Entry } from "../entry.ts";
import { flag, runAnywhere, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  schema: (world, invocation) => runAnywhere(world, invocation, () => schema()),
  new: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      newContextFile(context, {
        role: invocation.positionals[0],
        description: text(invocation, "description"),
        pane: text(invocation, "pane"),
        force: flag(invocation, "force"),
      }),
    ),
  demo: (world, invocation) => runAnywhere(world, invocation, () => demo(world)),
};
