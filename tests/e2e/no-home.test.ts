import { userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { sharedLauncher } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

test("an empty HOME is none: the person's settings are those in the home folder that the system knows", () => {
  const workspace = makeWorkspace();
  const ran = workspace.context("init --user --dry-run", { env: { HOME: "", CLAUDE_CONFIG_DIR: "" } });
  expect(ran.stdout).toContain(`${userInfo().homedir}/.claude/settings.json`);
  expect(workspace.exists(".claude")).toBe(false);
});

/** A container may run as any number: without `HOME`, the system knows no home folder of that user either. */
describe.skipIf(process.getuid?.() !== 0)("a user whom the system does not know, without HOME", () => {
  const run = (words: readonly string[], root: string, input = "") =>
    runProgram("env", ["-u", "HOME", sharedLauncher(), ...words], { cwd: root, as: 54_321, input });

  test("has every command answer", () => {
    const { root } = makeWorkspace();
    for (const command of ["lifecycle.status", "validate.all", "projects", "skills", "explain", "doctor"]) {
      const ran = run([command], root);
      expect([0, 1], ran.stderr).toContain(ran.code);
    }
  });

  test("is told what a start says", () => {
    const { root } = makeWorkspace();
    const payload = { session_id: "s1", source: "startup", transcript_path: "~/none.jsonl", cwd: root };
    const ran = run(["session-start", "--print"], root, JSON.stringify(payload));
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("<nexus-context ") });
    expect(ran.stderr).not.toContain("fault");
  });
});
