import { detect } from "../../commands/detect.ts";
import { thread } from "../../commands/thread/thread.ts";
import { trail } from "../../commands/trail.ts";
import type { TrailFormat } from "../../trail/render.ts";
import type { Entry } from "../entry.ts";
import { flag, runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  detect: (world, invocation) =>
    runCommand(world, invocation, (context) => detect(context, { transcript: text(invocation, "transcript") })),
  thread: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      thread(context, {
        file: invocation.positionals[0] ?? "-",
        last: text(invocation, "last"),
        sinceCompaction: flag(invocation, "since-compaction"),
        budget: text(invocation, "budget"),
        escape: text(invocation, "escape") === "structural" ? "structural" : "full",
        full: flag(invocation, "full"),
        raw: flag(invocation, "raw"),
      }),
    ),
  trail: (world, invocation) =>
    runCommand(world, invocation, (context) =>
      trail(context, {
        transcript: invocation.positionals[0],
        format: formatOf(text(invocation, "format")),
        budget: text(invocation, "budget"),
        sinceCompaction: flag(invocation, "since-compaction"),
      }),
    ),
};

function formatOf(value: string | undefined): TrailFormat {
  return value === "xml" || value === "json" ? value : "md";
}
