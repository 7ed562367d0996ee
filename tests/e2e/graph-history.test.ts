import { rmSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DAY, historyOf, historyText } from "../helpers/history-lines.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const HISTORY = "session/stateMachines/oosh_expert.history.jsonl";

/** A role that has gone through the day of the fixtures. */
function lived(more: { readonly by?: string } = {}): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.context(`lifecycle.init ${ROLE}`);
  workspace.write(HISTORY, historyText(historyOf(DAY.map(([at, event, to]) => [at, event, to, more]))));
  workspace.setState(ROLE, { CURRENT: "active", REVISION: "7", SINCE: "2026-02-03T13:00:00.000Z" });
  return workspace;
}

const json = (workspace: Workspace, words: string) => JSON.parse(workspace.context(`${words} --json`).stdout);

describe("lifecycle.history", () => {
  test.each(["lifecycle.history oosh-expert", "lifecycle.export"])(
    "%s says of a history that is too large what can be done, and not to recover from it",
    (words) => {
      const workspace = lived();
      truncateSync(workspace.path(HISTORY), 300 * 1024 * 1024);
      const ran = workspace.context(words);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain(`${HISTORY} holds 314572800 bytes, expected at most`);
      expect(ran.stderr).toContain("Move it away: the history begins anew");
      expect(ran.stderr).not.toContain("lifecycle.recover");
      rmSync(workspace.path(HISTORY));
      expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
      expect(workspace.context(words).code).toBe(0);
    },
  );

  test("--since and --limit leave out what is older, and say so", () => {
    const workspace = lived();
    const since = json(workspace, `lifecycle.history ${ROLE} --since 2026-02-03T12:15Z`);
    expect(since.entries.map((entry: { revision: number }) => entry.revision)).toEqual([6, 7]);
    expect(since).toMatchObject({ schema_version: 1, ok: true, since: "2026-02-03T12:15:00.000Z", total: 7 });
    const limit = workspace.context(`lifecycle.history ${ROLE} --limit 2`);
    expect(limit.stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(limit.stderr).toContain("The newest 2 of 7 transitions.");
    const none = workspace.context(`lifecycle.history ${ROLE} --since 1h`);
    expect(none).toMatchObject({ code: 0, stdout: `${ROLE} has made no transition in this time; 7 before it.\n` });
  });

  test.each(["--since yesterday", "--since 2026-02-30", "--limit 0", "--limit ten"])("%s is a usage error", (words) => {
    expect(lived().context(`lifecycle.history ${ROLE} ${words}`)).toMatchObject({ code: 2, stdout: "" });
  });

  test("an overlong text of a stranger makes no table of megabytes; the JSON has it whole", () => {
    const by = "x".repeat(1_000_000);
    const workspace = lived({ by });
    expect(workspace.context(`lifecycle.history ${ROLE}`).stdout.length).toBeLessThan(3000);
    expect(json(workspace, `lifecycle.history ${ROLE}`).entries[0].by).toBe(by);
  });
});

describe("lifecycle.graph", () => {
  test("without a role it is the machine that the README shows", () => {
    const workspace = makeWorkspace();
    const ran = workspace.context("lifecycle.graph");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^stateDiagram-v2\n {4}\[\*\] --> active\n/);
    expect(ran.stdout).not.toContain("classDef");
  });

  test("a role's state is marked, for people and for machines", () => {
    const workspace = lived();
    workspace.setState(ROLE, { CURRENT: "saved" });
    expect(workspace.context(`lifecycle.graph ${ROLE}`).stdout).toMatch(/ {4}class saved current\n$/);
    const data = json(workspace, `lifecycle.graph ${ROLE}`);
    expect(data).toMatchObject({ role: ROLE, state: "saved" });
    expect(data.nodes.filter((node: { current: boolean }) => node.current)).toEqual([
      { id: "saved", initial: false, current: true },
    ]);
    expect(data.edges).toContainEqual({ from: "saved", to: "active", events: ["RESUME", "RECOVERED"] });
    const env = workspace.context("lifecycle.graph", { env: { HIVEMIND_ROLE: ROLE } });
    expect(env.stdout).toContain("class saved current");
    expect(env.stderr).toContain("from HIVEMIND_ROLE");
  });

  test("--gantt draws a day of all roles, those that cannot be read named", () => {
    const workspace = lived();
    workspace.write(machineFile("broken"), "nonsense\n");
    const ran = workspace.context("lifecycle.graph --gantt --day 2026-02-03");
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("    section oosh-expert\n    saving :t1, 2026-02-03 08:00:00.000");
    expect(ran.stderr).toContain("broken.states.env");
    const data = json(workspace, `lifecycle.graph ${ROLE} --gantt --day 2026-02-03`);
    expect(data).toMatchObject({ from: "2026-02-03T00:00:00.000Z", to: "2026-02-04T00:00:00.000Z" });
    expect(data.roles[0].intervals).toHaveLength(5);
  });

  test("--gantt without anything to draw says so and is no error", () => {
    const workspace = makeWorkspace();
    const ran = workspace.context("lifecycle.graph --gantt");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toBe("No role was in a state for long enough to be drawn in this time.\n");
  });

  test.each([
    "--day 2026-02-03",
    "--gantt --day tomorrow",
    "--gantt --since 24h --day 2026-02-03",
    "--gantt --day 2999-01-01",
  ])("%s is a usage error", (words) =>
    expect(lived().context(`lifecycle.graph ${words}`)).toMatchObject({ code: 2, stdout: "" }),
  );
});
