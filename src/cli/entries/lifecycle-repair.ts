import { lifecycleRepair } from "../../commands/lifecycle/repair.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.repair": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleRepair(context, { role: invocation.positionals[0], takeOver: flag(invocation, "take-over") }),
    ),
};
