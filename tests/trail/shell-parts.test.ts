import { describe, expect, it } from "vitest";
import { cleaner, oneLine } from "../../src/trail/clean-text.ts";
import { cut } from "../../src/trail/cut.ts";
import { gitCommand } from "../../src/trail/git-command.ts";
import { shellEffects } from "../../src/trail/shell-effects.ts";
import { runsTests } from "../../src/trail/test-command.ts";
import { testCounts } from "../../src/trail/test-counts.ts";
import { shellCommands } from "../../src/transcript/shell-commands.ts";

const PLACES = { root: "/r", home: "/h" };

describe("what a shell text does to files", () => {
  function effects(text: string): readonly string[] {
    return shellEffects(shellCommands(text, "/r", PLACES)).map(({ kind, path, to, base }) =>
      [kind, path, ...(to === null ? [] : ["to", to]), ...(base === "/r" ? [] : ["in", base])].join(" "),
    );
  }

  it.each([
    // Redirections
    ["a > b >> c 2> d", ["write b", "write c", "write d"]],
    ["a > /dev/null", []],
    ["a > x/dev/null", ["write x/dev/null"]],
    ["a > - b", []],
    ["a > $X > '*' > '?' > '[' > '{' > '<'", []],
    [`a > ${"x".repeat(999)}`, [`write ${"x".repeat(999)}`]],
    [`a > ${"x".repeat(1000)}`, []],
    // Deletions and plain writes
    ["rm -rf a b -- -c", ["delete a", "delete b", "delete -c"]],
    ["unlink a", ["delete a"]],
    ["rm a*", []],
    ["rm -- -a --", ["delete -a", "delete --"]],
    ["a | tee -a b c", ["write b", "write c"]],
    ["touch a", ["write a"]],
    ["cd x && rm a", ["delete a in /r/x"]],
    ["x || rm a", []],
    ["command a", []],
    // In place
    ["sed -i s/a/b/ c d", ["write c", "write d"]],
    ["sed -i -e s/a/b/ c", ["write c"]],
    ["sed -i -ne s/a/b/ c", ["write c"]],
    ["sed -i --expression s/a/b/ c", ["write c"]],
    ["sed -i --expression=s/a/b/ c", ["write c"]],
    ["sed -i --file s.sed c", ["write c"]],
    ["sed -i --file=s.sed c", ["write c"]],
    ["sed -i -f s.sed c", ["write c"]],
    ["sed --in-place=.bak s/a/b/ c", ["write c"]],
    ["sed -nri.bak s/a/b/ '' c", ["write c"]],
    ["sed -n s/a/b/ c", []],
    ["perl -pi -e s/a/b/ c", ["write c"]],
    ["perl -e s/a/b/ c", []],
    ["awk -i s c", []],
    // Copies
    ["cp a b.txt", []],
    ["cp a.txt b.txt", ["write b.txt"]],
    ["cp a b", ["write b"]],
    ["cp a b/", ["write b/a"]],
    ["cp a b c", ["write c/a", "write c/b"]],
    ["cp x/a.txt .", ["write ./a.txt"]],
    ["cp x/a.txt ..", ["write ../a.txt"]],
    ["cp x/a.txt y/..", ["write y/../a.txt"]],
    ["cp x\\\\a.txt d/", ["write d/a.txt"]],
    ["cp a.txt b...", []],
    ["cp -r a b", []],
    ["cp -pR a b", []],
    ["cp -a a b", []],
    ["cp -t d a", []],
    ["cp --recursive a b", []],
    ["cp --archive a b", []],
    ["cp --target-directory=d a", []],
    ["cp -p a b", ["write b"]],
    ["cp a", []],
    ["cp a $D", []],
    ["cp a* b", []],
    // Moves
    ["mv a b", ["move a to b"]],
    ["mv a.ts b.ts", ["move a.ts to b.ts"]],
    ["mv a.ts b", ["move a.ts"]],
    ["mv a b.ts", ["move a"]],
    ["mv a/ b/", ["move a/ to b/a"]],
    ["mv a b c/", ["move a to c/a", "move b to c/b"]],
    ["mv a b c\\\\", ["move a to c/a", "move b to c/b"]],
    ["mv a $D", ["move a"]],
    ["mv -t d a b", []],
    ["mv --target-directory d a", []],
    ["mv a", []],
    ["mv", []],
    ["cp -p", []],
    ["mv a.abcdefghij b.klmnopqrst", ["move a.abcdefghij to b.klmnopqrst"]],
    ["mv a.abcdefghijk b.c", ["move a.abcdefghijk"]],
    // Git
    ["git rm a", ["delete a"]],
    ["git rm --cached a", []],
    ["git -C d rm a", ["delete a in /r/d"]],
    ["git -C /d mv a b", ["move a to b in /d"]],
    ["git mv a b", ["move a to b"]],
    ["git log rm", []],
    ["git", []],
    ["echo rm a", []],
  ])("%j", (text, expected) => {
    expect(effects(text)).toEqual(expected);
  });
});

