import { once } from "node:events";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { type RunOptions, runProgram, startProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const PROGRAM = join(PROGRAM_ROOT, "bin", "context.js");

/** A Node that says that it is an old one, as the system's own is on many machines. */
function withOldNode(): { workspace: Workspace; env: Readonly<Record<string, string>> } {
  const workspace = makeWorkspace();
  const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.19.0" } });';
  return { workspace, env: { NODE_OPTIONS: `--require "${workspace.write("an old/one.cjs", old)}"`, HOME: "/none" } };
}

describe.each(["lifecycle.status", "validate.all", "doctor", "--help", "lifecycle.sav"])(
  "where no newer Node is, %s",
  (word) => {
    test("says what is needed and what there is, and is no fault to be reported", () => {
      const { workspace, env } = withOldNode();
      const ran = runProgram(process.execPath, [PROGRAM, word], {
        cwd: workspace.root,
        env: { ...env, CONTEXT_NODE: process.execPath },
      });
      expect(ran).toMatchObject({ code: 70, stdout: "" });
      expect(ran.stderr).toMatch(
        /^context: Node\.js 20 or later is needed, and \/.* is node v.*CONTEXT_NODE may name .*\n$/,
      );
    });
  },
);

test("where no newer Node is, --json is answered with JSON", () => {
  const { workspace, env } = withOldNode();
  const options = { cwd: workspace.root, env: { ...env, CONTEXT_NODE: process.execPath } };
  const ran = runProgram(process.execPath, [PROGRAM, "lifecycle.status", "--json"], options);
  expect(JSON.parse(ran.stdout)).toMatchObject({ schema_version: 1, ok: false, error: { code: "node_too_old" } });
});

test.each(["pre-compact", "session-start", "gate"])(
  "where no newer Node is, %s leaves the client alone and reads what it sends",
  (hook) => {
    const { workspace, env } = withOldNode();
    const ran = runProgram(process.execPath, [PROGRAM, hook], {
      cwd: workspace.root,
      env: { ...env, CONTEXT_NODE: process.execPath },
      input: JSON.stringify({ session_id: "s", padding: "x".repeat(300_000) }),
    });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(/^context: Node\.js 20 or later is needed.*\n$/);
    expect(workspace.exists("session/.cache")).toBe(false);
  },
);

/** As nvm keeps it; what makes the first one old is not handed on to it. */
function withNewerNode(): { workspace: Workspace; options: RunOptions } {
  const { workspace, env } = withOldNode();
  const home = workspace.path("a home");
  const node = workspace.write(
    "a home/.nvm/versions/node/v22.1.0/bin/node",
    `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' "$@"\n`,
  );
  chmodSync(node, 0o755);
  return { workspace, options: { cwd: workspace.root, env: { ...env, HOME: home } } };
}

describe.skipIf(process.platform === "win32")("where an installer keeps a newer Node, it does the work", () => {
  test("with the words, the answer and the exit code of the command", () => {
    const { workspace, options } = withNewerNode();
    const run = (...words: string[]) => runProgram(process.execPath, [PROGRAM, ...words], options);
    expect(run("lifecycle.init", "tester")).toMatchObject({ code: 0, stdout: expect.stringContaining("tester") });
    expect(run("lifecycle.sav")).toMatchObject({ code: 2, stderr: expect.stringContaining("lifecycle.save") });
    expect(workspace.exists("session/stateMachines/tester.states.env")).toBe(true);
  });

  test("with what a hook is sent", () => {
    const { options } = withNewerNode();
    const input = JSON.stringify({ session_id: "s", source: "startup", cwd: options.cwd });
    const ran = runProgram(process.execPath, [PROGRAM, "session-start", "--print"], { ...options, input });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("<nexus-context ") });
  });

  test("until either is ended", async () => {
    const { options } = withNewerNode();
    const { child, ended } = startProgram(
      process.execPath,
      [PROGRAM, "lifecycle.wait", "tester", "--for", "saved"],
      options,
    );
    child.stderr?.once("data", () => child.kill("SIGTERM"));
    expect(await ended).toMatchObject({ signal: "SIGTERM" });
    // Both hold it: it is closed when the second one has gone, too.
    if (child.stderr?.closed === false) await once(child.stderr, "close", { signal: AbortSignal.timeout(20_000) });
  });
});
