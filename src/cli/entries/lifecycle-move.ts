import { lifecycleExport } from "../../commands/lifecycle/export.ts";
import { lifecycleImport } from "../../commands/lifecycle/import.ts";
import { lifecycleRepair } from "../../commands/lifecycle/repair.ts";
import type { Entry } from "../entry.ts";
import { flag, roleInput, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.repair": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecycleRepair(context, roleInput(invocation))),
  "lifecycle.export": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecycleExport(context, { out: text(invocation, "out") })),
  "lifecycle.import": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleImport(context, { file: invocation.positionals[0], force: flag(invocation, "force") }),
    ),
};
