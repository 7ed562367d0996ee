import { chmodSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { HAS_TMUX, startTmux } from "../helpers/tmux-server.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { bundleScript, remove, temporaryFolder } from "../platform/scripts.ts";
import { one, readDocument } from "../session-start/read-document.ts";

const scripts = temporaryFolder();
const BEGIN = bundleScript(new URL("../commands/lifecycle/fixtures/begin-session.ts", import.meta.url), scripts);
afterAll(() => remove(scripts));

const ROLE = "oosh-expert";

function project(): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  return workspace;
}

/** Runs shell lines below a process that is called as the client is. */
function inClient(workspace: Workspace, lines: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  const client = workspace.write("client/claude", `#!/bin/sh\n${lines.join("\n")}\n:\n`);
  chmodSync(client, 0o755);
  return runProgram(client, [], { cwd: workspace.root, env });
}

const save = (session: string) => `CLAUDE_CODE_SESSION_ID=${session} ./context lifecycle.save ${ROLE}; echo "exit $?"`;
const begin = (session: string, source: string) => `'${process.execPath}' '${BEGIN}' ${ROLE} ${session} ${source}`;

describe("a session that follows another one in the same client", () => {
  test("saves without --take-over, is told of it once, and the earlier one does not get the role back", () => {
    const workspace = project();
    const ran = inClient(workspace, [save("first"), save("second"), save("second"), save("first"), save("second")]);
    expect(ran.stdout.match(/^exit \d$/gm)).toEqual(["exit 0", "exit 0", "exit 0", "exit 1", "exit 0"]);
    expect(ran.stderr.match(/in the same client; session second takes it over/g)).toHaveLength(1);
    expect(ran.stderr).toContain("oosh-expert is owned by session second");
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: "second", OWNER_BEFORE: "first" });
  });

  test("has the role from its start on, and a resumed one has it back", () => {
    const workspace = project();
    const ran = inClient(workspace, [save("first"), begin("second", "clear"), begin("first", "resume"), save("first")]);
    expect(ran.stdout).toContain("session first since");
    expect(ran.stdout).toContain("; session second takes it over.");
    expect(ran.stdout).toContain("; session first takes it over.");
    expect(ran.stdout.match(/^exit \d$/gm)).toEqual(["exit 0", "exit 0"]);
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: "first" });
  });
});

test("a client that ended leaves the role to whoever saves next; one that runs does not", () => {
  const workspace = project();
  inClient(workspace, [save("first")]);
  const ran = inClient(workspace, [save("second")]);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stderr).toContain("whose client has ended; session second takes it over");

  const other = project();
  const nested = other.write("client/inner/claude", `#!/bin/sh\n${save("second")}\n${begin("second", "resume")}\n:\n`);
  chmodSync(nested, 0o755);
  const both = inClient(other, [save("first"), "client/inner/claude"]);
  expect(both.stdout.match(/^exit \d$/gm)).toEqual(["exit 0", "exit 1"]);
  expect(both.stdout).toContain("is owned by session first");
  expect(other.state(ROLE)).toMatchObject({ SESSION_ID: "first" });
});

