import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Compacted, makeCompacted, PENDING, PLAN, ROLE, SESSION, SKILL } from "../gate/session.ts";
import { addSession, makeAcme, manifestText, VERSIONS } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { machineFile } from "../helpers/workspace.ts";

const ENV = { HIVEMIND_ROLE: ROLE };

/** A role that was just compacted; its context file is in the document, its skill is to be read. */
function makeRole(more: Parameters<typeof makeCompacted>[0] = {}): Compacted {
  return makeCompacted({
    env: ENV,
    ...more,
    prepare: (workspace) => {
      workspace.role(ROLE);
      workspace.write(SKILL, "# Skill\n");
      more.prepare?.(workspace);
    },
  });
}

describe("recover --check", () => {
  test("is ignored, then partial, then verified, and only that exits 0", () => {
    const { workspace, append } = makeRole({ prepare: (made) => made.write("docs/oosh-architecture.md", "# A\n") });
    const check = () => workspace.context(`recover --check ${ROLE}`);
    const ignored = check();
    expect(ignored.code).toBe(1);
    expect(ignored.stdout).toBe(
      [
        "ignored: 1 of 3 required files read since the compaction",
        `  given    session/agents/${ROLE}.context.md`,
        `  missing  ${SKILL}`,
        "  missing  docs/oosh-architecture.md",
        "",
      ].join("\n"),
    );
    expect(ignored.stderr).toContain("2 of 3 required files have not been read.\n  Read them, then run ");
    append((log) => log.read(workspace.path(SKILL)));
    const partial = check();
    expect(partial.code).toBe(1);
    expect(partial.stdout).toMatch(/^partial: 2 of 3 /);
    expect(partial.stderr).toContain("1 of 3 required files has not been read.\n  Read it, then run ");
    expect(partial.stderr).toMatch(new RegExp(` recover --check ${ROLE}\\.\n$`));
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
    append((log) => log.read("docs/oosh-architecture.md"));
    const verified = check();
    expect(verified).toMatchObject({ code: 0, stderr: `${ROLE}: recovering -> active, proved by what was read.\n` });
    expect(verified.stdout).toMatch(/^verified: 3 of 3 /);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", EVENT: "RECOVERED" });
    expect(check()).toMatchObject({ code: 0, stderr: "", stdout: verified.stdout });
  });

  test("asks for no folder, which nobody can read", () => {
    const { workspace } = makeRole({
      prepare: (made) => {
        made.write("context.yaml", "recovery: {architecture: docs}\n");
        made.write("docs/oosh-architecture.md", "# A\n");
      },
    });
    expect(workspace.context(`recover --check ${ROLE}`).stdout).not.toMatch(/ docs$/m);
  });

  test("prints one JSON value, with what is missing", () => {
    const { workspace } = makeRole();
    const ran = workspace.context(`recover --check ${ROLE} --json`);
    expect(ran).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      schema_version: 1,
      ok: false,
      error: { code: "recovery-ignored" },
      role: ROLE,
      session_id: SESSION,
      compacted_at: expect.stringMatching(/^\d{4}-/),
      verdict: "ignored",
      missing: [SKILL],
      recovered: false,
    });
  });

  test("asks for no file that is gone since, and says so", () => {
    const { workspace } = makeRole();
    rmSync(workspace.path(SKILL));
    const ran = workspace.context(`recover --check ${ROLE}`);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: 1 of 1 required file /) });
    expect(ran.stderr).toContain(`Required at the compaction, and gone since: ${SKILL}.\n`);
  });

  test("takes the role from the environment", () => {
    const { workspace } = makeRole();
    const ran = workspace.context("recover --check", { env: ENV });
    expect(ran.stdout).toMatch(/^ignored: /);
    expect(ran.stderr).toContain(`Role ${ROLE}, from HIVEMIND_ROLE.`);
  });

  test("is of a project where that is named, by option or as the argument, or is the session's", () => {
    const { workspace, append } = makeCompacted();
    for (const [words, env] of [
      ["recover --check --project 24-demo", {}],
      ["recover --check --project 24", {}],
      ["recover --check 24-demo", {}],
      ["recover --check", { CLAUDE_CODE_SESSION_ID: SESSION }],
    ] as const) {
      const ran = workspace.context(words, { env });
      expect([words, ran.code, ran.stdout]).toEqual([
        words,
        1,
        [
          "ignored: 2 of 3 required files read since the compaction",
          "  given    02-projects/24-demo/01-planning/01-overview.md",
          "  given    02-projects/24-demo/01-planning/04-steps.md",
          `  missing  ${PLAN}`,
          "",
        ].join("\n"),
      ]);
    }
    expect(workspace.exists(PENDING)).toBe(true);
    append((log) => log.read(workspace.path(PLAN)));
    expect(workspace.context("recover --check --project 24-demo").code).toBe(0);
    // What the check found, the gate need not find again.
    expect(workspace.exists(PENDING)).toBe(false);
  });

  test("a role that has a project's name is a role", () => {
    const { workspace } = makeCompacted({ prepare: (made) => made.role("24-demo") });
    const ran = workspace.context("recover --check 24-demo");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("No transcript of 24-demo is known");
  });

  test.each(VERSIONS)("without our start hook, reads the client's own file, %s", (version) => {
    const workspace = makeAcme();
    const files = ["01-planning/01-overview.md", "01-planning/04-steps.md", "01-planning/03-plan.md"];
    workspace.write("02-projects/24-demo/01-planning/resume-context.md", manifestText("24-demo", files));
    const check = (name: string) =>
      workspace.context([
        "recover",
        "--check",
        "--project",
        "24-demo",
        "--transcript",
        addSession(workspace, name, version),
      ]);
    const ran = check("auto-compact");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(`missing  ${PLAN}`);
    // 2.0.76 does not write down what it restored; the agent read the steps itself in both.
    expect(ran.stdout).toMatch(version === "2.0.76" ? /^partial: 1 of 3 / : /^partial: 2 of 3 /);
    workspace.write(
      "02-projects/24-demo/01-planning/resume-context.md",
      manifestText("24-demo", ["01-planning/04-steps.md"]),
    );
    expect(check("auto-compact")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: 1 of 1 /) });
    // The file is the same, however it is written.
    workspace.write(
      "02-projects/24-demo/01-planning/resume-context.md",
      manifestText("24-demo", ["01-planning\\04-steps.md", "./x/../01-planning/04-steps.md"]),
    );
    expect(check("auto-compact")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: 1 of 1 /) });
    rmSync(workspace.path("02-projects/24-demo/01-planning/resume-context.md"));
    const oldest = "---\nfiles_to_load: [01-planning/04-steps.md]\n---\n";
    workspace.write("02-projects/24-demo/01-planning/_resume.md", oldest);
    expect(check("auto-compact")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: 1 of 1 /) });
    const none = check("chat");
    expect(none.code).toBe(1);
    expect(none.stderr).toContain("holds no compaction");
  });

  test("finds a session's file among the client's own", () => {
    const workspace = makeAcme();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    const folder = workspace.path("home/.claude/projects/-w-acme");
    mkdirSync(folder, { recursive: true });
    const path = workspace.path(`session/agents/${ROLE}.context.md`);
    writeFileSync(join(folder, `${SESSION}.jsonl`), new SessionLog(workspace.root).compacted().read(path).text());
    const ran = workspace.context(`recover --check ${ROLE}`, { env: { HOME: workspace.path("home") } });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: 1 of 1 /) });
  });

  test("says what is in the way where it cannot tell", () => {
    const workspace = makeAcme();
    const transcript = workspace.write("s.jsonl", new SessionLog(workspace.root).compacted().text());
    const check = (...words: string[]) => workspace.context(["recover", "--check", ...words]);
    expect(check("nobody").stderr).toContain("No transcript of nobody is known");
    workspace.role(ROLE);
    expect(check(ROLE).stderr).toMatch(/known\.\n {2}Name it: --transcript <file>\.\n$/);
    expect(check(`${ROLE}s`).stderr).toContain(`Did you mean "${ROLE}"?`);
    expect(check(`${ROLE}s`, "--transcript", transcript).stderr).toContain(`Did you mean "${ROLE}"?`);
    expect(check("nobody", "--transcript", "none.jsonl").stderr).toContain("cannot be read");
    const nothing = check("nobody", "--transcript", transcript);
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toContain("Nothing is required of nobody");
    workspace.write("02-projects/33-bare/01-planning/notes.md", "x\n");
    const none = JSON.parse(check("--json", "--project", "33-bare", "--transcript", transcript).stdout);
    expect(none).toMatchObject({ verdict: null, files: [], error: { code: "nothing-required", hint: null } });
    expect(check("--project", "24-demo").stderr).toMatch(/known\.\n {2}Name it: --transcript <file>\.\n$/);
    const told = `Role ${ROLE}, from HIVEMIND_ROLE.`;
    const before = workspace.write("a b.jsonl", new SessionLog(workspace.root).prompt("go").text());
    for (const words of [[], ["--transcript", "none.jsonl"], ["--transcript", before]]) {
      const ran = workspace.context(["recover", "--check", ...words], { env: ENV });
      expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 1, stderr: expect.stringContaining(told) });
    }
    // The command that is told asks the same file again.
    const again = workspace.write("a b.jsonl", new SessionLog(workspace.root).compacted().text());
    expect(check(ROLE, "--transcript", again).stderr).toMatch(
      new RegExp(` recover --check ${ROLE} --transcript '.*/a b\\.jsonl'\\.\n$`),
    );
    // What a file proves of a role that was never saved or compacted here makes no machine.
    const file = workspace.path(`session/agents/${ROLE}.context.md`);
    const proof = workspace.write("proof.jsonl", new SessionLog(workspace.root).compacted().read(file).text());
    expect(check(ROLE, "--transcript", proof)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.exists(machineFile(ROLE))).toBe(false);
    expect(check("Bad_Role").code).toBe(2);
    expect(check("--project", "99-none").code).toBe(1);
    expect(check().code).toBe(2);
  });

  test("does not make a role active that was compacted in another session since", () => {
    const { workspace, append } = makeRole();
    append((log) => log.read(workspace.path(SKILL)));
    workspace.setState(ROLE, { SESSION_ID: "another-session" });
    expect(workspace.context(`recover --check ${ROLE}`).code).toBe(0);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
  });

  test("makes a role active of which no session is written down, there or here", () => {
    const { workspace, append } = makeRole();
    append((log) => log.read(workspace.path(SKILL)));
    const { SESSION_ID } = workspace.state(ROLE);
    workspace.setState(ROLE, { SESSION_ID: "" });
    expect(workspace.context(`recover --check ${ROLE}`).code).toBe(0);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active" });
    workspace.setState(ROLE, { SESSION_ID: SESSION_ID ?? "", CURRENT: "recovering" });
    rmSync(workspace.path("session/.cache"), { recursive: true });
    const path = workspace.path(`session/agents/${ROLE}.context.md`);
    const log = new SessionLog(workspace.root).compacted().read(path).read(workspace.path(SKILL)).text();
    const file = workspace.write("copy.jsonl", log);
    expect(workspace.context(["recover", "--check", ROLE, "--transcript", file]).code).toBe(0);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active" });
  });

  test("tells what was read where the role's state is none that is known, and that it stays", () => {
    const { workspace, append } = makeRole();
    append((log) => log.read(workspace.path(SKILL)));
    workspace.setState(ROLE, { CURRENT: "reviewing" });
    const ran = workspace.context(`recover --check ${ROLE}`);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: 2 of 2 /) });
    expect(ran.stderr).toMatch(new RegExp(`^The state of ${ROLE} was not changed: .*reviewing`));
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "reviewing" });
  });

  test("does not touch a role that is not recovering", () => {
    const { workspace, append } = makeRole();
    append((log) => log.read(workspace.path(SKILL)));
    workspace.context(`lifecycle.save ${ROLE}`);
    const { REVISION } = workspace.state(ROLE);
    expect(workspace.context(`recover --check ${ROLE}`)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved", REVISION });
  });

  test("recover itself counts as reading the context file that it prints, for the session that runs it", () => {
    const long = Array.from({ length: 3000 }, (_, at) => `- Line ${at} of what was done\n`).join("");
    const { workspace, append } = makeRole();
    workspace.role(ROLE, `${workspace.read(`session/agents/${ROLE}.context.md`)}\n${long}`);
    const { transcript } = { transcript: workspace.path(`client/${SESSION}.jsonl`) };
    const input = JSON.stringify({
      session_id: SESSION,
      transcript_path: transcript,
      cwd: workspace.root,
      hook_event_name: "SessionStart",
      source: "compact",
    });
    workspace.context("session-start --part 1/4", { env: ENV, input });
    append((log) => log.compacted().read(workspace.path(SKILL)));
    expect(workspace.context(`recover --check ${ROLE}`).stdout).toMatch(
      /missing {2}session\/agents\/.* \(from line \d+\)/,
    );
    workspace.context(`recover ${ROLE}`);
    expect(workspace.context(`recover --check ${ROLE}`).code).toBe(1);
    workspace.context(`recover ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(workspace.context(`recover --check ${ROLE}`).code).toBe(0);
  });
});

describe("lifecycle.status", () => {
  test("shows what was read since the last compaction, of roles that had one", () => {
    const { workspace, append } = makeRole();
    workspace.role("tester");
    workspace.context("lifecycle.init tester");
    const rows = () =>
      workspace
        .context("lifecycle.status")
        .stdout.trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/).at(-1));
    expect(rows()).toEqual(["RECOVERY", "ignored 1/2", "-"]);
    append((log) => log.read(workspace.path(SKILL)));
    expect(rows()).toEqual(["RECOVERY", "verified 2/2", "-"]);
    // Looking proves nothing to the machine.
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
    const json: unknown = JSON.parse(workspace.context(`lifecycle.status ${ROLE} --json`).stdout);
    expect(json).toMatchObject({
      roles: [{ recovery: { verdict: "verified", required: 2, missing: [], session_id: SESSION } }],
    });
  });

  test("says nothing of it where no session was compacted", () => {
    const { workspace } = makeCompacted({ prepare: (made) => made.role(ROLE) });
    workspace.context(`lifecycle.init ${ROLE}`);
    expect(workspace.context("lifecycle.status").stdout).not.toContain("RECOVERY");
    expect(workspace.context("lifecycle.status --json").stdout).not.toContain("recovery");
  });
});
