import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { keptServer, redisMissing } from "../helpers/redis-server.ts";
import { startProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const NOTES = "session/.cache/pending-transitions";
const missing = redisMissing();
const start = (session: string, source: string) =>
  `echo '{"session_id":"${session}","hook_event_name":"SessionStart","source":"${source}"}' | ./context session-start >/dev/null`;

/** Starts shell lines below a process that is called as the client is. */
function inClient(workspace: Workspace, name: string, lines: readonly string[], env: Readonly<Record<string, string>>) {
  const client = workspace.write(`${name}/claude`, `#!/bin/sh\n${lines.join("\n")}\n:\n`);
  chmodSync(client, 0o755);
  return startProgram(client, [], { cwd: workspace.root, env });
}

/** Waits until a file is there. */
async function until(workspace: Workspace, name: string): Promise<void> {
  while (!workspace.exists(name)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.skipIf(missing !== null)(`while the store is away${missing === null ? "" : `: ${missing}`}`, () => {
  const owner = (workspace: Workspace, env: Readonly<Record<string, string>>): string =>
    JSON.parse(workspace.context("lifecycle.status --json", { env }).stdout).roles[0].owner.session_id;

  test("a session that follows its owner is noted, and has the role as soon as anybody reaches the store", async () => {
    const server = await keptServer();
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    const env = { ...server.env, HIVEMIND_ROLE: ROLE };
    const lines = [
      `CLAUDE_CODE_SESSION_ID=first ./context lifecycle.save ${ROLE}; touch saved`,
      "while [ ! -e away ]; do sleep 0.05; done",
      `${start("second", "clear")}; touch begun`,
      "while [ ! -e over ]; do sleep 0.05; done",
    ];
    const client = inClient(workspace, "client", lines, env);
    await until(workspace, "saved");
    await server.kill();
    workspace.write("away", "");
    await until(workspace, "begun");
    expect(workspace.list(NOTES)).toHaveLength(1);
    await server.again();
    const told = workspace.context("lifecycle.status", { env: server.env });
    expect(told.stderr).toContain("1 step that had been noted is told to the store.");
    expect(owner(workspace, server.env)).toBe("second");
    expect(workspace.list(NOTES)).toEqual([]);
    const history = workspace.context(`lifecycle.history ${ROLE} --json`, { env: server.env });
    expect(JSON.parse(history.stdout).entries).toHaveLength(2);
    workspace.write("over", "");
    expect((await client.ended).code).toBe(0);
  });

  test("one in another client, whose role another has, is noted and changes nothing", async () => {
    const server = await keptServer();
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    const env = { ...server.env, HIVEMIND_ROLE: ROLE };
    const save = `CLAUDE_CODE_SESSION_ID=first ./context lifecycle.save ${ROLE}; touch saved`;
    const first = inClient(workspace, "client", [save, "while [ ! -e over ]; do sleep 0.05; done"], env);
    await until(workspace, "saved");
    await server.kill();
    const other = inClient(workspace, "other", [start("second", "clear")], env);
    expect((await other.ended).stderr).toContain("what happens to the role is noted");
    await server.again();
    expect(owner(workspace, server.env)).toBe("first");
    expect(workspace.list(NOTES)).toEqual([]);
    workspace.write("over", "");
    await first.ended;
  });

  test("a role without a machine gets none by a start", async () => {
    const server = await keptServer();
    const workspace = makeWorkspace();
    const env = { ...server.env, HIVEMIND_ROLE: ROLE };
    await server.kill();
    await inClient(workspace, "client", [start("first", "clear")], env).ended;
    await server.again();
    expect(workspace.context("lifecycle.status", { env: server.env }).stdout).toBe("No role has a machine yet.\n");
    expect(workspace.list(NOTES)).toEqual([]);
  });
});
