import { describe, expect, test } from "vitest";
import { startAgent } from "../helpers/agent-pane.ts";
import { keptServer, redisMissing } from "../helpers/redis-server.ts";
import { HAS_TMUX } from "../helpers/tmux-server.ts";
import { MACHINES, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const missing = redisMissing();

describe.skipIf(missing !== null || !HAS_TMUX)(
  `a pane's round over a server${missing === null ? "" : `: ${missing}`}`,
  () => {
    function project(): Workspace {
      const workspace = makeWorkspace();
      workspace.role(ROLE);
      return workspace;
    }

    test("is the same as over files", async () => {
      const server = await keptServer();
      const workspace = project();
      const pane = await startAgent(workspace, ROLE, "obeys", { env: server.env });
      pane.tmux("set-option", "-p", "-t", pane.id, "@role", ROLE);
      const env = { ...pane.env, ...server.env };
      const ran = await workspace.start(["lifecycle.compact", ROLE, "--json"], { cwd: workspace.root, env }).ended;
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, state: "recovering", compactions: 1 });
      expect(pane.lines().at(-1)).toBe("/compact");
      expect(workspace.list(MACHINES)).toEqual([]);
    });

    test("goes on where the server was away while the agent was waited for", async () => {
      const server = await keptServer();
      const workspace = project();
      // It does nothing by itself: what an agent does is done here, when the server is there.
      const pane = await startAgent(workspace, ROLE, "deaf", { env: server.env });
      pane.tmux("set-option", "-p", "-t", pane.id, "@role", ROLE);
      const env = { ...pane.env, ...server.env };
      const round = workspace.start(["lifecycle.compact", ROLE], { cwd: workspace.root, env });
      let said = "";
      round.child.stderr?.on("data", (chunk) => {
        said += String(chunk);
      });
      await pane.until(() => pane.lines().length === 1);
      await server.kill();
      await pane.until(() => said.includes("; trying again for 10 min.\n"));
      await server.again();
      await pane.until(() => said.includes(" is back after "));
      const agent = { ...server.env, HIVEMIND_ROLE: ROLE };
      expect(workspace.context(`lifecycle.save ${ROLE}`, { env: agent }).code).toBe(0);
      await pane.until(() => pane.lines().at(-1) === "/compact");
      const payload = (more: object): string => JSON.stringify({ session_id: "s", ...more });
      workspace.context("pre-compact", { env: agent, input: payload({ trigger: "manual" }) });
      workspace.context("session-start", { env: agent, input: payload({ source: "compact" }) });
      expect(await round.ended).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/ recover +\S+ s {2}oosh-expert is recovering\n$/),
      });
    });

    test("is not begun where the server is not there", async () => {
      const server = await keptServer();
      await server.kill();
      const ran = project().context(`lifecycle.compact ${ROLE}`, { env: server.env });
      expect(ran).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining("refuses the connection") });
    });
  },
);
