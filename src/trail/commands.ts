import { oneLine } from "./clean-text.ts";
import type { ShellCall } from "./command-text.ts";
import { placeOf, type TrailContext } from "./context.ts";
import type { CommandRun } from "./model.ts";
import { outcomeOf } from "./test-outcome.ts";

/** Shell commands with their last outcome, newest first; the same text counts as the same command. */
export function commandRuns(calls: readonly ShellCall[], context: TrailContext): readonly CommandRun[] {
  const runs = new Map<string, CommandRun>();
  for (const shell of calls) {
    const command = oneLine(shell.text);
    if (command === "") continue;
    const before = runs.get(command);
    const outcome = outcomeOf(shell);
    runs.delete(command);
    runs.set(command, {
      ...placeOf(shell.call),
      command: before?.command ?? context.clean(command, 300),
      outcome,
      times: (before?.times ?? 0) + 1,
      failed: (before?.failed ?? 0) + (outcome === "failed" ? 1 : 0),
    });
  }
  return [...runs.values()].reverse();
}
