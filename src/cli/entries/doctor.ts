import { doctor } from "../../commands/doctor/doctor.ts";
import { COMMANDS } from "../command-table.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";
import { VERSION } from "../version.ts";

export const entry: Entry = {
  doctor: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      doctor(context, world, {
        fix: flag(invocation, "fix"),
        perf: flag(invocation, "perf"),
        managed: text(invocation, "managed-settings"),
        version: VERSION,
        verbs: COMMANDS.map(({ name }) => name),
      }),
    ),
};
