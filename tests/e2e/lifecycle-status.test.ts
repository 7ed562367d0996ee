import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { contextText, INVALID_TEXTS } from "../helpers/context-text.ts";
import { haveMachines } from "../helpers/have-machines.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const OLD = "2026-01-02T03:04:05.678Z";

/** The shipped schema, as any other program would use it. */
const SCHEMA = z.fromJSONSchema(
  JSON.parse(readFileSync(join(PROGRAM_ROOT, "schemas", "lifecycle_status_v1.json"), "utf8")),
);

function status(workspace: Workspace, ...words: readonly string[]) {
  const ran = workspace.context(["lifecycle.status", "--json", ...words]);
  const value: { roles?: { role: string; context?: unknown }[]; hidden?: number } = JSON.parse(ran.stdout);
  return { ran, value, names: (value.roles ?? []).map(({ role }) => role) };
}

/** Roles in every state; `stuck-one` has been compacting for days. */
function fleet(): Workspace {
  const workspace = makeWorkspace();
  for (const role of ["web-one", "web-two", "stuck-one", "broken", "plain"]) workspace.role(role);
  haveMachines(workspace, "a fleet with a session", () => {
    workspace.context("lifecycle.save web-one", { env: { CLAUDE_CODE_SESSION_ID: "aaaa-1111" } });
    for (const role of ["web-two", "stuck-one", "plain"]) workspace.context(`lifecycle.init ${role}`);
  });
  workspace.setState("stuck-one", { CURRENT: "compacting", SINCE: OLD });
  workspace.role("web-two", INVALID_TEXTS.title);
  workspace.write("session/stateMachines/broken.states.env", "rubbish");
  return workspace;
}

test("roles stand in one order everywhere, that of their names, whatever their files are called", () => {
  const workspace = makeWorkspace();
  const roles = ["a", "a-b", "a-b-c", "a0", "ab"];
  for (const role of roles) workspace.role(role);
  expect(workspace.context("lifecycle.status").stderr).toContain(`A context file but no machine: ${roles.join(", ")}.`);
  for (const role of roles) workspace.context(`lifecycle.init ${role}`);
  expect(status(workspace).names).toEqual(roles);
  expect(workspace.context("recover").stderr).toContain(`Roles that exist: ${roles.join(", ")}.`);
});

test("an agent is told that its HIVEMIND_ROLE picks no row, each time", () => {
  const workspace = makeWorkspace();
  for (const role of ["ab", "tester"]) workspace.context(`lifecycle.init ${role}`);
  const env = { HIVEMIND_ROLE: "tester" };
  for (const command of ["lifecycle.status", "lifecycle.status", "lifecycle.status --json"]) {
    const ran = workspace.context(command, { env });
    expect(ran.stdout).toMatch(/\bab\b.*\btester\b/s);
    expect(ran.stderr).toContain("HIVEMIND_ROLE is tester; without an argument, all roles are shown.\n");
  }
  expect(workspace.context("lifecycle.status ab", { env }).stderr).toBe("");
});

