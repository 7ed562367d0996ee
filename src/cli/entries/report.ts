import { reportPage } from "../../commands/report-page/report-page.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  report: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      reportPage(context, {
        out: text(invocation, "out"),
        since: text(invocation, "since"),
        now: text(invocation, "now"),
        force: flag(invocation, "force"),
        json: invocation.globals.json,
      }),
    ),
};
