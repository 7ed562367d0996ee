import { createHash } from "node:crypto";
import { rmSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contextText, INVALID_TEXTS } from "../helpers/context-text.ts";
import { haveMachines } from "../helpers/have-machines.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const FILE = "session/agents/oosh-expert.context.md";
const STATES = ["active", "saving", "saved", "compacting", "recovering"];

/** A project whose role stands in a state, as the env file says it. */
function standing(state: string, more: Readonly<Record<string, string>> = {}): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  haveMachines(workspace, "one that has begun", () => workspace.context(`lifecycle.init ${ROLE}`));
  workspace.setState(ROLE, { CURRENT: state, SINCE: new Date().toISOString(), ...more });
  return workspace;
}

function hook(workspace: Workspace) {
  return workspace.context("pre-compact", { env: { HIVEMIND_ROLE: ROLE }, input: '{"session_id":"s1"}' });
}

/** What a command makes of each state: the way it says it went, and where the role stands after it. */
const STEPS: readonly [command: string, from: string, way: string, after: string][] = [
  ["lifecycle.save", "active", "active -> saving -> saved", "saved"],
  ["lifecycle.save", "saving", "saving -> saving -> saved", "saved"],
  ["lifecycle.save", "saved", "saved -> saving -> saved", "saved"],
  ["lifecycle.save", "recovering", "recovering -> saving -> saved", "saved"],
  ["lifecycle.pre.compact", "active", "active -> saving -> saved", "saved"],
  ["lifecycle.pre.compact", "saving", "saving -> saved", "saved"],
  ["lifecycle.pre.compact", "recovering", "recovering -> saving -> saved", "saved"],
  ...STATES.map((state): [string, string, string, string] => [
    "lifecycle.recover",
    state,
    `${state} -> active`,
    "active",
  ]),
];

describe("the machine, by its commands", () => {
  test.each(STEPS)("%s takes a role from %s by way of %s", (command, from, way, after) => {
    const workspace = standing(from);
    const ran = workspace.context(`${command} ${ROLE}`);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain(`${ROLE}: ${way}\n`);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: after });
    // One revision and one line of history for each arrow.
    const arrows = way.split(" -> ").length - 1;
    expect(workspace.state(ROLE).REVISION).toBe(String(arrows));
    expect(workspace.read("session/stateMachines/oosh_expert.history.jsonl").trimEnd().split("\n")).toHaveLength(
      arrows,
    );
  });

  test.each(["lifecycle.save", "lifecycle.pre.compact"])(
    "%s is refused while the client compacts, and what is allowed is named",
    (command) => {
      const workspace = standing("compacting");
      const before = workspace.read(machineFile(ROLE));
      const ran = workspace.context(`${command} ${ROLE}`);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain(
        'The machine is in "compacting" and does not take SAVE there; it takes COMPACTED, RECOVERED.',
      );
      expect(ran.stderr).toContain(`lifecycle.recover ${ROLE}`);
      expect(workspace.read(machineFile(ROLE))).toBe(before);
      const json: unknown = JSON.parse(workspace.context(`${command} ${ROLE} --json`).stdout);
      expect(json).toMatchObject({
        ok: false,
        error: { code: "event-refused" },
        state: "compacting",
        event: "SAVE",
        allowed: ["COMPACTED", "RECOVERED"],
      });
    },
  );

  // Esc, another's hook, or a model that fails: the client runs no hook then.
  test.each([
    ["lifecycle.save", ""],
    ["lifecycle.pre.compact", ""],
    // Which takes nothing from anybody where the role is its own.
    ["lifecycle.save", " --take-over"],
    ["lifecycle.pre.compact", " --take-over"],
  ])("%s%s by the agent itself tells that its compaction was given up", (command, option) => {
    const workspace = standing("active");
    const env = { CONTEXT_SESSION_ID: "s1" };
    workspace.context(`lifecycle.save ${ROLE}`, { env });
    hook(workspace);
    for (const other of [{}, { CONTEXT_SESSION_ID: "s2" }]) {
      expect(workspace.context(`${command} ${ROLE}${option}`, { env: other }).code).toBe(1);
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
    }
    const ran = workspace.context(`${command} ${ROLE}${option}`, { env });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(`${ROLE}: compacting -> active -> saving -> saved\n`);
    // It lost no memory: what was written before is not old.
    expect(ran.stdout).not.toContain("stale-context");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved" });
  });

  test.each(STATES)("recover brings a role back from %s and says from where", (state) => {
    const workspace = standing(state);
    const ran = workspace.context(`recover ${ROLE}`);
    expect(ran).toMatchObject({ code: 0, stderr: `${ROLE}: ${state} -> active.\n` });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", EVENT: "RECOVERED" });
  });

  test.each(STATES)("the client may compact in %s", (state) => {
    const workspace = standing(state);
    expect(hook(workspace)).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "0", COMPACTIONS: "1" });
  });

  test.each(STATES)(
    "the client may compact in %s with a context file that is not good, and that is on record",
    (state) => {
      const workspace = standing(state);
      workspace.role(ROLE, INVALID_TEXTS.title);
      const ran = hook(workspace);
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
      expect(ran.stderr).toContain("Context not saved: session/agents/oosh-expert.context.md has 1 error");
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting", UNSAVED: "1", COMPACTIONS: "1" });
    },
  );
});

