import { lifecycleWait } from "../../commands/lifecycle/wait.ts";
import { stopSignals } from "../../platform/stop-signals.ts";
import type { Entry } from "../entry.ts";
import { EXIT } from "../exit-code.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.wait": async (world, invocation) => {
    const stops = stopSignals();
    const code = await runCommand(world, invocation, (context) =>
      lifecycleWait(context, {
        roles: invocation.positionals,
        states: text(invocation, "for"),
        timeout: text(invocation, "timeout"),
        any: flag(invocation, "any"),
        all: flag(invocation, "all"),
        reconnect: text(invocation, "reconnect"),
        stop: stops.signal,
        tell: (note) => {
          if (!invocation.globals.quiet) world.stderr.write(`${note}\n`);
        },
      }),
    );
    // Who was told that it is done must not hear, by its exit code, that it was interrupted.
    return code === EXIT.done ? code : (stops.exitCode() ?? code);
  },
};
