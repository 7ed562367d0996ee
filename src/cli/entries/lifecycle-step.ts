import { lifecycleInit } from "../../commands/lifecycle/init.ts";
import { lifecyclePreCompact } from "../../commands/lifecycle/pre-compact-check.ts";
import { lifecycleRecover } from "../../commands/lifecycle/recover.ts";
import { lifecycleSave } from "../../commands/lifecycle/save.ts";
import { recover } from "../../commands/recover.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.init": (world, invocation) =>
    runCommand(world, invocation, (context) => lifecycleInit(context, invocation.positionals[0])),
  "lifecycle.save": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleSave(context, { role: invocation.positionals[0], takeOver: flag(invocation, "take-over") }),
    ),
  "lifecycle.pre.compact": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecyclePreCompact(context, { role: invocation.positionals[0], takeOver: flag(invocation, "take-over") }),
    ),
  "lifecycle.recover": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      lifecycleRecover(context, { role: invocation.positionals[0], takeOver: flag(invocation, "take-over") }),
    ),
  recover: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      recover(context, {
        role: invocation.positionals[0],
        takeOver: flag(invocation, "take-over"),
        transcript: text(invocation, "transcript"),
        check: flag(invocation, "check"),
        project: text(invocation, "project"),
      }),
    ),
};