describe("a git command", () => {
  it.each([
    ["status -s", { name: "status", words: ["-s"], base: "/b" }],
    ["-C d status", { name: "status", words: [], base: "/b/d" }],
    ["-C d -C e status", { name: "status", words: [], base: "/b/d/e" }],
    ["-C /d status", { name: "status", words: [], base: "/d" }],
    ["-C \\d status", { name: "status", words: [], base: "\\d" }],
    ["-C C:/d status", { name: "status", words: [], base: "C:/d" }],
    ["-C C:d status", { name: "status", words: [], base: "/b/C:d" }],
    ["-c a=b --git-dir g --work-tree w --namespace n -p status", { name: "status", words: [], base: "/b" }],
    ["--git-dir=g status", { name: "status", words: [], base: "/b" }],
    ["-C", null],
    ["", null],
    ["-p", null],
  ])("in %j", (text, expected) => {
    expect(gitCommand(text === "" ? [] : text.split(" "), "/b")).toEqual(expected);
  });
});

describe("a command that runs tests", () => {
  const isTest = (command: string): boolean => {
    const words = command.split(" ");
    return runsTests(words[0] ?? "", words);
  };

  it.each(
    [
      "npm t|npm run test|npm run-script test|npm exec vitest|npm x vitest|npm -s test|npm run unit.spec|npm run e2e-all",
      "pnpm t|pnpm dlx vitest|pnpm exec -- jest|pnpm jest|yarn test|yarn jest|bun x jest|bun vitest",
      "npx mocha|pnpx mocha|bunx mocha|uvx pytest|npx -y ./node_modules/.bin/jest|npx a\\jest@1",
      "uv run pytest|poetry run pytest|pipenv run pytest|hatch run pytest|pdm run pytest|rye run pytest|bundle exec rspec",
      "python -m pytest|python3 -m nose2|py -m unittest|node --test|node -r x --test",
      "cargo t|cargo test|cargo nextest run|mvn test|mvnw verify|mvnd integration-test|mvn -q clean test",
      "gradle test|gradlew check|gradle :a:check|gradle integrationTest|gradle a:unitTest",
      "make test|gmake tests|just spec|task e2e|rake spec:models|ninja test",
      "playwright test|go test|dotnet test|swift test|mix test|flutter test|dart test|deno test|bazel test|bazelisk test",
      "sbt test|lein test|stack test|cabal test|meson test|rails test|zig test|ng test|cypress run",
      "vitest|jest|mocha|ava|tap|jasmine|karma|pytest|py.test|tox|nox|nose2|ctest|rspec|phpunit|pest|bats|busted|gotestsum",
    ].flatMap((line) => line.split("|")),
  )("%s", (command) => {
    expect(isTest(command)).toBe(true);
  });

  it.each(
    [
      "npm|npm run|npm run build|npm vitest|npm exec tsc|npm install test-lib|npm run contest|npm run testing|npm ci",
      "pnpm build|pnpm dlx tsc|yarn|bun run build|npx|npx -y|npx npx vitest|npx npm test|pnpx pnpm test|bunx bun test",
      "npx yarn test|npx uv run pytest|npx poetry run pytest|npx bunx jest|npx uvx pytest|npx pnpx jest|npx @scope/pkg",
      "uv pytest|uv pip install pytest|uv run|poetry install pytest|hatch test|bundle rspec|bundle install rspec",
      "python pytest|python -m|python -m http.server|python -m pip install pytest|py test.py|node test|node -t",
      "cargo build test|cargo|mvn package|mvn tests|gradle build|gradle testing|gradle :test:jar|gradle Test",
      "make|make latest|make attest|just build|task run|rake db|ninja all|playwright install|go vet test.go|go build",
      "cypress open|cypress|cypress open run|dotnet build|deno lint|ls|vitests|",
    ].flatMap((line) => line.split("|")),
  )("and %j is none", (command) => {
    expect(isTest(command)).toBe(false);
  });
});

