import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAM_ROOT } from "../../helpers/program-under-test.ts";
import { startProgram } from "../../helpers/run-program.ts";
import { makeWorkspace } from "../../helpers/workspace.ts";
import { COMMANDS, expectManners, makeProject, ROLE } from "./commands.ts";
import { expectWhole, filesBelow } from "./files.ts";

const HOOKS = Object.entries(COMMANDS).filter(([, { hook }]) => hook !== undefined);

test.each(HOOKS)("%s answers though nobody ever closes its standard input", async (_name, command) => {
  const workspace = makeProject(command);
  const { child, ended } = workspace.start(command.words, { cwd: workspace.root, env: { HIVEMIND_ROLE: ROLE } });
  child.stdin?.write(command.input?.(workspace) ?? "");
  expectManners(await ended, command, "open input");
});

test.each(HOOKS)(
  "%s answers a gigabyte of input, which it takes off the client's hands for a second at most",
  async (_name, command) => {
    const workspace = makeProject(command);
    const { child, ended } = workspace.start(command.words, { cwd: workspace.root, env: { HIVEMIND_ROLE: ROLE } });
    const chunk = Buffer.alloc(1024 * 1024, 97);
    let sent = 0;
    const feed = () => {
      while (sent < 1024 && child.stdin?.writable) {
        sent += 1;
        if (!child.stdin.write(chunk)) return child.stdin.once("drain", feed);
      }
      return child.stdin?.end();
    };
    feed();
    expectManners(await ended, command, "a gigabyte");
  },
);

test.each(["pre-compact", "session-start", "gate"])(
  "%s that has nothing to do takes its payload off the client's hands: a pipe closed unread is an error there",
  async (name) => {
    const workspace = makeWorkspace();
    const program = join(PROGRAM_ROOT, "bin", "context.js");
    for (const [words, env] of [
      [[name, "--no-such-option"], {}],
      [[name], { CONTEXT_DISABLED: "1" }],
    ] as const) {
      const { child, ended } = startProgram(process.execPath, [program, ...words], { cwd: workspace.root, env });
      let failure: Error | null = null;
      child.stdin?.on("error", (error) => {
        failure = error;
      });
      child.stdin?.end(JSON.stringify({ hook_event_name: "PreToolUse", text: "a".repeat(1024 * 1024) }));
      expect(await ended).toMatchObject({ code: 0, signal: null });
      expect(failure).toBeNull();
    }
  },
);

test.each(Object.entries(COMMANDS))("%s does not mind that nobody reads what it prints", async (_name, command) => {
  const workspace = makeProject(command);
  const before = filesBelow(workspace.root);
  const { child, ended } = workspace.start(command.words, { cwd: workspace.root, env: { HIVEMIND_ROLE: ROLE } });
  child.stdout?.destroy();
  child.stdin?.end(command.input?.(workspace) ?? "");
  const ran = await ended;
  expect(ran.stderr).not.toMatch(/fault of|EPIPE/);
  expect(ran.signal).toBeNull();
  if (command.hook !== undefined) expect(ran.code).toBe(0);
  expectWhole(before, filesBelow(workspace.root), "closed output");
});

test.each(Object.entries(COMMANDS))("%s, asked to end at any time, leaves whole files", async (_name, command) => {
  const workspace = makeProject(command);
  for (const wait of [20, 60, 100]) {
    const before = filesBelow(workspace.root);
    const { child, ended } = workspace.start(command.words, { cwd: workspace.root, env: { HIVEMIND_ROLE: ROLE } });
    child.stdin?.end(command.input?.(workspace) ?? "");
    setTimeout(() => child.kill("SIGTERM"), wait);
    await ended;
    expectWhole(before, filesBelow(workspace.root), `SIGTERM after ${wait} ms`);
  }
});

test("a session that was forked gets its own document, and the first one's state stays", () => {
  const command = COMMANDS["session-start"];
  if (command === undefined) throw new Error("no such command");
  const workspace = makeProject(command);
  const first = workspace.context(["pre-compact"], { input: COMMANDS["pre-compact"]?.input?.(workspace) ?? "" });
  expect(first.code).toBe(0);
  const before = filesBelow(workspace.root);
  const input = JSON.stringify({
    session_id: "f0f0f0f0-0000-4000-8000-000000000002",
    hook_event_name: "SessionStart",
    source: "fork",
    cwd: workspace.root,
  });
  const forked = workspace.context(["session-start"], { input });
  expectManners(forked, command, "fork");
  expect(forked.stdout).toContain("nexus-context");
  expectWhole(before, filesBelow(workspace.root), "fork");
});
