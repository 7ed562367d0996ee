import { printable } from "../../base/printable.ts";
import { lifecycleCompact } from "../../commands/compact/compact.ts";
import { stopSignals } from "../../platform/stop-signals.ts";
import type { Entry } from "../entry.ts";
import { EXIT } from "../exit-code.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  "lifecycle.compact": async (world, invocation) => {
    const stops = stopSignals();
    const { globals } = invocation;
    const code = await runCommand(world, invocation, (context) =>
      lifecycleCompact(
        context,
        {
          role: invocation.positionals[0],
          pane: text(invocation, "pane"),
          socket: text(invocation, "socket"),
          saveTimeout: text(invocation, "save-timeout"),
          compactTimeout: text(invocation, "compact-timeout"),
          ask: flag(invocation, "ask"),
          dryRun: flag(invocation, "dry-run"),
          anyScreen: flag(invocation, "any-screen"),
          leaveCopyMode: flag(invocation, "leave-copy-mode"),
        },
        {
          write: (line) => {
            if (!globals.json) world.stdout.write(line);
          },
          tell: (note) => {
            if (!globals.quiet) world.stderr.write(`${printable(note)}\n`);
          },
          stop: stops.signal,
          clock: () => new Date(),
        },
      ),
    );
    // Who was told that it is done must not hear, by its exit code, that it was interrupted.
    return code === EXIT.done ? code : (stops.exitCode() ?? code);
  },
};