describe("lifecycle.status --json", () => {
  test("is what the shipped schema says, whatever there is to tell", () => {
    const workspaces = [makeWorkspace(), fleet()];
    for (const workspace of workspaces) {
      for (const words of [
        [],
        ["--unsaved"],
        ["--brief"],
        ["--filter", "state=saved"],
        ["web-one"],
        ["nobody"],
        ["--filter", "x"],
      ]) {
        expect(SCHEMA.parse(status(workspace, ...words).value)).toMatchObject({ schema_version: 1 });
      }
    }
    // A check that cannot fail is none.
    expect(SCHEMA.safeParse({ schema_version: 1, ok: true, roles: [{ role: "x" }] }).success).toBe(false);
  });

  test("of a stuck role says why and what to do", () => {
    expect(status(fleet(), "stuck-one").value).toMatchObject({
      roles: [
        {
          stuck: true,
          stuck_reason: "too-long",
          stuck_because: "the compaction never ended, or its end was not reported",
          way_out: "lifecycle.recover stuck-one",
        },
      ],
    });
  });

  test("says whether the owner's client still runs, and a compaction that it left behind is stuck", () => {
    const workspace = makeWorkspace();
    workspace.role("tester");
    const client = workspace.write(
      "bin/claude",
      "#!/bin/sh\nCLAUDE_CODE_SESSION_ID=abc ./context lifecycle.save tester >&2\n./context lifecycle.status tester --json\n:\n",
    );
    chmodSync(client, 0o755);
    const inside: unknown = JSON.parse(runProgram(client, [], { cwd: workspace.root }).stdout);
    expect(inside).toMatchObject({ roles: [{ owner: { session_id: "abc", alive: true, pid: expect.any(Number) } }] });
    expect(status(workspace).value).toMatchObject({ roles: [{ owner: { alive: false }, stuck: false }] });
    expect(workspace.context("lifecycle.status").stdout).toMatch(/OWNER\n.* abc \(ended\)\n$/);
    workspace.setState("tester", { CURRENT: "compacting" });
    expect(status(workspace).value).toMatchObject({ roles: [{ stuck: true, stuck_reason: "owner-gone" }] });
    expect(workspace.context("lifecycle.status").stderr).toContain("the client of its owner, session abc, has ended");
    // What is shown as stuck is what the next command frees.
    expect(workspace.context("lifecycle.save tester").code).toBe(0);
  });
});