describe("the counts of a test run", () => {
  it.each([
    ["Tests 0 failed", "Tests 0 failed", false],
    ["Tests 10 failed", "Tests 10 failed", true],
    ["Tests 1.5 failed", "Tests 1.5 failed", false],
    ["Tests: 3, Failures: 1.", "Tests: 3, Failures: 1.", true],
    ["Tests: 3, Errors: 2", "Tests: 3, Errors: 2", true],
    ["Tests 4 tests failed", "Tests 4 tests failed", true],
    ["Tests 2 broken", "Tests 2 broken", true],
    ["Tests 1 failing", "Tests 1 failing", true],
    ["Tests 1 error", "Tests 1 error", true],
    ["Tests 1 fail", "Tests 1 fail", true],
    ["Tests 1 failure", "Tests 1 failure", true],
    ["Tests 3, fail=1", "Tests 3, fail=1", true],
    ["Tests 3, fail=0", "Tests 3, fail=0", false],
    ["Tests 3, failed 1", "Tests 3, failed 1", true],
    ["Tests 1 test failed", "Tests 1 test failed", true],
    ["Tests 3, failure=1", "Tests 3, failure=1", true],
    ["Tests 3, failures 1", "Tests 3, failures 1", true],
    ["Tests 3, error:1", "Tests 3, error:1", true],
    ["Tests 3, errors: 1", "Tests 3, errors: 1", true],
    ["Tests 3, unfailed: 1", "Tests 3, unfailed: 1", false],
    ["x Tests 3", null, false],
    ["Tests x", null, false],
    ["test result: ok. 1 passed", "test result: ok. 1 passed", false],
    ["test result: FAILED.", "test result: FAILED.", true],
    ["my test result: FAILED", null, false],
    ["= 1 passed in 0.1s =", "= 1 passed in 0.1s =", false],
    ["1 error in 2 s", "1 error in 2 s", true],
    ["2 skipped in 2s", "2 skipped in 2s", false],
    ["2 xfailed in 2s", "2 xfailed in 2s", false],
    ["2 deselected in 2s", "2 deselected in 2s", false],
    ["1 warning in 2s", "1 warning in 2s", false],
    ["1 passed, 1 failed in 0.5s", "1 passed, 1 failed in 0.5s", true],
    ["[INFO] Tests run:3, Failures: 0", "[INFO] Tests run:3, Failures: 0", false],
    ["Tests run: 3, Failures: 1", "Tests run: 3, Failures: 1", true],
    ["[INFO] [X] Tests run: 3", null, false],
    ["# fail 2", "# fail 2", true],
    ["ℹ fail 0", "ℹ fail 0", false],
    ["## fail 2", null, false],
    ["3 passing", "3 passing", false],
    ["2 failing", "2 failing", true],
    ["a 2 failing", null, false],
    ["1 example, 0 failures", "1 example, 0 failures", false],
    ["2 tests, 1 failure", "2 tests, 1 failure", true],
    ["3 runs, 2 failures", "3 runs, 2 failures", true],
    ["100% tests passed, 0 tests failed out of 4", "100% tests passed, 0 tests failed out of 4", false],
    ["Passed! - Failed: 0, Passed: 2", "Passed! - Failed: 0, Passed: 2", false],
    ["Failed! - Failed: 1", "Failed! - Failed: 1", true],
    ["Executed 1 test, with 1 failure", "Executed 1 test, with 1 failure", true],
    ["1 test completed", "1 test completed", false],
    ["4 tests completed, 2 failed", "4 tests completed, 2 failed", true],
    ["ok | 3 passed | 0 failed", "ok | 3 passed | 0 failed", false],
    ["FAILED | 1 failed", "FAILED | 1 failed", true],
    ["3 pass", "3 pass", false],
    ["1 fail", "1 fail", true],
    ["2 passed (1s)", "2 passed (1s)", false],
    ["2 failed today", null, false],
    ["OK (3 tests)", "OK (3 tests)", false],
    ["FAILED (errors=1)", "FAILED (errors=1)", true],
    ["ok a/b 0.1s", "ok a/b 0.1s", false],
    ["FAIL a/b", "FAIL a/b", true],
    ["not ok a", null, false],
    ["PASS", "PASS", false],
    ["FAIL", "FAIL", true],
    ["OK", "OK", false],
    ["PASSED", null, false],
    ["Tests 1 failed\nTests 2 passed", "Tests 1 failed", true],
    ["Tests 1 failed\nTests 2 failed", "Tests 2 failed", true],
    ["Tests 1 passed\nTests 2 passed", "Tests 2 passed", false],
    ["FAIL\nTests 2 passed", "Tests 2 passed", false],
    ["\u001b[1;31mFAIL\u001b[0m\r", "FAIL", true],
    [`${"x".repeat(300)}\n FAIL \t`, "FAIL", true],
    [`${" ".repeat(296)}FAILED`, "FAIL", true],
    [`FAIL\n${"x\n".repeat(398)}x`, "FAIL", true],
    [`FAIL\n${"x\n".repeat(399)}x`, null, false],
    ["\n\nFAIL", "FAIL", true],
  ])("in %j", (output, line, failed) => {
    expect(testCounts(output)).toEqual(line === null ? null : { line, failed });
  });
});

