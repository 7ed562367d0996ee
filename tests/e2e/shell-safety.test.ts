import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { runProgram } from "../helpers/run-program.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";

/** Each would make a file, end a quote, or begin another assignment, if a shell took it for more than text. */
const VALUES = [
  "$(touch pwned)",
  "`touch pwned`",
  "'; touch pwned; '",
  '"; touch pwned; "',
  "a'b\"c",
  "a\nSTATE_CURRENT=active\ntouch pwned",
  "\\",
  "$HOME $PATH ~ * ?",
  "a b\tc # d",
  "é 漢字 🚀",
  "; touch pwned &",
];

/** What a shell has in a variable after it has sourced the role's env file with every safeguard off. */
function sourced(workspace: Workspace, shell: string, variable: string): string {
  const ran = runProgram(
    shell,
    ["-c", `set -eu; . "$1"; printf '%s.' "$${variable}"`, shell, `./${machineFile(ROLE)}`],
    {
      cwd: workspace.root,
    },
  );
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout.slice(0, -1);
}

describe("an env file may be sourced, and runs nothing", () => {
  test.each(VALUES)("with the session id %j, which comes back as it was", (value) => {
    const workspace = makeWorkspace();
    workspace.role(ROLE, contextText({ pane: value.replaceAll("\n", " "), more: [value] }));
    const env = { CLAUDE_CODE_SESSION_ID: value };
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env })).toMatchObject({ code: 0 });
    // Once more from what was read back: the value must not grow quotes.
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env })).toMatchObject({ code: 0 });
    for (const shell of ["sh", "bash"]) {
      expect(sourced(workspace, shell, "STATE_SESSION_ID")).toBe(value);
      expect(sourced(workspace, shell, "STATE_CURRENT")).toBe("saved");
    }
    const json: unknown = JSON.parse(workspace.context(`lifecycle.status ${ROLE} --json`).stdout);
    expect(json).toMatchObject({ roles: [{ session_id: value }] });
    expect(workspace.exists("pwned")).toBe(false);
  });

  test("with any branch name that git allows", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    git(workspace.root, "init", "--quiet", "--initial-branch", "main");
    commit(workspace.root, "first");
    for (const branch of ["$(touch$IFS$9pwned)", "`touch-pwned`", "a'b\"c;d&e|f", "é/漢字"]) {
      git(workspace.root, "checkout", "--quiet", "-B", branch);
      workspace.context(`lifecycle.save ${ROLE}`);
      expect(sourced(workspace, "sh", "STATE_BRANCH")).toBe(branch);
      expect(sourced(workspace, "bash", "STATE_BRANCH")).toBe(branch);
      expect(workspace.context(`recover ${ROLE}`).stdout).toContain(`on branch ${branch}.\n- Nothing changed since.`);
    }
    expect(workspace.list(".").filter((name) => name.includes("pwned"))).toEqual([]);
  });

  test.each(VALUES)("whatever a context file says of its role and pane: %j", (value) => {
    const workspace = makeWorkspace();
    const line = value.replaceAll("\n", " ");
    workspace.role(ROLE, contextText({ pane: line }).replace("(implementation)", `(${line})`));
    workspace.context(["new", "other-role", "--description", value, "--pane", value]);
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0 });
    expect(workspace.context("validate.all")).toMatchObject({ code: 0 });
    expect(workspace.context(`recover ${ROLE}`)).toMatchObject({ code: 0 });
    for (const shell of ["sh", "bash"]) expect(sourced(workspace, shell, "STATE_ROLE")).toBe(ROLE);
    expect(workspace.exists("pwned")).toBe(false);
  });
});
