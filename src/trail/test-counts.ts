export interface TestCounts {
  /** The line, as the runner printed it, in single blanks. */
  readonly line: string;
  readonly failed: boolean;
}

/** What a test runner's output says of passed and failed tests; null where it has no line that is known. */
export function testCounts(output: string): TestCounts | null {
  const lines = lastLines(output);
  for (const { line, failures } of RUNNERS) {
    const found = lines.filter((text) => line.test(text));
    const last = found.at(-1);
    if (last === undefined) continue;
    // A run of several suites prints a line for each: one that failed fails all. Of files and tests, tests say more.
    const failing = found.findLast((text) => failures(text) && TESTS.test(text)) ?? found.findLast(failures);
    return { line: failing ?? last, failed: failing !== undefined };
  }
  return null;
}

interface Runner {
  readonly line: RegExp;
  readonly failures: (line: string) => boolean;
}

/** A number other than 0 beside a word for failing. */
const counted = (line: string): boolean =>
  /(?<![0-9.])[1-9][0-9]{0,9} (?:tests? )?(?:failed|failing|failures?|errors?|fail|broken)\b/i.test(line) ||
  /\b(?:failed|failures?|errors?|fail)(?:=|: ?| )[1-9]/i.test(line);

// The first runner of which a line is found; the general forms come last.
const RUNNERS: readonly Runner[] = [
  // cargo: "test result: FAILED. 3 passed; 1 failed; 0 ignored"
  { line: /^test result: /, failures: (line) => line.startsWith("test result: FAILED") },
  // vitest: "Tests  1 failed | 3 passed (4)"; jest: "Tests:       1 failed, 3 passed, 4 total"; phpunit: "Tests: 4, Failures: 1."
  // A file that cannot be read fails with no test of it: "Test Files  1 failed", "Test Suites: 1 failed", "Errors  1 error".
  {
    line: /^(?:(?:Test Files|Test Suites|Errors|Snapshots):? (?=[0-9].{0,40}(?:failed|errors?)\b)|Tests:? (?=[0-9]))/,
    failures: counted,
  },
  // pytest: "=== 1 failed, 3 passed in 0.12s ==="
  {
    line: /^(?:=+ )?[0-9]{1,9} (?:failed|passed|errors?|skipped|xfailed|deselected|warnings?)\b.{0,200} in [0-9.]+ ?s/,
    failures: counted,
  },
  // maven: "Tests run: 4, Failures: 1, Errors: 0, Skipped: 0"
  { line: /^(?:\[[A-Z]{4,7}\] )?Tests run: ?[0-9]/, failures: counted },
  // node:test and TAP: "# pass 3", "ℹ fail 1"
  { line: /^(?:#|ℹ) fail [0-9]/, failures: counted },
  // mocha: "3 passing (12ms)", "1 failing"
  { line: /^[0-9]{1,9} (?:passing|failing)\b/, failures: counted },
  // rspec, ExUnit, minitest: "4 examples, 1 failure"
  { line: /^[0-9]{1,9} (?:examples?|tests?|runs), .{0,80}\bfailures?\b/, failures: counted },
  // ctest: "75% tests passed, 1 tests failed out of 4"
  { line: /^[0-9]{1,3}% tests passed/, failures: counted },
  // dotnet: "Failed!  - Failed:     1, Passed:     3"
  { line: /^(?:Passed|Failed)! - Failed: ?[0-9]/, failures: (line) => line.startsWith("Failed!") },
  // swift: "Executed 4 tests, with 1 failure"
  { line: /^Executed [0-9]{1,9} tests?, with /, failures: counted },
  // gradle: "4 tests completed, 1 failed"
  { line: /^[0-9]{1,9} tests? completed/, failures: counted },
  // deno: "FAILED | 3 passed | 1 failed"; bun: "3 pass", "1 fail"; playwright: "3 passed (2s)"
  { line: /^(?:ok|FAILED) \| [0-9]/, failures: counted },
  { line: /^[0-9]{1,9} (?:passed|failed|pass|fail)(?:$| \()/, failures: counted },
  // unittest, phpunit
  { line: /^(?:OK \(|FAILED \()/, failures: (line) => line.startsWith("FAILED") },
  // go: "ok  pkg 0.1s", "FAIL pkg"
  { line: /^(?:ok|FAIL) [\w./~-]{1,200}(?: |$)/, failures: (line) => line.startsWith("FAIL") },
  { line: /^(?:PASS|FAIL|OK)$/, failures: (line) => line === "FAIL" },
];

const TESTS = /^Tests/;

const LINES = 400;
const LONGEST_LINE = 300;

/** The output's last lines, colours and runs of blanks taken away. */
function lastLines(output: string): readonly string[] {
  const lines: string[] = [];
  let end = output.length;
  while (end > 0 && lines.length < LINES) {
    const start = output.lastIndexOf("\n", end - 1) + 1;
    const line = output.slice(start, Math.min(end, start + LONGEST_LINE));
    lines.push(
      line
        .replace(/\u001b\[[0-9;]{0,32}[A-Za-z]/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
    end = start - 1;
  }
  return lines.reverse();
}
