import { oneLine } from "./clean-text.ts";
import { keyOf, type ShellCall } from "./command-text.ts";
import { placeOf, type TrailContext } from "./context.ts";
import type { TestRun } from "./model.ts";
import { testCommand } from "./test-outcome.ts";

/** The test commands of some calls with their last result, newest first. */
export function testRuns(calls: readonly ShellCall[], context: TrailContext): readonly TestRun[] {
  const runs = new Map<string, TestRun>();
  for (const shell of calls) {
    const test = testCommand(shell);
    // A run in the background has no result: what the call says is that it began.
    if (test === null || shell.call.note?.background != null) continue;
    const { command, outcome, counts } = test;
    const key = keyOf(command, context);
    const times = (runs.get(key)?.times ?? 0) + 1;
    runs.delete(key);
    runs.set(key, {
      ...placeOf(shell.call),
      command: context.clean(oneLine(command.words.join(" ")), 300),
      outcome,
      counts: counts === null ? null : context.clean(counts, 200),
      times,
    });
  }
  return [...runs.values()].reverse();
}
