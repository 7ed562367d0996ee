import type { Reporter, TestModule } from "vitest/node";
import { addToTally, tallyLine } from "./tally.ts";

/**
 * Closes a run with `N passed, N failed` on a line of its own, for whoever reads the output without knowing the runner.
 * Where `TEST_TALLY` names a file, runs that share it are summed: the line of the last is that of all.
 */
export class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      // A file that does not load has no tests to fail.
      if (module.state() === "failed" && module.children.size === 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    const run = { passed, failed, skipped };
    const file = process.env.TEST_TALLY ?? "";
    const sum = file === "" ? run : addToTally(file, run);
    process.on("exit", () => console.log(tallyLine(sum)));
  }
}