describe("a role that compacts by its state alone", () => {
  const hook = (words: string, payload: object) =>
    `printf '%s' '${JSON.stringify(payload)}' | HIVEMIND_ROLE=${ROLE} ./context ${words}`;
  const compact = hook("pre-compact", { session_id: "first", trigger: "manual", hook_event_name: "PreCompact" });
  const start = (session_id: string, source: string) =>
    hook("session-start --part 1/1", { session_id, source, hook_event_name: "SessionStart" });

  test.each([
    ["first", "resume"],
    ["second", "fork"],
    ["third", "startup"],
  ])(
    "goes on from active when its client has ended and session %s begins by %s, and nothing counts as lost",
    (session, source) => {
      const workspace = project();
      inClient(workspace, [save("first"), compact]);
      const before = workspace.state(ROLE);
      expect(before).toMatchObject({ CURRENT: "compacting", SESSION_ID: "first" });
      expect(workspace.context("lifecycle.status").stdout).toContain("stuck");
      const ran = inClient(workspace, [start(session, source)]);
      expect(ran.stdout).toContain(`<role-context role=\\"${ROLE}\\" state=\\"active\\"`);
      expect(ran.stderr).toContain(`${ROLE} was stuck in "compacting" since`);
      const after = workspace.state(ROLE);
      expect(after).toMatchObject({ CURRENT: "active", SESSION_ID: session });
      expect(after.RECOVERED_AT).toBe(before.RECOVERED_AT);
    },
  );

  test("for too long goes on from active at its own session's start alone, as the document says", () => {
    const workspace = project();
    const since = "2026-01-01T00:00:00.000Z";
    const told = [
      save("first"),
      compact,
      `sed -i 's/^STATE_SINCE=.*/STATE_SINCE=${since}/' session/stateMachines/*.env`,
    ];
    for (const line of told) runProgram("/bin/sh", ["-c", line], { cwd: workspace.root });
    for (const [session, source, state] of [
      ["second", "startup", "compacting"],
      ["first", "resume", "active"],
    ] as const) {
      const ran = runProgram("/bin/sh", ["-c", start(session, source)], { cwd: workspace.root });
      expect(ran.stdout).toContain(`<role-context role=\\"${ROLE}\\" state=\\"${state}\\"`);
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: state, SESSION_ID: "first" });
    }
  });

  test("still compacts while that client runs, and one that has to recover still has", () => {
    const workspace = project();
    const other = workspace.write("client/inner/claude", `#!/bin/sh\n${start("first", "resume")}\n:\n`);
    chmodSync(other, 0o755);
    inClient(workspace, [save("first"), compact, "client/inner/claude > inner.txt"]);
    expect(workspace.read("inner.txt")).toContain('state=\\"compacting\\"');
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
    inClient(workspace, [compact, start("first", "compact")]);
    inClient(workspace, [start("first", "resume")]);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
  });
});

test("a start makes no machine, and takes no role that is nobody's", () => {
  const workspace = project();
  expect(inClient(workspace, [begin("first", "startup")]).stdout).toBe(`role ${ROLE}\n`);
  expect(workspace.list("session")).toEqual(["agents"]);
  workspace.context(`lifecycle.init ${ROLE}`);
  inClient(workspace, [begin("first", "clear")]);
  expect(workspace.state(ROLE).SESSION_ID).toBeUndefined();
});

