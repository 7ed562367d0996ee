import { init } from "../../commands/init/init.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand } from "../run-command.ts";
import { VERSION } from "../version.ts";

export const entry: Entry = {
  init: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      init(context, world, {
        check: flag(invocation, "check"),
        dryRun: flag(invocation, "dry-run"),
        remove: flag(invocation, "remove"),
        user: flag(invocation, "user"),
        gate: flag(invocation, "gate"),
        yes: flag(invocation, "yes"),
        json: invocation.globals.json,
        version: VERSION,
      }),
    ),
};
