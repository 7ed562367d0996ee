import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { HAS_TMUX, startTmux } from "../helpers/tmux-server.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const FIRST = { CLAUDE_CODE_SESSION_ID: "11111111-aaaa" };
const SECOND = { CLAUDE_CODE_SESSION_ID: "22222222-bbbb" };

function owned(): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.context(`lifecycle.save ${ROLE}`, { env: FIRST });
  return workspace;
}

describe("a role that a session has saved", () => {
  test.each(["lifecycle.save", "lifecycle.pre.compact"])("is not another session's to %s", (command) => {
    const workspace = owned();
    const before = workspace.read(machineFile(ROLE));
    const ran = workspace.context(`${command} ${ROLE}`, { env: SECOND });
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(
      /oosh-expert is owned by session 11111111-aaaa since \d{4}-[^ ]+Z; this is session 22222222-bbbb\.\n.*--take-over/,
    );
    expect(workspace.read(machineFile(ROLE))).toBe(before);
    const json: unknown = JSON.parse(workspace.context(`${command} ${ROLE} --json`, { env: SECOND }).stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "owned-by-another" } });
  });

  test("is still its own, and a person's without a session", () => {
    const workspace = owned();
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env: FIRST })).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: FIRST.CLAUDE_CODE_SESSION_ID });
  });

  test("changes hands with --take-over, once, and the first owner is told", () => {
    const workspace = owned();
    const taken = workspace.context(`lifecycle.save ${ROLE} --take-over`, { env: SECOND });
    expect(taken.code).toBe(0);
    expect(taken.stderr).toContain("was owned by session 11111111-aaaa");
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: SECOND.CLAUDE_CODE_SESSION_ID });
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env: FIRST }).stderr).toContain(
      "owned by session 22222222-bbbb",
    );
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env: SECOND })).toMatchObject({ code: 0, stderr: "" });
  });

  test("is recovered by another session, which is told whose it is and takes nothing", () => {
    for (const command of ["recover", "lifecycle.recover"]) {
      const workspace = owned();
      const ran = workspace.context(`${command} ${ROLE}`, { env: SECOND });
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain("oosh-expert is owned by session 11111111-aaaa");
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", SESSION_ID: FIRST.CLAUDE_CODE_SESSION_ID });
      workspace.context(`${command} ${ROLE} --take-over`, { env: SECOND });
      expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: SECOND.CLAUDE_CODE_SESSION_ID });
    }
  });

  test("compacts with another session's hook, which is told whose it is", () => {
    const workspace = owned();
    const ran = workspace.context("pre-compact", {
      env: { HIVEMIND_ROLE: ROLE },
      input: '{"session_id":"22222222-bbbb","trigger":"auto"}',
    });
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toContain("oosh-expert is owned by session 11111111-aaaa");
    expect(workspace.state(ROLE)).toMatchObject({
      CURRENT: "compacting",
      SESSION_ID: FIRST.CLAUDE_CODE_SESSION_ID,
    });
  });

  test("two sessions that save in turns do not take it from each other", () => {
    const workspace = owned();
    for (const env of [SECOND, FIRST, SECOND, FIRST]) {
      const ran = workspace.context(`lifecycle.save ${ROLE}`, { env });
      expect(ran.code).toBe(env === FIRST ? 0 : 1);
    }
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: FIRST.CLAUDE_CODE_SESSION_ID });
  });
});

describe.skipIf(!HAS_TMUX)("a role that was inherited from the terminal's server", () => {
  test("is refused where the pane is another role's, by its option or by the registry", () => {
    const workspace = makeWorkspace();
    workspace.role("the-boss");
    workspace.role("tester", contextText({ role: "tester" }));
    const server = startTmux(workspace);
    const registry = workspace.write("roles", `${server.address}|tester|1770000000\n`);
    for (const told of ["the option @role", registry]) {
      const env = { ...server.env, HIVEMIND_ROLE: "the-boss", HIVEMIND_ROLES_FILE: registry };
      if (told !== registry) server.setRole("tester");
      else server.unsetRole();
      for (const words of ["lifecycle.save", "recover", "lifecycle.recover", "lifecycle.init"]) {
        const ran = workspace.context(words, { env });
        expect(ran).toMatchObject({ code: 1, stdout: "" });
        expect(ran.stderr).toContain(`HIVEMIND_ROLE says "the-boss", ${told}`);
        expect(ran.stderr).toContain('says "tester"');
      }
      expect(workspace.context("recover the-boss", { env })).toMatchObject({ code: 0, stderr: "" });
      expect(workspace.context("recover", { env: { ...env, HIVEMIND_ROLE: "tester" } })).toMatchObject({ code: 0 });
    }
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test("new writes the pane that it finds itself in", () => {
    const workspace = makeWorkspace();
    const server = startTmux(workspace);
    workspace.context("new tester", { env: server.env });
    expect(workspace.read("session/agents/tester.context.md")).toContain("\n**Pane**: 0.0 in my session\n");
    expect(workspace.context("validate tester --strict")).toMatchObject({ code: 0 });
  });
});
