import { detect } from "../../commands/detect.ts";
import type { Entry } from "../entry.ts";
import { runCommand, text } from "../run-command.ts";

export const entry: Entry = {
  detect: (world, invocation) =>
    runCommand(world, invocation, (context) => detect(context, { transcript: text(invocation, "transcript") })),
};
