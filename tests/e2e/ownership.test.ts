import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { haveMachines } from "../helpers/have-machines.ts";
import { runProgram } from "../helpers/run-program.ts";
import { HAS_TMUX, startTmux } from "../helpers/tmux-server.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const FIRST = { CLAUDE_CODE_SESSION_ID: "11111111-aaaa" };
const SECOND = { CLAUDE_CODE_SESSION_ID: "22222222-bbbb" };

function owned(): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  haveMachines(workspace, "one that a session saved", () => {
    workspace.context(`lifecycle.save ${ROLE}`, { env: FIRST });
  });
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
    const start = workspace.context("session-start", {
      env: { HIVEMIND_ROLE: ROLE },
      input: '{"session_id":"22222222-bbbb","source":"compact"}',
    });
    // Both who looks at the role and who takes its step say so.
    expect(start.stderr.match(/is owned by/g)).toHaveLength(1);
  });

  test("is another session's at its start: the agent reads so first of all, again and again", () => {
    const workspace = owned();
    const start = (session: string, words = "session-start") => {
      const input = JSON.stringify({ session_id: session, source: "startup", hook_event_name: "SessionStart" });
      const ran = workspace.context(words, { env: { HIVEMIND_ROLE: ROLE }, input });
      expect(ran.code).toBe(0);
      return { ...ran, json: JSON.parse(ran.stdout || "{}") };
    };
    const whose = /oosh-expert is owned by session 11111111-aaaa since \S+; this is session 22222222-bbbb\./;
    const text = ({ json }: ReturnType<typeof start>): string => json.hookSpecificOutput.additionalContext;
    const own = start("11111111-aaaa");
    for (let time = 0; time < 2; time++) {
      const other = start("22222222-bbbb");
      expect(other.stderr).toMatch(whose);
      expect(text(other).split("<checklist>")[1]?.split("</item>")[0]).toMatch(whose);
      expect(text(start("11111111-aaaa"))).toBe(text(own));
    }
    const [first, second] = [1, 2].map((part) => start("22222222-bbbb", `session-start --part ${part}/2`));
    expect(first?.stderr).toMatch(whose);
    expect(second?.stderr).toBe("");
    // Whoever it belongs to is told the command, which does it as it stands.
    const [, way = ""] = /If the role is yours, run (.*); if it is not/.exec(first?.stderr ?? "") ?? [];
    expect(way).toBe(`./context lifecycle.save ${ROLE} --take-over`);
    expect(runProgram("sh", ["-c", way], { cwd: workspace.root, env: SECOND }).code).toBe(0);
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: SECOND.CLAUDE_CODE_SESSION_ID });
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

  test("new leaves the pane of another role out, and says why; one that is named is taken", () => {
    const workspace = makeWorkspace();
    workspace.role("the-boss");
    const server = startTmux(workspace);
    const registry = workspace.write("roles", `${server.address}|the-boss\n`);
    const pane = (name: string): string =>
      /^\*\*Pane\*\*: (.*)$/m.exec(workspace.read(`session/agents/${name}.context.md`))?.[1] ?? "";
    const says: readonly [string, Readonly<Record<string, string>>, string][] = [
      ["a-one", { HIVEMIND_ROLE: "the-boss" }, "HIVEMIND_ROLE"],
      ["a-two", { HIVEMIND_ROLES_FILE: registry }, registry],
    ];
    for (const [name, more, source] of says) {
      const ran = workspace.context(`new ${name}`, { env: { ...server.env, ...more } });
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining(`This pane is not ${name}'s: ${source}`) });
      expect(pane(name)).toBe("none");
    }
    server.setRole("the-boss");
    expect(workspace.context("new a-three", { env: server.env }).stderr).toContain(
      'the option @role of pane my session:0.0 says "the-boss"',
    );
    expect(pane("a-three")).toBe("none");
    expect(workspace.context(["new", "a-four", "--pane", "0.4 in x"], { env: server.env }).stderr).toBe("");
    expect(pane("a-four")).toBe("0.4 in x");
  });

  test("lifecycle.init records session and pane where they certainly are the role's, and else nothing", () => {
    const workspace = makeWorkspace();
    const server = startTmux(workspace);
    const session = { CLAUDE_CODE_SESSION_ID: "5e55-1" };
    const place = (name: string) => {
      const { SESSION_ID, OWNER_PANE } = workspace.state(name);
      return [SESSION_ID, OWNER_PANE];
    };
    const init = (name: string, env: Readonly<Record<string, string>>) => {
      const ran = workspace.context(`lifecycle.init ${name}`, { env });
      expect(ran.code).toBe(0);
      return ran.stdout;
    };
    const number = `'%0@${server.env.TMUX?.split(",")[1]}'`;
    const own = init("a-one", { ...server.env, ...session, HIVEMIND_ROLE: "a-one" });
    expect(own).toBe("a-one: active. The machine is created for session 5e55-1 in pane %0.\n");
    expect(place("a-one")).toEqual(["5e55-1", number]);
    expect(workspace.state("a-one")).toMatchObject({ CURRENT: "active", REVISION: "0" });
    const json = workspace.context("lifecycle.status a-one --json").stdout;
    expect(JSON.parse(json).roles[0].owner).toMatchObject({ session_id: "5e55-1", pane: "%0" });

    // Nobody says so; another role's agent; a pane that is another role's.
    expect(init("a-two", { ...server.env, ...session })).toBe("a-two: active. The machine is created.\n");
    expect(place("a-two")).toEqual([undefined, undefined]);
    init("a-three", { ...server.env, ...session, HIVEMIND_ROLE: "the-boss" });
    expect(place("a-three")).toEqual([undefined, undefined]);
    server.setRole("the-boss");
    init("a-four", { ...server.env, ...session });
    init("a-five", { ...server.env, ...session, HIVEMIND_ROLE: "a-five" });
    for (const name of ["a-four", "a-five"]) expect(place(name)).toEqual([undefined, undefined]);

    // The pane alone: a person's shell in it.
    server.setRole("a-six");
    expect(init("a-six", server.env)).toBe("a-six: active. The machine is created in pane %0.\n");
    expect(place("a-six")).toEqual([undefined, number]);
    const again = { ...server.env, ...session, HIVEMIND_ROLE: "a-six" };
    expect(init("a-six", again)).toContain("nothing is changed");
    expect(place("a-six")).toEqual([undefined, number]);
    // Whoever works there first has it.
    workspace.role("a-six");
    expect(workspace.context("lifecycle.save", { env: again }).code).toBe(0);
    expect(place("a-six")).toEqual(["5e55-1", number]);
    expect(workspace.context("lifecycle.init a-six --json").stdout).toContain('"created": false');
  });
});
