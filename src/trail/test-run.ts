import type { ShellCall } from "./command-text.ts";
import { placeOf, type TrailContext } from "./context.ts";
import type { TestRun } from "./model.ts";
import { covers, type TestScope, testScope } from "./test-cover.ts";
import { testCommand } from "./test-outcome.ts";

/** The test commands of some calls with their last result, newest first; one that failed is left out once a wider one passed. */
export function testRuns(calls: readonly ShellCall[], context: TrailContext): readonly TestRun[] {
  const runs = new Map<string, TestRun>();
  const failed = new Map<string, readonly TestScope[]>();
  for (const shell of calls) {
    const test = testCommand(shell);
    if (test === null) continue;
    const { runs: works, outcome, counts } = test;
    const key = works.map((work) => work.key).join("\n");
    const times = (runs.get(key)?.times ?? 0) + 1;
    runs.delete(key);
    failed.delete(key);
    const scopes = works.map(({ command }) => testScope(command));
    if (outcome === "passed") {
      for (const [other, others] of failed) {
        if (!others.every((each) => scopes.some((scope) => covers(scope, each)))) continue;
        runs.delete(other);
        failed.delete(other);
      }
    } else if (outcome === "failed") failed.set(key, scopes);
    for (const other of failed.keys()) if (failed.size > MOST_FAILED) failed.delete(other);
    runs.set(key, {
      ...placeOf(shell.call),
      command: context.cleanLine(works.map(({ command }) => command.words.join(" ")).join(" && "), 300),
      outcome,
      counts: counts === null ? null : context.clean(counts, 200),
      times,
    });
  }
  return [...runs.values()].reverse();
}

// Each run that passes is compared with all of them: the bound keeps that linear.
const MOST_FAILED = 100;
