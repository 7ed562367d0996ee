import { describe, expect, it } from "vitest";
import { REFUSED, ROOT, Session } from "./session.ts";

const FAILED = { failed: true, says: "Exit code 1\nsrc/a.ts(3,1): error TS2304: Cannot find name 'x'." };

function failing(session: Session): readonly string[] {
  return session.trail().failures.map(({ what, times }) => `${what} ${times}×`);
}

describe("unanswered failures", () => {
  it("are commands whose last run failed, with what they said", () => {
    const session = new Session().bash("npm run build", FAILED);
    expect(session.trail().failures).toMatchObject([
      {
        what: "npm run build",
        tool: "Bash",
        times: 1,
        says: "Exit code 1 | src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
      },
    ]);
  });

  it("are answered by a later success of the same command, however it is spelled", () => {
    expect(failing(new Session().bash("npm run build", FAILED).bash("npm run build"))).toEqual([]);
    expect(failing(new Session().bash("npm  run build", FAILED).bash(`cd ${ROOT} && npm run build`))).toEqual([]);
    expect(failing(new Session().bash("tsc && eslint .", FAILED).bash("tsc").bash("eslint ."))).toEqual([]);
  });

  it("are counted since the last success", () => {
    const session = new Session().bash("make", FAILED).bash("make").bash("make", FAILED).bash("make", FAILED);
    expect(failing(session)).toEqual(["make 2×"]);
  });

  it.each([
    ["in another folder", "cd other && npm run build"],
    ["whose exit code a pipe hides", "npm run build | tail -5"],
    ["whose exit code another command hides", "npm run build; echo done"],
    ["behind a condition", "test -f x || npm run build"],
    ["that is another command", "npm run lint"],
    ["that installs something", "npm install build"],
  ])("are not answered by a success %s", (_name, command) => {
    expect(failing(new Session().bash("npm run build", FAILED).bash(command))).toEqual(["npm run build 1×"]);
  });

  it("are not answered by half of what failed", () => {
    expect(failing(new Session().bash("tsc && eslint .", FAILED).bash("tsc"))).toEqual(["tsc && eslint . 1×"]);
  });

  it("stay after a compaction: they still stand", () => {
    const session = new Session().bash("make", FAILED).compacted().read("a");
    expect(session.trail({ since: "compaction" }).failures).toHaveLength(1);
  });

  it("hold a test run whose counts say so, whatever the exit code of a pipe", () => {
    const session = new Session().bash("npx vitest run | tail -3", { says: " Tests  2 failed | 3 passed (5)" });
    expect(failing(session)).toEqual(["npx vitest run | tail -3 1×"]);
    expect(failing(session.bash("npx vitest run | tail -3", { says: " Tests  5 passed (5)" }))).toEqual([]);
  });

  it("hold an edit that was refused by the tool, until any edit of that file went through", () => {
    const session = new Session().edit("a.ts", {
      failed: true,
      says: "<tool_use_error>String not found</tool_use_error>",
    });
    expect(failing(session)).toEqual(["Edit a.ts 1×"]);
    expect(failing(session.write("./a.ts"))).toEqual([]);
  });

  it("leave out what a person refused, and reading or searching for what is not there", () => {
    const session = new Session()
      .bash("make", { failed: true, says: REFUSED })
      .read("gone", { failed: true })
      .call("Grep", { pattern: "x" }, { failed: true })
      .bash("sleep 1", { open: true });
    expect(failing(session)).toEqual([]);
  });

  it.each([
    "ls gone",
    "cat a | grep x",
    "grep -rn x src; rg y",
    "git status && git log --oneline gone",
    "test -f a",
    "[ -f a ]",
    "which x || command -v y",
    "diff a b",
    "pkill -f server",
  ])("leave out %j, which only looks", (command) => {
    expect(failing(new Session().bash(command, FAILED))).toEqual([]);
  });

  it.each([
    ["git add -A && git commit -m 'one'", "git add src && git commit -m 'two'"],
    ["git push", "git push -u origin main"],
    ["git merge main", "git add a && git commit --no-edit"],
    ["git merge main", "git merge --abort"],
    ["git rebase main", "git add a && git rebase --continue"],
    ["node -e 'a()'", "node -e 'b()'"],
    ["python3 - <<'EOF'\na\nEOF", "python3 - <<'EOF'\nb\nEOF"],
    ["cat a && npm run build", "npm run build"],
    ["cat > a.ts <<'EOF'\nx\nEOF\nnpm run build", "npm run build"],
    ["cat > /root/a <<'EOF'\nx\nEOF", "echo x > /root/a"],
    ["mkdir -p x && sed -i 's/a/b/' a && git add a && npm run build", "npm run build"],
    ["npm i zod@99", "npm install --save-dev zod@3"],
    ["pip install 'x==1' y", "pip3 install y x"],
    ["python gen.py --all", "python3 gen.py --all"],
    ["python3 gen.py", ".venv/bin/python gen.py"],
    ["npx eslint .", "npx eslint . --fix"],
    ["npm run lint", "npm run lint -- --fix"],
    ["npx prettier --check .", "npx prettier --write ."],
    ["npx tsc", "npx tsc --noEmit"],
    ["sleep 2 && curl -sf http://localhost:3000/health", "curl -s http://localhost:3000/health"],
    ["timeout 60 npm run build", "npm run build"],
    [`npm run build 2>&1 | tail -5; echo "exit \${PIPESTATUS[0]}"`, "npm run build"],
  ])("of %j are answered by %j", (first, second) => {
    const says = `${FAILED.says}\nexit 1`;
    expect(failing(new Session().bash(first, { failed: true, says }))).toHaveLength(1);
    expect(failing(new Session().bash(first, { failed: true, says }).bash(second))).toEqual([]);
  });

  it.each([
    ["npx tsc --noEmit; echo EXIT=$?", "src/a.ts(3,1): error\nEXIT=2", 1],
    ["npx tsc --noEmit; echo EXIT=$?", "EXIT=0", 0],
    ['npx tsc --noEmit; echo "code: $?"', "code: 1", 1],
    [`npx tsc | tail -5; echo \${PIPESTATUS[0]}`, "error\n1", 1],
    [`npx tsc | tail -5; echo \${PIPESTATUS[0]}`, "0", 0],
    ["npx tsc; echo 1", "1", 0],
    ["npx tsc && echo $?", "1", 0],
  ])("are told by the exit code that %j prints: %j", (command, says, count) => {
    expect(failing(new Session().bash(command, { says }))).toHaveLength(count);
  });

  it("are answered by an exit code of 0 that is printed", () => {
    const session = () => new Session().bash("npx tsc", FAILED);
    expect(failing(session().bash("npx tsc; echo $?", { says: "0" }))).toEqual([]);
    expect(failing(session().bash(`npx tsc | tail; echo \${PIPESTATUS[0]}`, { says: "0" }))).toEqual([]);
    expect(failing(session().bash("npx tsc | tail; echo $?", { says: "0" }))).toHaveLength(1);
    expect(failing(session().bash("npx tsc; echo $?", { says: "2" }))).toHaveLength(1);
  });

  it.each([
    ["npx vitest run tests/a.test.ts", "npx vitest run", true],
    ["npx vitest run tests/a.test.ts -t one", "npx vitest run --reporter=dot tests/a.test.ts", true],
    ["npx vitest run tests/a.test.ts", "npx vitest run tests/b.test.ts tests/a.test.ts", true],
    ["npx vitest run tests/a.test.ts", "npx vitest run tests/b.test.ts", false],
    ["npx vitest run", "npx vitest run tests/a.test.ts", false],
    ["npx vitest run tests/a.test.ts", "npx jest", false],
    ["npm test -- a", "npm test", true],
    ["npm test", "npm test -- a", false],
    ["pytest tests/a.py::test_x -q", "pytest", true],
    ["pytest tests", "pytest -k x tests", false],
    ["go test ./pkg -run TestX", "go test ./...", true],
    ["go test ./pkg", "go test", false],
    ["cargo test --workspace", "cargo test", false],
    ["cargo test parse", "cargo test", true],
  ])("of the tests %j by %j: %j", (first, second, isAnswered) => {
    const session = new Session().bash(first, FAILED).bash(second);
    expect(failing(session)).toHaveLength(isAnswered ? 0 : 1);
    expect(session.trail().tests.map(({ outcome }) => outcome)).toEqual(isAnswered ? ["passed"] : ["passed", "failed"]);
  });

  it("hold an edit that was refused until the shell wrote the file, or took it away", () => {
    const session = () => new Session().edit("a.ts", { failed: true, says: "String not found" });
    expect(failing(session().bash("sed -i 's/a/b/' a.ts"))).toEqual([]);
    expect(failing(session().bash("cat > a.ts <<'EOF'\nx\nEOF"))).toEqual([]);
    expect(failing(session().bash("git rm -q a.ts"))).toEqual([]);
    expect(failing(session().bash("sed -i 's/a/b/' a.ts && make", FAILED))).toEqual([
      "sed -i 's/a/b/' a.ts && make 1×",
    ]);
    expect(failing(session().bash("git checkout -- a.ts"))).toHaveLength(1);
    expect(failing(session().bash("sed -i 's/a/b/' b.ts"))).toHaveLength(1);
    expect(failing(session().bash("sed 's/a/b/' a.ts"))).toHaveLength(1);
  });

  it("leave out a commit that had nothing to commit, and nothing else that says so", () => {
    const says = "On branch main\nnothing to commit, working tree clean";
    const failing = (command: string) => new Session().bash(command, { failed: true, says }).trail().failures.length;
    expect(failing("git add -A && git commit -m x")).toBe(0);
    expect(failing("git commit -m x && git push")).toBe(1);
    expect(failing("git status && npm run build")).toBe(1);
  });

  it("of a push behind a commit that was made are answered by a push alone", () => {
    const push = (says: string) =>
      new Session().bash("git commit -qam a && git push", {
        failed: true,
        says: `Exit code 1\n${says}! [rejected] main`,
      });
    const made = "[main abc1234] a\n 1 file changed\n";
    expect(failing(push(made))).toHaveLength(1);
    expect(failing(push(made).bash("git pull --rebase && git push"))).toEqual([]);
    expect(failing(push(made).bash("git status"))).toHaveLength(1);
    expect(failing(push("").bash("git pull --rebase && git push"))).toHaveLength(1);
  });

  it("say what failed, not what passed", () => {
    const says = [
      "Exit code 1",
      " ✓ tests/errors.test.ts (3 tests) 4ms",
      "PASS tests/failures.test.ts",
      "test error_is_told ... ok",
      "tests/test_errors.py::test_fails PASSED",
      "10%\r50%\rAssertionError: expected 3 to be 4\r",
      "    at fail (node:internal/errors.js:3)",
      " Tests  1 failed | 4 passed (5)",
    ];
    const [failure] = new Session().bash("npx vitest run", { failed: true, says: says.join("\n") }).trail().failures;
    expect(failure?.says).toBe("Exit code 1 | AssertionError: expected 3 to be 4 | Tests  1 failed | 4 passed (5)");
  });

  it.each([
    "Cancelled: parallel tool call Bash(a) errored",
    "<tool_use_error>Sibling tool call errored</tool_use_error>",
  ])("leave out what the client called off: %j", (says) => {
    const session = new Session().bash("make && echo > x", { failed: true, says }).edit("a", { failed: true, says });
    expect(failing(session)).toEqual([]);
    expect(session.trail().files).toEqual([]);
    expect(session.trail().commands).toMatchObject([{ outcome: "stopped" }]);
  });

  it("leave out what a sub-agent ran", () => {
    expect(failing(new Session().bash("make", { ...FAILED, record: { isSidechain: true } }).read("a"))).toEqual([]);
  });
});

