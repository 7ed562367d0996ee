import type { PlacedCommand } from "../transcript/shell-commands.ts";
import { decides, type ShellCall } from "./command-text.ts";
import { isRejected } from "./context.ts";
import type { TestRun } from "./model.ts";
import { runsTests } from "./test-command.ts";
import { testCounts } from "./test-counts.ts";

interface TestOutcome {
  readonly command: PlacedCommand;
  readonly outcome: TestRun["outcome"];
  readonly counts: string | null;
}

/** The test run in a shell call and how it ended; null where the call runs none, has no result yet, or was refused. */
export function testCommand({ call, commands }: ShellCall): TestOutcome | null {
  if (call.outcome === "in-flight" || isRejected(call)) return null;
  const at = commands.findLastIndex(({ verb, words }) => runsTests(verb, words));
  const command = commands[at];
  if (command === undefined) return null;
  const counts = testCounts(call.result);
  const line = counts?.line ?? null;
  if (counts?.failed === true) return { command, outcome: "failed", counts: line };
  if (decides(commands, at)) return { command, outcome: call.outcome === "ok" ? "passed" : "failed", counts: line };
  return { command, outcome: counts === null ? "unknown" : "passed", counts: line };
}

/** How a call ended, as far as it can be told: a test run that counts failures failed, whatever a pipe's exit code says. */
export function outcomeOf(shell: ShellCall): "ok" | "failed" | "rejected" | "in-flight" {
  const { call } = shell;
  if (call.outcome === "failed") return isRejected(call) ? "rejected" : "failed";
  if (testCommand(shell)?.outcome === "failed") return "failed";
  return call.outcome;
}
