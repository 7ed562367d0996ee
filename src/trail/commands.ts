import { withoutHereBodies } from "../transcript/shell-quotes.ts";
import { oneLine } from "./clean-text.ts";
import type { ShellCall } from "./command-text.ts";
import { placeOf, type TrailContext } from "./context.ts";
import type { CommandRun } from "./model.ts";
import { outcomeOf } from "./test-outcome.ts";

/** Shell commands with their last outcome, newest first; the same text counts as the same command. */
export function commandRuns(calls: readonly ShellCall[], context: TrailContext): readonly CommandRun[] {
  const runs = new Map<string, CommandRun>();
  for (const shell of calls) {
    const key = oneLine(shell.text);
    if (key === "") continue;
    const before = runs.get(key);
    const outcome = outcomeOf(shell);
    runs.delete(key);
    runs.set(key, {
      ...placeOf(shell.call),
      command: before?.command ?? context.cleanLine(withoutHereBodies(shell.text), 300),
      outcome,
      times: (before?.times ?? 0) + 1,
      failed: (before?.failed ?? 0) + (outcome === "failed" ? 1 : 0),
    });
  }
  return [...runs.values()].reverse();
}
