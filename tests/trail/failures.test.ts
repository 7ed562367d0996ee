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

  it("leave out what a sub-agent ran", () => {
    expect(failing(new Session().bash("make", { ...FAILED, record: { isSidechain: true } }).read("a"))).toEqual([]);
  });
});

describe("commands", () => {
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