describe("a run in the background", () => {
  const begun = { says: "Command running in background with ID: b1", note: { backgroundTaskId: "b1" } };
  const ended = (status: string, code: number, output = "") => ({
    says: `<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>${status}</status>\n\n<exit_code>${code}</exit_code>\n\n<output>\n${output}\n</output>`,
  });
  const seen = (session: Session) => {
    const { failures, tests, commands } = session.trail();
    return [failures.length, tests.map(({ outcome }) => outcome).join(), commands[0]?.outcome];
  };

  it("answers nothing while it runs", () => {
    expect(seen(new Session().bash("npm test", FAILED).bash("npm test", begun))).toEqual([1, "failed", "in-flight"]);
  });

  it.each<readonly [string, (session: Session) => Session, readonly unknown[]]>([
    ["passed", (s) => s.call("TaskOutput", { task_id: "b1" }, ended("completed", 0)), [0, "passed", "ok"]],
    ["failed", (s) => s.call("TaskOutput", { task_id: "b1" }, ended("failed", 1)), [1, "failed", "failed"]],
    [
      "failed, by its exit code",
      (s) => s.call("BashOutput", { bash_id: "b1" }, ended("completed", 1)),
      [1, "failed", "failed"],
    ],
    [
      "failed, by what it printed",
      (s) => s.call("BashOutput", { bash_id: "b1" }, ended("completed", 0, " Tests  1 failed (1)")),
      [1, "failed", "failed"],
    ],
    ["was ended", (s) => s.call("KillShell", { shell_id: "b1" }), [0, "", "stopped"]],
    ["goes on", (s) => s.call("BashOutput", { bash_id: "b1" }, ended("running", 0)), [0, "", "in-flight"]],
    [
      "failed, by the client's word",
      (s) =>
        s.prompt(
          "<task-notification><task-id>b1</task-id><status>failed</status><summary>failed with exit code 1</summary></task-notification>",
        ),
      [1, "failed", "failed"],
    ],
    [
      "passed, by the client's word",
      (s) =>
        s.prompt(
          "<task-notification><tool-use-id>toolu_1</tool-use-id><status>completed</status><summary>completed (exit code 0)</summary></task-notification>",
        ),
      [0, "passed", "ok"],
    ],
  ])("that %s is told so", (_name, end, expected) => {
    expect(seen(end(new Session().bash("npm test", begun)))).toEqual(expected);
  });

  it("answers what failed once it passed", () => {
    const session = new Session().bash("make", FAILED).bash("make", begun);
    expect(failing(session.call("TaskOutput", { task_id: "b1" }, ended("completed", 0)))).toEqual([]);
  });
});

describe("commands", () => {
  it("are shown without what their here-documents hold", () => {
    const trail = new Session().bash("cat > a.yaml <<'EOF' && make\npassword: |\n  hunter2\nEOF\nls").trail();
    expect(trail.commands.map(({ command }) => command)).toEqual(["cat > a.yaml <<'EOF' && make … ls"]);
  });

  it("are listed once each with their last outcome, newest first", () => {
    const session = new Session()
      .bash("ls")
      .bash("make", FAILED)
      .bash("make")
      .bash("make  ", FAILED)
      .bash("sleep 9", { open: true });
    expect(
      session.trail().commands.map(({ command, outcome, times, failed }) => [command, outcome, times, failed]),
    ).toEqual([
      ["sleep 9", "in-flight", 1, 0],
      ["make", "failed", 3, 2],
      ["ls", "ok", 1, 0],
    ]);
  });
});

it("a command that failed is told without what stands in its here-documents, whatever looks like one in them", () => {
  const command = "cat > a <<A\nsay <<B here\nA\nmake <<C\nall\nC";
  const [failure] = new Session().bash(command, { failed: true, says: "Error: no rule" }).trail().failures;
  expect(failure?.what).toBe("cat > a <<A … make <<C …");
});
