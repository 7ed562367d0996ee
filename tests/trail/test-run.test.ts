import { describe, expect, it } from "vitest";
import { runsTests } from "../../src/trail/test-command.ts";
import { testCounts } from "../../src/trail/test-counts.ts";
import { Session } from "./session.ts";

function isTest(command: string): boolean {
  const words = command.split(" ");
  return runsTests((words[0] ?? "").replace(/^.*\//, ""), words);
}

describe("runsTests", () => {
  it.each([
    "npm test",
    "npm t",
    "npm run test:unit",
    "pnpm test -- --run",
    "yarn test",
    "yarn vitest",
    "pnpm vitest run",
    "bun test",
    "npx vitest run tests/a",
    "npx --yes vitest@3 run",
    "pnpm exec jest",
    "node --test",
    "pytest -q",
    "python -m pytest tests",
    "python3 -m unittest",
    "uv run pytest",
    "poetry run pytest",
    "tox",
    "cargo test",
    "cargo nextest run",
    "go test ./...",
    "mvn -q test",
    "./mvnw verify",
    "./gradlew :app:test",
    "make test",
    "make unit-tests",
    "just e2e",
    "ctest",
    "bundle exec rspec",
    "rails test",
    "vendor/bin/phpunit",
    "dotnet test",
    "swift test",
    "mix test",
    "flutter test",
    "deno test",
    "npx playwright test",
    "npx cypress run",
    "bazel test //...",
    "npm --prefix web test",
    "npm run -s test -w pkg",
    "pnpm --filter web test",
    "pnpm -C web vitest run",
    "yarn workspace web test",
    "npx turbo run test",
    "npx nx test web",
    "node node_modules/vitest/vitest.mjs run",
    "node node_modules/.bin/jest",
    "python3.12 -m pytest",
    "python -m coverage run -m pytest",
    "coverage run -m unittest",
    "python manage.py test app",
    "php artisan test",
    "php vendor/bin/phpunit",
    "composer test",
    "cargo +nightly test",
    "make -C build check",
    "./run-tests.sh",
    "scripts/test.sh",
    "docker compose exec -T -e CI=1 app pytest -q",
    "docker compose run --rm -u dev app npm test",
    "docker exec -it box npx vitest run",
  ])("knows %j", (command) => {
    expect(isTest(command)).toBe(true);
  });

  it.each([
    "npm install",
    "npm run build",
    "npm run latest",
    "node test.js",
    "cat tests/a.ts",
    "go build ./...",
    "cargo build",
    "make",
    "make contest",
    "git commit -m test",
    "ls test",
    "npx tsc",
    "npx playwright install",
    "python test.py",
    "test -f a",
    "node scripts/build.mjs",
    "npm --prefix test run build",
    "python manage.py migrate",
    "php artisan serve",
    "./latest.sh",
    "yarn workspace test build",
    "docker run -d test",
    "docker compose up test",
    "docker exec test ls",
  ])("knows that %j is none", (command) => {
    expect(isTest(command)).toBe(false);
  });
});

describe("testCounts", () => {
  it.each([
    [
      "vitest",
      " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 12 passed (13)\n",
      "Tests 1 failed | 12 passed (13)",
      true,
    ],
    [
      "vitest in colours",
      "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m5 passed\u001b[39m\u001b[22m (5)",
      "Tests 5 passed (5)",
      false,
    ],
    [
      "jest",
      "Tests:       1 failed, 5 passed, 6 total\nSnapshots:   0 total\n",
      "Tests: 1 failed, 5 passed, 6 total",
      true,
    ],
    ["pytest", "===== 1 failed, 5 passed in 0.12s =====", "===== 1 failed, 5 passed in 0.12s =====", true],
    ["pytest -q", "5 passed in 0.12s", "5 passed in 0.12s", false],
    [
      "cargo, of which one suite failed",
      "test result: FAILED. 3 passed; 1 failed; 0 ignored\ntest result: ok. 2 passed; 0 failed",
      "test result: FAILED. 3 passed; 1 failed; 0 ignored",
      true,
    ],
    ["go", "ok  \texample.com/a\t0.1s\nFAIL\texample.com/b\t0.2s\n", "FAIL example.com/b 0.2s", true],
    ["go that passes", "ok  \texample.com/a\t0.1s\n", "ok example.com/a 0.1s", false],
    ["mocha", "  5 passing (12ms)\n  1 failing\n", "1 failing", true],
    [
      "maven",
      "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
      "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
      true,
    ],
    [
      "maven that passes",
      "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
      "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
      false,
    ],
    ["node:test", "ℹ pass 5\nℹ fail 2\nℹ cancelled 0", "ℹ fail 2", true],
    ["TAP that passes", "# pass 5\n# fail 0", "# fail 0", false],
    ["rspec", "5 examples, 1 failure", "5 examples, 1 failure", true],
    ["phpunit", "OK (5 tests, 10 assertions)", "OK (5 tests, 10 assertions)", false],
    ["dotnet", "Failed!  - Failed:     1, Passed:     5", "Failed! - Failed: 1, Passed: 5", true],
    ["ctest", "75% tests passed, 1 tests failed out of 4", "75% tests passed, 1 tests failed out of 4", true],
    ["unittest", "Ran 5 tests in 0.1s\n\nFAILED (failures=1)", "FAILED (failures=1)", true],
    ["bun", " 5 pass\n 1 fail\n", "1 fail", true],
    ["deno", "FAILED | 3 passed | 1 failed (5ms)", "FAILED | 3 passed | 1 failed (5ms)", true],
    [
      "swift",
      "Executed 4 tests, with 0 failures (0 unexpected) in 0.01 seconds",
      "Executed 4 tests, with 0 failures (0 unexpected) in 0.01 seconds",
      false,
    ],
    [
      "vitest, of which a file could not be read",
      " Test Files  1 failed | 2 passed (3)\n      Tests  10 passed (10)",
      "Test Files 1 failed | 2 passed (3)",
      true,
    ],
    [
      "vitest, with an error outside its tests",
      " Test Files  3 passed (3)\n      Tests  10 passed (10)\n     Errors  1 error",
      "Errors 1 error",
      true,
    ],
    [
      "jest, of which a file could not be read",
      "Test Suites: 1 failed, 2 passed, 3 total\nTests:       10 passed, 10 total\nSnapshots:   0 total",
      "Test Suites: 1 failed, 2 passed, 3 total",
      true,
    ],
    [
      "jest that passes",
      "Test Suites: 3 passed, 3 total\nTests:       10 passed, 10 total\nSnapshots:   2 passed, 2 total",
      "Tests: 10 passed, 10 total",
      false,
    ],
    ["playwright", "  1 failed\n  3 passed (2.1s)", "1 failed", true],
  ])("reads the counts of %s", (_name, output, line, failed) => {
    expect(testCounts(output)).toEqual({ line, failed });
  });

  it.each(["", "done", "10 errors were fixed\n", "Tested 5 things"])("finds none in %j", (output) => {
    expect(testCounts(output)).toBeNull();
  });
});

describe("test runs", () => {
  function runs(session: Session): readonly unknown[] {
    return session.trail().tests.map(({ command, outcome, counts, times }) => [command, outcome, counts, times]);
  }

  it("hold the last result of each command", () => {
    const session = new Session()
      .bash("npm test", { failed: true, says: "Exit code 1\n Tests  1 failed | 2 passed (3)" })
      .bash("pytest -q", { says: "4 passed in 0.1s" })
      .bash("npm test", { says: " Tests  3 passed (3)" });
    expect(runs(session)).toEqual([
      ["npm test", "passed", "Tests 3 passed (3)", 2],
      ["pytest -q", "passed", "4 passed in 0.1s", 1],
    ]);
  });

  it.each([
    ["npm test", {}, "passed"],
    ["npm test", { failed: true, says: "Exit code 1" }, "failed"],
    ["npm test | tail", {}, "unknown"],
    ["npm test || true", {}, "unknown"],
    ["npm test | tail", { says: " Tests  1 failed (1)" }, "failed"],
    ["npm test 2>&1 | tail -20", { says: " Tests  4 passed (4)" }, "passed"],
    ["npm run build && npm test", {}, "passed"],
    ["npm run build && npm test", { failed: true, says: "Exit code 1\nerror" }, "unknown"],
    ["npm run build && npm test", { failed: true, says: "Exit code 1\n Tests  1 failed (1)" }, "failed"],
    ["cd web && npm test", { failed: true, says: "Exit code 1" }, "failed"],
    ["cd web && npm test", { failed: true, says: "Exit code 1\nbash: line 1: cd: web: No such file" }, "unknown"],
  ])("of %j with %j are %s", (command, result, outcome) => {
    expect(
      new Session()
        .bash(command, result)
        .trail()
        .tests.map((run) => run.outcome),
    ).toEqual([outcome]);
  });

  it("are none while there is no result, or where the run went on in the background", () => {
    const session = new Session().bash("npm test", { open: true });
    session.bash("npm test", { says: "Command running in background with ID: b1", note: { backgroundTaskId: "b1" } });
    expect(runs(session)).toEqual([]);
  });
});