describe("--filter", () => {
  test.each([
    ["state=saved", ["web-one"]],
    ["state=saved,stuck", ["stuck-one", "web-one"]],
    ["state=unreadable", ["broken"]],
    ["role=web-*", ["web-one", "web-two"]],
    ["role=*-one state=saved", ["web-one"]],
    ["role=*e*e*", ["web-one"]],
    ["role=plain,broken", ["broken", "plain"]],
    ["owner=aaaa", ["web-one"]],
    ["owner=unknown", ["web-one"]],
    ["owner=none state=active", ["plain", "web-two"]],
    ["owner=ended", []],
  ])("%s leaves %j", (filter, left) => {
    const found = status(fleet(), "--filter", filter);
    expect(found.names).toEqual(left);
    expect(found.value.hidden).toBe(5 - left.length);
  });

  test("hides what is wrong with a role that it hides", () => {
    expect(fleet().context(["lifecycle.status", "--filter", "state=saved"])).toMatchObject({ code: 0, stderr: "" });
    const none = fleet().context(["lifecycle.status", "--filter", "owner=ended"]);
    expect(none).toMatchObject({ code: 0, stdout: "None of 5 roles fits the filter.\n" });
  });

  test.each([
    ["saved", 'found "saved"'],
    ["state=", 'found "state="'],
    ["state=savd", 'Did you mean "saved"?'],
    ["stat=saved", 'Did you mean "state"?'],
  ])("refuses %j", (filter, said) => {
    const ran = makeWorkspace().context(["lifecycle.status", "--filter", filter]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(said);
  });
});

describe("--unsaved", () => {
  /** A role whose owner's transcript tells of work a minute before the save and after it. */
  function worked(change: (log: SessionLog, workspace: Workspace) => void): Workspace {
    const workspace = makeWorkspace();
    workspace.role("tester");
    workspace.context("lifecycle.save tester", { env: { CLAUDE_CODE_SESSION_ID: "abc-1" } });
    // The log's clock begins at 14:00 and gives each row a minute.
    workspace.setState("tester", { SAVED_AT: "2026-01-03T14:02:30.000Z" });
    const log = new SessionLog(workspace.root).prompt("go");
    change(log, workspace);
    workspace.write("client/projects/any/abc-1.jsonl", log.text());
    return workspace;
  }
  const look = (workspace: Workspace, ...words: readonly string[]) =>
    workspace.context(["lifecycle.status", ...words], { env: { CLAUDE_CONFIG_DIR: workspace.path("client") } });

  test("lists the files changed after the save, the newest first, and not the context file", () => {
    const workspace = worked((log, { path }) =>
      log
        .edit(path("before.ts"))
        .edit(path("src/one.ts"))
        .edit(path("session/agents/tester.context.md"))
        .write(path("src/two.ts"))
        .read(path("src/three.ts")),
    );
    const json: unknown = JSON.parse(look(workspace, "--unsaved", "--json").stdout);
    expect(json).toMatchObject({
      roles: [{ unsaved_work: { files: ["src/two.ts", "src/one.ts"], complete: true, why: null } }],
    });
    expect(look(workspace, "tester", "--unsaved").stdout).toMatch(/UNSAVED\n.* 2 files\n$/);
    expect(look(workspace).stdout).not.toContain("UNSAVED");
  });

  test("tells nothing to do from not known", () => {
    const nothing = worked((log, { path }) => log.edit(path("before.ts")));
    expect(JSON.parse(look(nothing, "--unsaved", "--json").stdout)).toMatchObject({
      roles: [{ unsaved_work: { files: [], complete: true, why: null } }],
    });
    const workspace = makeWorkspace();
    workspace.role("tester");
    const why = () => JSON.parse(look(workspace, "--unsaved", "--json").stdout).roles[0].unsaved_work;
    workspace.context("lifecycle.init tester");
    expect(why()).toEqual({ files: null, complete: false, why: "no-save" });
    workspace.context("lifecycle.save tester");
    expect(why()).toEqual({ files: null, complete: false, why: "no-owner" });
    workspace.context("lifecycle.save tester", { env: { CLAUDE_CODE_SESSION_ID: "gone" } });
    expect(why()).toEqual({ files: null, complete: false, why: "no-transcript" });
  });
});

test("--brief says the same of the machines, and looks at no context file", () => {
  const workspace = fleet();
  const full = status(workspace).value.roles ?? [];
  const brief = status(workspace, "--brief").value.roles ?? [];
  expect(brief).toEqual(full.map(({ context: _context, ...role }) => role));
  const text = workspace.context("lifecycle.status --brief").stdout;
  expect(text).toMatch(/^ROLE +STATE +SINCE +COMPACTIONS\n/);
});

describe("a fleet", () => {
  test("is remembered, and every change of a file is seen all the same", async () => {
    const workspace = makeWorkspace();
    const names = Array.from({ length: 60 }, (_, index) => `role-${String(index).padStart(2, "0")}`);
    for (const role of names) workspace.role(role, contextText({ role }));
    workspace.context("lifecycle.save role-00");
    const env = workspace.read("session/stateMachines/role_00.states.env");
    for (const role of names.slice(1)) {
      const own = env.replaceAll("role-00", role).replaceAll("role_00", role.replace("-", "_"));
      workspace.write(`session/stateMachines/${role.replace("-", "_")}.states.env`, own);
    }
    // What changed shortly before is not remembered.
    await setTimeout(2100);
    const cold = status(workspace).value;
    expect(workspace.list("session/.cache")).toEqual(["status-json.memo", "status.json"]);
    expect(workspace.read("session/.cache/status.json")).toContain('"role-59"');
    expect(status(workspace).value).toEqual(cold);
    workspace.role("role-07", INVALID_TEXTS.title);
    workspace.context("lifecycle.recover role-08");
    const changed = status(workspace);
    expect(changed.value.roles?.[7]).toMatchObject({ context: { health: "invalid" } });
    expect(changed.value.roles?.[8]).toMatchObject({ state: "active" });
    // Without the context files it is the same of the machines, remembered or changed since.
    workspace.context("lifecycle.recover role-09");
    const brief = status(workspace, "--brief").value.roles ?? [];
    expect(brief[9]).toMatchObject({ state: "active" });
    expect(brief.map((role) => ({ ...role, context: undefined }))).toEqual(
      status(workspace).value.roles?.map((role) => ({ ...role, context: undefined })),
    );
    workspace.context("lifecycle.save role-09");
    const settled = status(workspace);
    // Whatever stands in it: it is a stranger's.
    for (const text of [
      "rubbish",
      "[]",
      workspace.read("session/.cache/status.json").replaceAll('"saved"', '"asleep"'),
    ]) {
      workspace.write("session/.cache/status.json", text);
      expect(status(workspace).value).toEqual(settled.value);
    }
  });
});
