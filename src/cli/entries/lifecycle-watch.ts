import { printable } from "../../base/printable.ts";
import { openContext } from "../../commands/command-context.ts";
import type { FleetQuestion } from "../../commands/lifecycle/fleet.ts";
import { readReconnect } from "../../commands/lifecycle/store-turn.ts";
import { watchLines } from "../../commands/lifecycle/watch-lines.ts";
import { watchScreen } from "../../commands/lifecycle/watch-screen.ts";
import { noProject, type Report, usage } from "../../commands/report.ts";
import { stopSignals } from "../../platform/stop-signals.ts";
import type { World } from "../../platform/world.ts";
import { EXIT } from "../exit-code.ts";
import type { Invocation } from "../invocation.ts";
import { codeOfWritten } from "../lost-output.ts";
import { inStore, text } from "../run-command.ts";
import { writeReport } from "../write-report.ts";

/** `lifecycle.status --watch`: writes as it goes, so a report comes only where something is wrong. */
export async function watchStatus(world: World, invocation: Invocation, input: FleetQuestion): Promise<number> {
  const { globals } = invocation;
  const end = (report: Report) => writeReport(world, { globals }, report);
  const context = openContext(world, { root: globals.root, hook: false });
  if (!context.ok) return end(noProject(context.error));
  if (input.unsaved) {
    const hint = "Watch without it, and ask for one role at a time.";
    return end(usage("--watch and --unsaved exclude each other.", hint));
  }
  const retry = readReconnect(text(invocation, "reconnect"));
  if (!retry.ok) return end(retry.error);
  const watched = { ...input, retryMs: retry.value };
  const { stdout, stderr } = world;
  const stops = stopSignals();
  const stop = stops.signal;
  const report = await inStore(context.value, invocation, (opened) =>
    stdout.isTerminal() && !globals.json && world.env.TERM !== "dumb"
      ? watchScreen(opened, watched, {
          write: stdout.write,
          stop,
          interrupt: stops.interrupt,
          clock: () => new Date(),
        })
      : watchLines(opened, watched, {
          json: globals.json,
          write: (words) => {
            stdout.write(words);
            return !stdout.isGone();
          },
          tell: (note) => {
            if (!globals.quiet) stderr.write(`${printable(note)}\n`);
          },
          stop,
        }),
  );
  stops.release();
  if (report.outcome !== "done") return end(report);
  return stops.exitCode() ?? codeOfWritten(world, EXIT.done);
}
