import type { ShellCall } from "./command-text.ts";
import type { CommandRun, TestRun } from "./model.ts";
import type { TestWork } from "./open-work.ts";
import { testCounts } from "./test-counts.ts";

export interface TestOutcome {
  /** What it is the outcome of: all test runs of the call, or where only the last is known to have passed, that one. */
  readonly runs: readonly TestWork[];
  readonly outcome: TestRun["outcome"];
  readonly counts: string | null;
}

/** How the test runs in a shell call ended; null where it runs none, has no result yet, or was refused. */
export function testCommand({ call, outcome, keys, tests }: ShellCall): TestOutcome | null {
  const last = tests.at(-1);
  if (last === undefined || (outcome !== "ok" && outcome !== "failed")) return null;
  const counts = testCounts(call.result);
  const line = counts?.line ?? null;
  if (counts?.failed === true) return { runs: tests, outcome: "failed", counts: line };
  // What stands in front of it may be what failed.
  const isReached = counts !== null || (tests[0]?.key === keys[0] && !/(?:^|: )cd: /m.test(call.result));
  if (!isReached && call.outcome === "failed") return { runs: [last], outcome: "unknown", counts: null };
  if (last.isProved && call.outcome === "failed") return { runs: tests, outcome: "failed", counts: line };
  const proved = tests.filter(({ isProved }) => isProved);
  if (proved.length > 0) return { runs: proved, outcome: "passed", counts: line };
  return { runs: [last], outcome: counts === null ? "unknown" : "passed", counts: line };
}

/** How a call ended, as far as it can be told: a test run that counts failures failed, whatever a pipe's exit code says. */
export function outcomeOf(shell: ShellCall): CommandRun["outcome"] {
  return testCommand(shell)?.outcome === "failed" ? "failed" : shell.outcome;
}
