import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const FIXTURES = join(PROGRAM_ROOT, "tests", "fixtures", "claude-code");
const PAYLOADS = ["2.0.76", "2.1.332"].flatMap((version) =>
  readdirSync(join(FIXTURES, version, "payloads"))
    .filter((name) => name.startsWith("PreCompact."))
    .map((name) => ({ version, name, text: readFileSync(join(FIXTURES, version, "payloads", name), "utf8") })),
);

function installHook(workspace: Workspace): string {
  const script = workspace.path(".claude/hooks/pre-compact.sh");
  mkdirSync(workspace.path(".claude/hooks"), { recursive: true });
  copyFileSync(join(PROGRAM_ROOT, ".claude", "hooks", "pre-compact.sh"), script);
  chmodSync(script, 0o755);
  return script;
}

/** As the client runs it: by a shell, from wherever the agent has gone, with the project in the environment. */
function runHook(workspace: Workspace, input: string, flags = "", env: Readonly<Record<string, string>> = {}) {
  return runProgram("sh", ["-c", `"$CLAUDE_PROJECT_DIR"/.claude/hooks/pre-compact.sh ${flags}`], {
    cwd: tmpdir(),
    env: { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: "oosh-expert", ...env },
    input,
  });
}

describe("one round of a role", () => {
  test.each(PAYLOADS)("comes back whole from the compaction of $version, $name", ({ text }) => {
    const workspace = makeWorkspace();
    installHook(workspace);
    workspace.role("oosh-expert");

    expect(workspace.context("lifecycle.init oosh-expert")).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "active", REVISION: "0" });

    expect(workspace.context("lifecycle.save oosh-expert")).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "saved", REVISION: "2", EVENT: "CONTEXT_VALID" });

    expect(runHook(workspace, text)).toEqual({ code: 0, signal: null, stdout: "{}\n", stderr: "" });
    const session: unknown = JSON.parse(text).session_id;
    expect(workspace.state("oosh-expert")).toMatchObject({
      CURRENT: "compacting",
      REVISION: "3",
      COMPACTIONS: "1",
      UNSAVED: "0",
      SESSION_ID: session,
    });

    const recovered = workspace.context("recover oosh-expert");
    expect(recovered).toMatchObject({ code: 0, stderr: "oosh-expert: compacting -> active.\n" });
    expect(recovered.stdout).toContain(contextText().trimEnd());
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "active", REVISION: "4", EVENT: "RECOVERED" });

    const history: unknown = JSON.parse(workspace.context("lifecycle.history oosh-expert --json").stdout);
    expect(history).toMatchObject({
      entries: [
        { revision: 1, event: "SAVE", from: "active", to: "saving", by: "lifecycle.save", session_id: null },
        { revision: 2, event: "CONTEXT_VALID", from: "saving", to: "saved", by: "lifecycle.save", session_id: null },
        { revision: 3, event: "COMPACT", from: "saved", to: "compacting", by: "pre-compact", session_id: session },
        { revision: 4, event: "RECOVERED", from: "compacting", to: "active", by: "recover", session_id: null },
      ],
    });
  });

  test("the hook tells the summariser, with --guidance, how the agent comes back", () => {
    const workspace = makeWorkspace();
    installHook(workspace);
    workspace.role("oosh-expert");
    const ran = runHook(workspace, PAYLOADS[0]?.text ?? "", "--guidance");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("./context recover oosh-expert");
    expect(ran.stdout).not.toMatch(/^[[{]/);
    expect(ran.stdout.length).toBeLessThanOrEqual(2000);
  });

  test("the hook script finds the program among the project's packages, and exits 0 where there is none", () => {
    const workspace = makeWorkspace();
    const script = installHook(workspace);
    workspace.role("oosh-expert");
    const env = { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: "oosh-expert" };
    const bin = workspace.path("node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    runProgram("mv", [workspace.path("context"), join(bin, "context")], { cwd: workspace.root });
    expect(runProgram(script, [], { cwd: tmpdir(), env })).toMatchObject({ code: 0, stdout: "{}\n" });

    runProgram("rm", ["-r", workspace.path("node_modules")], { cwd: workspace.root });
    expect(runProgram(script, [], { cwd: tmpdir(), env })).toMatchObject({ code: 0, stdout: "" });
  });

  test("the hook script needs no CLAUDE_PROJECT_DIR", () => {
    const workspace = makeWorkspace();
    const script = installHook(workspace);
    workspace.role("oosh-expert");
    const ran = runProgram(script, [], { cwd: tmpdir(), env: { HIVEMIND_ROLE: "oosh-expert" } });
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "compacting" });
  });

  test("the demo shows it, and leaves nothing behind", () => {
    const workspace = makeWorkspace();
    const temporary = workspace.path("tmp");
    mkdirSync(temporary);
    const ran = workspace.context("demo", { env: { TMPDIR: temporary } });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.match(/^ {3}state: .*$/gm)).toEqual(
      ["active", "active", "saved", "compacting", "recovering", "active", "active", "active"].map(
        (state) => `   state: ${state}`,
      ),
    );
    // The project in hand is found from the transcript, for the summariser and for the agent that goes on.
    expect(ran.stdout).toContain("   - Current task, word for word: Session ids for agents that were not resumed\n");
    expect(ran.stdout).toContain(
      "   - Files changed: 02-projects/24-agent-navigation/01-planning/04-steps.md; hiveMind\n",
    );
    expect(ran.stdout).toContain('   <nexus-context version="v4" mode="compact" ');
    expect(ran.stdout).toContain('     <resume-project id="24-agent-navigation" phase="execution">\n');
    expect(ran.stdout).toMatch(/^ {3}\[\d+ more lines\]$/m);
    expect(ran.stdout).toContain("The round is complete");
    expect(readdirSync(temporary)).toEqual([]);
    expect(workspace.list("session")).toEqual(["agents"]);
  });
});