describe("lifecycle.init", () => {
  test("creates a machine in active, once; a second time changes nothing, whoever asks", () => {
    const workspace = makeWorkspace();
    expect(workspace.context(`lifecycle.init ${ROLE}`).stdout).toBe(`${ROLE}: active. The machine is created.\n`);
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    const before = workspace.read(machineFile(ROLE));
    const again = workspace.context(`lifecycle.init ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "someone" } });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toBe(`${ROLE}: saved. The machine is already there; nothing is changed.\n`);
    expect(workspace.read(machineFile(ROLE))).toBe(before);
  });

  test("of a role that is stuck says that it is, and what frees it", () => {
    const workspace = makeWorkspace();
    workspace.context(`lifecycle.init ${ROLE}`);
    workspace.setState(ROLE, { CURRENT: "saving", SINCE: "2026-02-03T12:15:07.120Z" });
    const ran = workspace.context(`lifecycle.init ${ROLE}`);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe(`${ROLE}: saving (stuck). The machine is already there; nothing is changed.\n`);
    expect(ran.stderr).toMatch(
      /^oosh-expert is stuck in "saving" since .*; .*lifecycle\.repair oosh-expert frees it\.\n$/,
    );
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saving" });
  });
});

describe("lifecycle.save", () => {
  test("of a file that is not good stays in saving, prints the findings, and goes on once it is mended", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE, INVALID_TEXTS.title);
    workspace.context(`lifecycle.init ${ROLE}`);
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(`${ROLE}: active -> saving -> saving\n`);
    expect(ran.stdout).toMatch(/session\/agents\/oosh-expert\.context\.md:1:\d+ error title .*\n.*\n +\^+\n {2}hint: /);
    expect(ran.stderr).toContain('is not valid: 1 error. oosh-expert stays in "saving".');
    expect(ran.stderr).toContain("./context validate --fix oosh-expert");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saving", EVENT: "CONTEXT_INVALID" });
    expect(workspace.state(ROLE)).not.toHaveProperty("CONTEXT_SHA256");

    const json: unknown = JSON.parse(workspace.context(`lifecycle.save ${ROLE} --json`).stdout);
    expect(json).toMatchObject({
      ok: false,
      error: { code: "context-invalid" },
      state: "saving",
      context: { health: "invalid", errors: 1, findings: [{ code: "title" }] },
    });

    workspace.role(ROLE);
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0 });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved" });
  });

  test("of a file with an open merge stays in saving: whoever recovers would take up what either side says", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE, `${contextText({ role: ROLE })}\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> theirs\n`);
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("error merge-conflict Expected one version of the file, found two of a merge");
    expect(ran.stderr).toContain(`Mend what is listed above, then run ./context lifecycle.save ${ROLE}.`);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saving" });
    const told = workspace.context(`recover ${ROLE}`).stdout;
    expect(told).toContain("It is not valid: 1 error.\n");
    expect(told).toContain("<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> theirs\n");
  });

  test("of a missing file stays in saving where the role has a machine", () => {
    const workspace = makeWorkspace();
    workspace.context(`lifecycle.init ${ROLE}`);
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("session/agents/oosh-expert.context.md does not exist");
    expect(ran.stderr).toContain("new oosh-expert");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saving" });
  });

  test("of a missing file makes the machine too, and says so: that it was tried is to be seen", () => {
    const workspace = makeWorkspace();
    workspace.role("scrum-master");
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran).toMatchObject({ code: 1, stdout: `${ROLE}: active -> saving -> saving\n` });
    expect(ran.stderr).toContain(`${ROLE} had no machine; it is created.\n`);
    expect(ran.stderr).toContain("session/agents/oosh-expert.context.md does not exist");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saving", EVENT: "CONTEXT_INVALID" });
  });

  test("of the first role says which project it is made in: it may be the wrong folder", () => {
    const workspace = makeWorkspace();
    const { stderr } = workspace.context(`lifecycle.save ${ROLE}`);
    expect(stderr).toContain(
      `  The project is ${workspace.root}; -C names another. Write it: ./context new ${ROLE}.\n`,
    );
    workspace.role("scrum-master");
    expect(workspace.context(`lifecycle.save ${ROLE}`).stderr).toContain(`  Write it: ./context new ${ROLE}.\n`);
  });

  test("of a role that is misspelt names the one that was meant, and makes nothing", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.role("scrum-master");
    const ran = workspace.context("lifecycle.save oosh-exprt");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("Roles that exist: oosh-expert, scrum-master.");
    expect(ran.stderr).toContain('Did you mean "oosh-expert"?');
    expect(workspace.context("lifecycle.pre.compact oosh-exprt").stderr).toContain('Did you mean "oosh-expert"?');
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test("records the bytes that it validated", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    const bytes = workspace.read("session/agents/oosh-expert.context.md");
    expect(workspace.state(ROLE)).toMatchObject({ CONTEXT_SHA256: createHash("sha256").update(bytes).digest("hex") });
  });

  test("warns of a file that was not touched since the last recovery", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    workspace.context(`recover ${ROLE}`);
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/ warning stale-context .*last recovery at 2\d{3}-/);
    workspace.role(ROLE, contextText({ more: ["- news"] }));
    expect(workspace.context(`lifecycle.save ${ROLE}`).stdout).not.toContain("stale-context");
  });

  test("takes the role from HIVEMIND_ROLE where none is named, and says so", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    const ran = workspace.context("lifecycle.save", { env: { HIVEMIND_ROLE: ROLE } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("Role oosh-expert, from HIVEMIND_ROLE.");
    expect(workspace.context("lifecycle.save", { env: { HIVEMIND_ROLE: "Bad Role" } })).toMatchObject({ code: 2 });
  });
});

describe("a command that refuses a role of HIVEMIND_ROLE says where it came from", () => {
  const commands = ["lifecycle.init", "lifecycle.save", "lifecycle.pre.compact", "lifecycle.graph", "recover", "new"];

  test.each([...commands, "lifecycle.recover", "lifecycle.repair", "lifecycle.history"])("%s", (command) => {
    const workspace = makeWorkspace();
    workspace.role(ROLE, "");
    const machine = "session/stateMachines/oosh_expert.states.env";
    const newer = "STATE_SCHEMA=99\nSTATE_CURRENT=active\n";
    if (command !== "lifecycle.history") workspace.write(machine, newer);
    const env = { HIVEMIND_ROLE: ROLE };
    const ran = workspace.context(command, { env });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`Role ${ROLE}, from HIVEMIND_ROLE.\n`);
    const json = JSON.parse(workspace.context(`${command} --json`, { env }).stdout);
    expect(json).toMatchObject({ ok: false, notes: expect.arrayContaining([`Role ${ROLE}, from HIVEMIND_ROLE.`]) });
  });

  test("where another session owns it", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "theirs" } });
    const env = { HIVEMIND_ROLE: ROLE, CLAUDE_CODE_SESSION_ID: "mine" };
    const ran = workspace.context("lifecycle.save", { env });
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain("owned by session theirs");
    expect(ran.stderr).toContain(`Role ${ROLE}, from HIVEMIND_ROLE.\n`);
  });
});

describe("lifecycle.pre.compact", () => {
  test("of a role without a machine makes one that holds that its valid file is saved, and says so", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    const ran = workspace.context(`lifecycle.pre.compact ${ROLE}`);
    expect(ran).toMatchObject({ code: 0, stderr: `${ROLE} had no machine; it is created.\n` });
    expect(ran.stdout).toContain(`${ROLE}: active -> saving -> saved\n`);
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved" });
  });

  test.each([
    ["missing", null],
    ["not valid", INVALID_TEXTS.title],
  ])("of a role whose file is %s makes none", (_what, text) => {
    const workspace = makeWorkspace();
    if (text !== null) workspace.role(ROLE, text);
    expect(workspace.context(`lifecycle.pre.compact ${ROLE}`)).toMatchObject({ code: 1 });
    expect(workspace.list("session")).toEqual(["agents"]);
  });
});

describe("lifecycle.status", () => {
  test("is a table of all roles, each with the health of its context file", () => {
    const workspace = makeWorkspace();
    for (const role of ["a-valid", "b-invalid", "c-missing", "d-changed"]) {
      workspace.role(role);
      workspace.context(`lifecycle.save ${role}`);
    }
    workspace.role("b-invalid", contextText({ role: "b-invalid", title: "# Nothing" }));
    rmSync(workspace.path("session/agents/c-missing.context.md"));
    workspace.role("d-changed", contextText({ role: "d-changed", more: ["- news"], pane: "1.2 in elsewhere" }));
    workspace.role("e-without");
    const ran = workspace.context("lifecycle.status");
    expect(ran.code).toBe(0);
    const rows = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(["ROLE", "STATE", "SINCE", "CONTEXT", "UPDATED", "PANE", "COMPACTIONS"]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(rows.slice(1)).toEqual([
      ["a-valid", "saved", time, "valid", "2026-02-03T12:15Z", "0.4 in cursorOrchestrator", "0"],
      ["b-invalid", "saved", time, "1 error", "2026-02-03T12:15Z", "0.4 in cursorOrchestrator", "0"],
      ["c-missing", "saved", time, "missing", "-", "-", "0"],
      ["d-changed", "saved", time, "changed since save", "2026-02-03T12:15Z", "1.2 in elsewhere", "0"],
    ]);
    expect(ran.stderr).toContain("e-without");
  });

  test("--json has the same facts", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "abc-1" } });
    const value: unknown = JSON.parse(workspace.context(`lifecycle.status ${ROLE} --json`).stdout);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(value).toEqual({
      schema_version: 1,
      ok: true,
      root: workspace.root,
      roles: [
        {
          role: ROLE,
          state: "saved",
          since: time,
          previous: "saving",
          event: "CONTEXT_VALID",
          revision: 2,
          stuck: false,
          stuck_reason: null,
          stuck_because: null,
          way_out: null,
          compactions: 0,
          unsaved: false,
          session_id: "abc-1",
          owned_since: time,
          owner: { session_id: "abc-1", since: time, alive: null, pid: null, host: null, pane: null },
          saved_at: time,
          recovered_at: null,
          problem: null,
          context: {
            path: "session/agents/oosh-expert.context.md",
            health: "valid",
            errors: 0,
            warnings: 0,
            changed_since_save: false,
            updated: "2026-02-03T12:15Z",
            pane: "0.4 in cursorOrchestrator",
          },
        },
      ],
    });
  });
});

describe("a role that is stuck", () => {
  const OLD = "2026-01-02T03:04:05.678Z";

  test.each(["saving", "compacting", "recovering"])(
    "in %s is marked, and the next save says so and goes on",
    (state) => {
      const workspace = standing(state, { SINCE: OLD });
      const status = workspace.context("lifecycle.status");
      expect(status.code).toBe(0);
      expect(status.stdout).toContain(`${state} (stuck)  ${OLD}`);
      expect(status.stderr).toContain(`${ROLE} is stuck in "${state}" since ${OLD}`);
      expect(status.stderr).toContain(`lifecycle.recover ${ROLE}`);
      const json: unknown = JSON.parse(workspace.context("lifecycle.status --json").stdout);
      expect(json).toMatchObject({ roles: [{ stuck: true }] });

      const ran = workspace.context(`lifecycle.save ${ROLE}`);
      expect(ran).toMatchObject({
        code: 0,
        stderr: `${ROLE} was stuck in "${state}" since ${OLD}; it goes on from "active".\n`,
      });
      expect(ran.stdout).toContain(`${ROLE}: ${state} -> active -> saving -> saved\n`);
      const history: unknown = JSON.parse(workspace.context(`lifecycle.history ${ROLE} --json`).stdout);
      expect(history).toMatchObject({
        entries: [
          { event: "RECOVERED", from: state, to: "active", by: `lifecycle.save (stuck in ${state})` },
          { event: "SAVE" },
          { event: "CONTEXT_VALID" },
        ],
      });
    },
  );

  test.each(["saving", "compacting", "recovering"])(
    "in %s has not lost its memory once more by going on: what was written meanwhile is not old",
    (state) => {
      const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000);
      const workspace = standing(state, { SINCE: minutesAgo(20).toISOString() });
      utimesSync(workspace.path(FILE), minutesAgo(5), minutesAgo(5));
      for (const words of [`lifecycle.save ${ROLE}`, `validate ${ROLE}`]) {
        const ran = workspace.context(words);
        expect(ran.code).toBe(0);
        expect(ran.stdout).not.toContain("stale-context");
      }
      // One that was written before the compaction is old.
      if (state === "saving") return;
      utimesSync(workspace.path(FILE), minutesAgo(30), minutesAgo(30));
      expect(workspace.context(`validate ${ROLE}`).stdout).toContain("warning stale-context");
    },
  );

  test.each(["saving", "compacting", "recovering"])("in %s is repaired, with a line in its history", (state) => {
    const workspace = standing(state, { SINCE: OLD });
    const ran = workspace.context(`lifecycle.repair ${ROLE}`);
    const stdout = `${ROLE}: ${state} -> active. It was stuck since ${OLD}.\n`;
    expect(ran).toEqual({ code: 0, signal: null, stdout, stderr: "" });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active" });
    const history: unknown = JSON.parse(workspace.context(`lifecycle.history ${ROLE} --json`).stdout);
    expect(history).toMatchObject({
      entries: [{ event: "RECOVERED", from: state, to: "active", by: "lifecycle.repair" }],
    });
  });

  test.each(["saving", "compacting", "recovering"])("in %s is said to have been, by what recovers it", (state) => {
    for (const command of ["recover", "lifecycle.recover"]) {
      const workspace = standing(state, { SINCE: OLD });
      const ran = workspace.context(`${command} ${ROLE}`);
      expect(ran.stderr).toContain(`${ROLE} was stuck in "${state}" since ${OLD}; it goes on from "active".\n`);
      const history: unknown = JSON.parse(workspace.context(`lifecycle.history ${ROLE} --json`).stdout);
      expect(history).toMatchObject({ entries: [{ event: "RECOVERED", from: state, to: "active", by: command }] });
    }
  });

  test("is the only one that is repaired, but for one whose state cannot be read", () => {
    for (const state of ["active", "saving", "saved", "compacting", "recovering"]) {
      const workspace = standing(state, { SINCE: new Date().toISOString() });
      const before = workspace.read(machineFile(ROLE));
      expect(workspace.context(`lifecycle.repair ${ROLE}`)).toMatchObject({
        code: 0,
        stdout: `${ROLE}: ${state}. It is not stuck; nothing is changed.\n`,
      });
      expect(workspace.read(machineFile(ROLE))).toBe(before);
    }
    for (const bad of ["", "STATE=reviewing\n", "\0\0"]) {
      const workspace = standing("saved");
      workspace.write(machineFile(ROLE), bad);
      const ran = workspace.context(`lifecycle.repair ${ROLE}`);
      expect(ran).toMatchObject({ code: 0, stdout: `${ROLE}: unreadable -> active\n` });
      expect(ran.stderr).toContain(".corrupt-");
    }
  });

  test("compacts with the hook", () => {
    const workspace = standing("compacting", { SINCE: OLD });
    const ran = hook(workspace);
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toContain("was stuck in");
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
    expect(workspace.state(ROLE).SINCE).not.toBe(OLD);
  });

  test.each(["active", "saved"])("is not one that rests in %s for long", (state) => {
    const workspace = standing(state, { SINCE: OLD });
    expect(workspace.context("lifecycle.status")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("lifecycle.history", () => {
  test("is a table, oldest first, and survives a broken line and an unfinished one", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`, { env: { CLAUDE_CODE_SESSION_ID: "abc-1" } });
    const path = "session/stateMachines/oosh_expert.history.jsonl";
    const [first, second] = workspace.read(path).split("\n");
    workspace.write(path, `${first}\nnonsense\n${second}\n{"revision":3,`);
    const ran = workspace.context(`lifecycle.history ${ROLE}`);
    expect(ran).toMatchObject({ code: 0, stderr: "1 line could not be read and is left out.\n" });
    expect(
      ran.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/).filter((_cell, column) => column !== 1)),
    ).toEqual([
      ["REVISION", "EVENT", "FROM", "TO", "BY", "SESSION"],
      ["1", "SAVE", "active", "saving", "lifecycle.save", "abc-1"],
      ["2", "CONTEXT_VALID", "saving", "saved", "lifecycle.save", "abc-1"],
    ]);
    // The next step cuts off what was never finished.
    workspace.context(`lifecycle.recover ${ROLE}`);
    expect(workspace.read(path).trimEnd().split("\n").at(-1)).toContain('"revision":3,"at"');
  });

  test("of a role without a transition says so", () => {
    const workspace = makeWorkspace();
    workspace.context(`lifecycle.init ${ROLE}`);
    expect(workspace.context(`lifecycle.history ${ROLE}`)).toMatchObject({
      code: 0,
      stdout: `No transition of ${ROLE} is recorded.\n`,
    });
  });

  test("of a role whose history is gone does not say that nothing was done", () => {
    const workspace = makeWorkspace();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    rmSync(workspace.path(machineFile(ROLE).replace(".states.env", ".history.jsonl")));
    expect(workspace.context(`lifecycle.history ${ROLE}`).stdout).toBe(`No transition of ${ROLE} is recorded.\n`);
  });
});
