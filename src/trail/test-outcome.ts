import { decides, type ShellCall } from "./command-text.ts";
import { isRejected } from "./context.ts";
import type { TestRun } from "./model.ts";
import { runsTests } from "./test-command.ts";
import { testCounts } from "./test-counts.ts";

interface TestOutcome {
  /** Which of the call's commands it is. */
  readonly at: number;
  readonly outcome: TestRun["outcome"];
  readonly counts: string | null;
}

/** The test run in a shell call and how it ended; null where the call runs none, has no result yet, or was refused. */
export function testCommand({ call, commands }: ShellCall): TestOutcome | null {
  if (call.outcome === "in-flight" || isRejected(call)) return null;
  const at = commands.findLastIndex(({ verb, words }) => runsTests(verb, words));
  if (at === -1) return null;
  const counts = testCounts(call.result);
  const line = counts?.line ?? null;
  if (counts?.failed === true) return { at, outcome: "failed", counts: line };
  if (decides(commands, at)) return { at, outcome: call.outcome === "ok" ? "passed" : "failed", counts: line };
  return { at, outcome: counts === null ? "unknown" : "passed", counts: line };
}

/** How a call ended, as far as it can be told: a test run that counts failures failed, whatever a pipe's exit code says. */
export function outcomeOf(shell: ShellCall): "ok" | "failed" | "rejected" | "in-flight" {
  const { call } = shell;
  if (call.outcome === "failed") return isRejected(call) ? "rejected" : "failed";
  if (call.outcome === "ok" && testCommand(shell)?.outcome === "failed") return "failed";
  return call.outcome;
}