describe.skipIf(!HAS_TMUX)("in a terminal pane", () => {
  test("where no client's process is known, a start after /clear in the owner's pane has the role", () => {
    const workspace = project();
    const { env } = startTmux(workspace);
    const session = (id: string) => ({ ...env, CLAUDE_CODE_SESSION_ID: id });
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env: session("first") }).code).toBe(0);
    expect(workspace.state(ROLE).OWNER_PANE).toMatch(/^'%0@\d+'$/);
    const started = (source: string) =>
      runProgram("sh", ["-c", `${begin("second", source)}`], { cwd: workspace.root, env }).stdout;
    expect(started("startup")).toContain("oosh-expert is owned by session first");
    expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: "first" });
    expect(started("clear")).toContain("in the same pane; session second takes it over");
    expect(workspace.context(`lifecycle.save ${ROLE}`, { env: session("second") })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  test("that is another role's, no hook touches either machine, and both are named", () => {
    const workspace = project();
    workspace.role("tester");
    const server = startTmux(workspace);
    workspace.context(`lifecycle.init ${ROLE}`);
    server.setRole("tester");
    const env = { ...server.env, HIVEMIND_ROLE: ROLE };
    const input = '{"session_id":"s1","trigger":"auto"}';
    const ran = workspace.context("pre-compact --guidance", { env, input });
    for (const text of [ran.stdout, ran.stderr]) {
      expect(text).toContain(
        'HIVEMIND_ROLE says "oosh-expert", the option @role of pane my session:0.0 says "tester".',
      );
    }
    expect(ran.code).toBe(0);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", REVISION: "0" });
    expect(workspace.state("tester")).toEqual({});
    const begun = runProgram("sh", ["-c", begin("s1", "clear")], { cwd: workspace.root, env });
    expect(begun.stdout).toContain('role null\nHIVEMIND_ROLE says "oosh-expert"');
    expect(
      workspace.context("pre-compact --guidance", { env: { ...env, HIVEMIND_ROLE: "tester" }, input }).stderr,
    ).not.toContain("says");
  });

  test("that is another role's, a start has neither role's memory, and the agent reads why first of all", () => {
    const workspace = project();
    workspace.role("tester");
    const server = startTmux(workspace);
    server.setRole("tester");
    const start = (role: string, words = "session-start") => {
      const input = JSON.stringify({ session_id: "s1", source: "startup", hook_event_name: "SessionStart" });
      const ran = workspace.context(words, { env: { ...server.env, HIVEMIND_ROLE: role }, input });
      expect(ran.code).toBe(0);
      return { ...ran, text: String(JSON.parse(ran.stdout || "{}").hookSpecificOutput?.additionalContext) };
    };
    const conflict = 'HIVEMIND_ROLE says "oosh-expert", the option @role of pane my session:0.0 says "tester". ';
    const way = "The role of neither is taken: unset HIVEMIND_ROLE here, or set it to the role of this pane.";
    const other = start(ROLE);
    expect(other.stderr).toBe(`context: ${conflict}${way}\n`);
    expect(other.text.split("<checklist>")[1]?.split("</item>")[0]).toContain(way);
    // Of what either has written down there is nothing.
    expect(one(readDocument(other.text), "role-context")).toMatchObject({
      attributes: {},
      children: [{ name: "checklist" }],
    });
    expect(other.text).not.toContain("context-file");
    for (const role of [ROLE, "tester"]) expect(workspace.state(role)).toEqual({});
    // Of the hook commands that share a start one says it.
    const parts = [1, 2].map((part) => start(ROLE, `session-start --part ${part}/2`));
    expect(parts.map(({ stderr }) => stderr)).toEqual([other.stderr, ""]);
    expect(parts[0]?.text).toContain(way);
    const own = start("tester");
    expect(own.text).toContain('<role-context role="tester"');
    expect(own.text).not.toContain("of neither");
  });

  test("a title counts where it is a role, and nowhere else", () => {
    const workspace = project();
    workspace.role("tester");
    const server = startTmux(workspace);
    const env = { ...server.env, HIVEMIND_ROLE: ROLE };
    server.setTitle("my | notes");
    expect(workspace.context("lifecycle.save", { env }).code).toBe(0);
    server.setTitle("tester");
    expect(workspace.context("lifecycle.save", { env }).stderr).toContain(
      'the title of pane my session:0.0 says "tester"',
    );
    server.setRole(ROLE);
    expect(workspace.context("lifecycle.save", { env }).code).toBe(0);
  });
});

test("a compaction of a role that another session owns says so on stderr and to the summariser", () => {
  const workspace = project();
  workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "first" } });
  const input = '{"session_id":"second","trigger":"auto"}';
  const ran = workspace.context("pre-compact --guidance", { env: { HIVEMIND_ROLE: ROLE }, input });
  expect(ran.stderr).toContain("oosh-expert is owned by session first");
  expect(ran.stdout).toContain("The role oosh-expert is owned by another session (first)");
});

test("lifecycle.pre.compact takes a role over where it is told to", () => {
  const workspace = project();
  workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "first" } });
  const env = { CLAUDE_CODE_SESSION_ID: "second" };
  expect(workspace.context(`lifecycle.pre.compact ${ROLE} --take-over`, { env }).code).toBe(0);
  expect(workspace.state(ROLE)).toMatchObject({ SESSION_ID: "second" });
});
