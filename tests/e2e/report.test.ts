import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DAY, historyOf, historyText } from "../helpers/history-lines.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const NOW = "--now 2026-02-04T00:00Z";

/** A role that lived through the fixtures' day in session s1, and the client's transcript of it. */
function lived(): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.context(`lifecycle.init ${ROLE}`);
  const history = historyOf(DAY.map(([at, event, to]) => [at, event, to, { session_id: "s1" }]));
  workspace.write("session/stateMachines/oosh_expert.history.jsonl", historyText(history));
  workspace.setState(ROLE, { CURRENT: "active", REVISION: "7", SINCE: "2026-02-03T13:00:00.000Z", COMPACTIONS: "1" });
  const mark = {
    type: "system",
    subtype: "compact_boundary",
    timestamp: "2026-02-03T12:30:01.000Z",
    compactMetadata: { trigger: "auto", preTokens: 199081 },
  };
  workspace.write("home/.claude/projects/x/s1.jsonl", `{"type":"user"}\n${JSON.stringify(mark)}\n`);
  return workspace;
}

const report = (workspace: Workspace, words: string) =>
  workspace.context(["report", ...words.split(" ").filter((word) => word !== "")], {
    env: { HOME: workspace.path("home") },
  });

describe("report", () => {
  test("the same files and the same time give the same bytes, in a file and on standard output", () => {
    const workspace = lived();
    expect(report(workspace, `--out a.html ${NOW}`)).toMatchObject({ code: 0, stderr: "" });
    const { stdout } = report(workspace, `--out - ${NOW}`);
    expect(stdout).toBe(workspace.read("a.html"));
    expect(report(workspace, "--out - --now newest").stdout).toBe(report(workspace, "--out - --now newest").stdout);
    expect(stdout).not.toContain(workspace.root);
  });

  test("tokens come from the client's transcript; what it does not say is unknown", () => {
    const data = JSON.parse(report(lived(), `${NOW} --json`).stdout);
    expect(data).toMatchObject({ ok: true, schema_version: 1, now: "2026-02-04T00:00:00.000Z" });
    expect(data.roles[0].compactions).toEqual([
      {
        at: "2026-02-03T12:00:00.000Z",
        from: "saved",
        outcome: "done",
        trigger: "auto",
        tokens_before: 199081,
        tokens_after: null,
      },
    ]);
  });

  test("without a place named it lies in the cache, and replaces itself", () => {
    const workspace = lived();
    expect(report(workspace, "").stdout).toMatch(/^session\/\.cache\/report\.html: 1 role, [0-9]+ kB\n$/);
    expect(report(workspace, "").code).toBe(0);
    expect(workspace.list("session/.cache")).toEqual(["report.html"]);
  });

  test("where the cache is a link out of the project it lies nowhere, unless its place is named", () => {
    const workspace = lived();
    const other = makeWorkspace();
    symlinkSync(other.root, workspace.path("session/.cache"));
    const refused = report(workspace, "");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("session/.cache/report.html is a link that leads out of ");
    expect(other.exists("report.html")).toBe(false);
    expect(report(workspace, "--out session/.cache/report.html").code).toBe(0);
    expect(other.exists("report.html")).toBe(true);
  });

  test("a save says how large its context file was", () => {
    const workspace = lived();
    workspace.context(`lifecycle.save ${ROLE}`);
    const size = Buffer.byteLength(workspace.read(`session/agents/${ROLE}.context.md`));
    workspace.role(ROLE, `${workspace.read(`session/agents/${ROLE}.context.md`)}\nmore\n`);
    expect(report(workspace, "--out -").stdout).toContain(`>${size} B</td>`);
  });

  test("another's file is not replaced without --force, nor a link or a folder followed", () => {
    const workspace = lived();
    workspace.write("mine.html", "<p>mine\n");
    const refused = report(workspace, "--out mine.html");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("--force");
    expect(workspace.read("mine.html")).toBe("<p>mine\n");
    expect(report(workspace, "--out mine.html --force").code).toBe(0);
    expect(workspace.read("mine.html")).toContain("agent-context report");
    const slip = report(workspace, "--out reprots/a.html --force");
    expect(slip).toMatchObject({ code: 1, stdout: "" });
    expect(slip.stderr).toContain("reprots/a.html is not written: there is no folder reprots.\n  Make the folder");
    expect(workspace.exists("reprots")).toBe(false);
    expect(report(workspace, "--out session --force").code).toBe(1);
    const other = makeWorkspace();
    other.write("target.html", "theirs\n");
    symlinkSync(other.path("target.html"), workspace.path("link.html"));
    expect(report(workspace, "--out link.html --force").code).toBe(1);
    expect(other.read("target.html")).toBe("theirs\n");
  });

  test("a state and a history that cannot be read are named, and the other roles are there", () => {
    const workspace = lived();
    workspace.write(machineFile("broken"), "nonsense\n");
    const ran = report(workspace, `--out - ${NOW}`);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("broken.states.env");
    expect(ran.stdout).toContain("unreadable");
    expect(ran.stdout).toContain("199\u202f081");
  });

  test.each([
    "--since yesterday",
    "--since 500d",
    "--now soon",
    "--since 2030-01-01 --now 2026-02-04T00:00Z",
    "--out - --json",
  ])("%s is a usage error", (words) => expect(report(lived(), words).code).toBe(2));
});