describe("a text that is shown", () => {
  const { clean } = cleaner([]);
  it.each([
    [" a ", 9, "a"],
    ["\u001b[1;31mred\u001b[0m", 9, "red"],
    ["\u001b[31red", 20, "ed"],
    ["\uD83Dx\uDE80", 9, "\uFFFDx\uFFFD"],
    ["🚀", 9, "🚀"],
    ["abc def", 5, "abc…"],
    ["abcdef", 5, "abcd…"],
    ["abcdef", 1, "…"],
    ["abcdef", 0, ""],
    ["abcdef", 6, "abcdef"],
  ])("of %j within %d is %j", (text, limit, expected) => {
    expect(clean(text, limit)).toBe(expected);
  });

  it("is looked at to a blank near its 65 536th character", () => {
    const length = (text: string) => clean(text, 1e6).length;
    expect(length("x".repeat(65_536))).toBe(65_536);
    expect(length("x".repeat(65_537))).toBe(61_440);
    expect(length(`${"x".repeat(65_530)} ${"y".repeat(99)}`)).toBe(65_530);
    expect(length(`${"x".repeat(65_536)} y`)).toBe(65_536);
    expect(length(`${"x".repeat(61_440)} ${"y".repeat(9_999)}`)).toBe(61_440);
    expect(length(`${"x".repeat(61_439)} ${"y".repeat(9_999)}`)).toBe(61_439);
  });

  it("is one line with single blanks", () => {
    expect(oneLine(" a\n\t b\u00a0c ")).toBe("a b c");
  });

  it.each([
    ["a\u0301bc", 2, "…"],
    ["ab\u0301\u0302cd", 4, "a…"],
    ["a👍🏽b", 5, "a…"],
    ["a🇩🇪b", 4, "a…"],
    [`a${"\u0301".repeat(100)}`, 90, `a${"\u0301".repeat(24)}…`],
    ["👨‍👩b", 5, "…"],
    ["a\u02ffb c", 3, "a\u02ff…"],
    ["a  bcd", 4, "a…"],
    ["ab！！！", 4, "ab！…"],
    ["ab\uE000\uE000\uE000", 4, "ab\uE000…"],
    ["ab𐀀cd", 4, "ab…"],
  ])("is cut between characters: %j within %d", (text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });
});
