import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { haveMachines } from "../helpers/have-machines.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { redisMissing, startRedis } from "../helpers/redis-server.ts";
import { runProgram } from "../helpers/run-program.ts";
import { MACHINES, machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
/** The shipped schema, as any other program would use it. */
const SCHEMA = z.fromJSONSchema(
  JSON.parse(readFileSync(join(PROGRAM_ROOT, "schemas", "lifecycle_export_v1.json"), "utf8")),
);

function fleet(): Workspace {
  const workspace = makeWorkspace();
  for (const role of [ROLE, "tester"]) workspace.role(role);
  haveMachines(workspace, "a fleet", () => {
    for (const words of [`lifecycle.save ${ROLE}`, `lifecycle.recover ${ROLE}`, "lifecycle.init tester"]) {
      expect(workspace.context(words).code).toBe(0);
    }
  });
  return workspace;
}

const document = (workspace: Workspace, env = {}) => workspace.context("lifecycle.export", { env }).stdout;

function target(text: string): Workspace {
  const workspace = makeWorkspace();
  for (const role of [ROLE, "tester"]) workspace.role(role);
  workspace.write("x.json", text);
  return workspace;
}

describe("lifecycle.export", () => {
  test("writes what its schema says, the same bytes for the same machines, and for --json", () => {
    const workspace = fleet();
    const text = document(workspace);
    expect(SCHEMA.safeParse(JSON.parse(text)).error).toBeUndefined();
    expect(document(workspace)).toBe(text);
    expect(workspace.context("lifecycle.export --json").stdout).toBe(text);
    expect(workspace.context("lifecycle.export --out x.json").stdout).toBe("x.json: 2 machines\n");
    expect(workspace.read("x.json")).toBe(text);
    expect(
      JSON.parse(text).machines.map(({ role, revision, history }: { role: string; revision: number; history: [] }) => [
        role,
        revision,
        history.length,
      ]),
    ).toEqual([
      [ROLE, 3, 3],
      ["tester", 0, 0],
    ]);
  });

  test("of a machine that cannot be read is none, and names it", () => {
    const workspace = fleet();
    workspace.write(machineFile("tester"), "rubbish\n");
    const ran = workspace.context("lifecycle.export --out x.json");
    expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("tester.states.env holds no") });
    expect(workspace.exists("x.json")).toBe(false);
  });

  test.each([
    ["stands twice", (lines: readonly string[]) => [...lines, ...lines], 3],
    ["is in another order", (lines: readonly string[]) => lines.toReversed(), 0],
    [
      "holds revisions that are none",
      (lines: readonly string[]) => [
        ...lines,
        ...["1.5", "0", "-1", "-1e400"].map((none) => (lines[0] ?? "").replace('"revision":1', `"revision":${none}`)),
      ],
      4,
    ],
  ])("of a history that %s is one that is taken", (_, changed, left) => {
    const workspace = fleet();
    const whole = document(workspace);
    const history = `${MACHINES}/oosh_expert.history.jsonl`;
    const lines = workspace.read(history).trimEnd().split("\n");
    workspace.write(history, `${changed(lines).join("\n")}\n`);
    const ran = workspace.context("lifecycle.export");
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: whole });
    expect(ran.stderr).toBe(left === 0 ? "" : `Left out of the histories: ${left} broken or repeated lines.\n`);
    expect(target(ran.stdout).context("lifecycle.import x.json").code).toBe(0);
  });

  test("of machines whose folder is none is none, and names it", () => {
    const workspace = makeWorkspace();
    workspace.write(MACHINES, "no folder\n");
    const ran = workspace.context("lifecycle.export --out x.json");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(`${MACHINES} cannot be listed: `);
    expect(workspace.exists("x.json")).toBe(false);
    const json = workspace.context("lifecycle.export --json");
    const hint = "Make it a folder that this user has the rights to read.";
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: "folder-unreadable", hint } });
    for (const command of ["lifecycle.status", "lifecycle.graph --gantt"])
      expect(workspace.context(command), command).toMatchObject({ code: 1, stderr: expect.stringContaining(hint) });
  });

  test("replaces an earlier export, and no other file", () => {
    const workspace = fleet();
    workspace.write("mine.json", "{}\n");
    expect(workspace.context("lifecycle.export --out no/x.json")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no folder no."),
    });
    expect(workspace.exists("no")).toBe(false);
    expect(workspace.context("lifecycle.export --out mine.json").code).toBe(1);
    expect(workspace.read("mine.json")).toBe("{}\n");
    expect(workspace.context("lifecycle.export --out session").stderr).toContain(
      "session is a folder, expected a file.",
    );
    for (const _time of [1, 2]) expect(workspace.context("lifecycle.export --out x.json").code).toBe(0);
  });

  test("goes to standard output for a hyphen, as it does where no place is named", () => {
    const workspace = fleet();
    const document = workspace.context("lifecycle.export").stdout;
    for (const words of ["lifecycle.export --out -", "lifecycle.export --out - --json"])
      expect(workspace.context(words)).toMatchObject({ code: 0, stdout: document, stderr: "" });
    expect(workspace.exists("-")).toBe(false);
  });
});

describe("lifecycle.import", () => {
  test("gives the same machines and histories, and a second time changes nothing", () => {
    const text = document(fleet());
    const there = target(text);
    expect(there.context("lifecycle.import x.json").stdout).toBe("2 machines written, 0 the same already.\n");
    expect(document(there)).toBe(text);
    const before = there.read(machineFile(ROLE));
    expect(there.context("lifecycle.import x.json").stdout).toBe("0 machines written, 2 the same already.\n");
    expect(there.read(machineFile(ROLE))).toBe(before);
    expect(there.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  });

  test("of a machine of the original tool, which does not say since when, gives one that can be read", () => {
    const workspace = makeWorkspace();
    workspace.write(machineFile("tester"), "tester_STATE_ID=13\n");
    const text = document(workspace);
    const other = target(text);
    expect(other.context("lifecycle.import x.json").stdout).toBe("1 machine written, 0 the same already.\n");
    const { stdout, stderr } = other.context("lifecycle.status tester --json");
    expect({ roles: JSON.parse(stdout).roles, stderr }).toMatchObject({
      roles: [{ state: "saved", since: null }],
      stderr: "",
    });
    expect(document(other)).toBe(text);
    expect(other.context("lifecycle.import x.json").stdout).toBe("0 machines written, 1 the same already.\n");
    expect(other.context("lifecycle.recover tester").stdout).toBe("tester: saved -> active\n");
    expect(other.state("tester").SINCE).toMatch(/^20/);
  });

  test("takes an export out of a pipe, and says so where what comes is none", () => {
    const from = fleet();
    const to = makeWorkspace();
    const line = '"$0" -C "$1" lifecycle.export | "$0" -C "$2" lifecycle.import -';
    const piped = runProgram("sh", ["-c", line, from.path("context"), from.root, to.root], { cwd: from.root });
    expect(piped).toMatchObject({ code: 0, stdout: "2 machines written, 0 the same already.\n", stderr: "" });
    expect(document(to)).toBe(document(from));
    const { code, stderr } = to.context("lifecycle.import -", { input: "nonsense" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "context: Standard input is no JSON.\n  Nothing was changed. Name what lifecycle.export wrote.\n",
    });
  });

  test("carries a machine on that has not gone another way", () => {
    const here = fleet();
    const there = target(document(here));
    there.context("lifecycle.import x.json");
    here.context(`lifecycle.save ${ROLE}`);
    there.write("x.json", document(here));
    expect(there.context("lifecycle.import x.json").stdout).toBe("1 machine written, 1 the same already.\n");
    expect(document(there)).toBe(document(here));
  });

  test.each([12, 20])(
    "is brought to its end by a second one where it was cut off after %i lines of a history",
    (lines) => {
      const here = fleet();
      const there = target(document(here));
      there.context("lifecycle.import x.json");
      const before = there.read(machineFile(ROLE));
      for (let count = 0; count < 10; count++) here.context(`lifecycle.save ${ROLE}`);
      there.write("x.json", document(here));
      const history = machineFile(ROLE).replace(".states.env", ".history.jsonl");
      const reached = here
        .read(history)
        .split("\n")
        .slice(0, 3 + lines);
      there.write(history, `${reached.join("\n")}\n{"revision":99`);
      expect(there.read(machineFile(ROLE))).toBe(before);
      expect(there.context("lifecycle.import x.json")).toMatchObject({ code: 0, stderr: "" });
      expect(document(there)).toBe(document(here));
    },
  );

  test("refuses a machine that was put back, though its history went another way to the same revision", () => {
    const here = fleet();
    const there = target(document(here));
    there.context("lifecycle.import x.json");
    const before = there.read(machineFile(ROLE));
    for (const workspace of [here, there]) {
      for (let count = 0; count < 10; count++) workspace.context(`lifecycle.save ${ROLE}`);
    }
    there.write(machineFile(ROLE), before);
    there.write("x.json", document(here));
    const ran = there.context("lifecycle.import x.json");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("went another way here up to revision 23") });
    expect(there.read(machineFile(ROLE))).toBe(before);
  });

  test("refuses all where one is newer here, and replaces it with --force", () => {
    const here = fleet();
    const old = document(here);
    const there = target(old);
    there.context("lifecycle.import x.json");
    there.context(`lifecycle.save ${ROLE}`);
    const now = document(there);
    const ran = there.context("lifecycle.import x.json");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("oosh-expert is at revision 5 here, and at 3 in the file.");
    expect(document(there)).toBe(now);
    expect(there.context("lifecycle.import x.json --force").code).toBe(0);
    expect(document(there)).toBe(old);
  });

  test("refuses a machine that went another way, at a lower revision too", () => {
    const here = fleet();
    const there = target(document(here));
    there.context(`lifecycle.save ${ROLE}`);
    const ran = there.context("lifecycle.import x.json");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("went another way here up to revision 2") });
    expect(there.context("lifecycle.import x.json --force").code).toBe(0);
    expect(document(there)).toBe(document(here));
  });

  test.each([
    ["no JSON", "{", "is no JSON"],
    ["another document", "[]", "is no export of machines"],
    ["a newer version", '{"schema_version":2}', "newer version: schema_version 2"],
    ["a role that is none", (text: string) => text.replace(`"${ROLE}"`, '"../x"'), 'Role "../x" is not a role name'],
    ["a role twice", (text: string) => text.replace('"tester"', `"${ROLE}"`), "names oosh-expert twice"],
    [
      "a state that is none",
      (text: string) => text.replace('"state": "active"', '"state": "asleep"'),
      "at machines.0.state",
    ],
    [
      "a history out of order",
      (text: string) => text.replace('"revision": 2', '"revision": 1'),
      "of the history follows",
    ],
    [
      "a history ahead of its machine",
      (text: string) => text.replace('"revision": 3', '"revision": 2'),
      "the machine to 2",
    ],
    ["a time that is none", (text: string) => text.replace(/"since": "[^"]*"/, '"since": "now"'), "STATE_SINCE=now"],
  ])("refuses %s and says where", (_what, change, message) => {
    const there = target(typeof change === "string" ? change : change(document(fleet())));
    const ran = there.context("lifecycle.import x.json");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(message);
    expect(there.list("session/stateMachines")).toEqual([]);
  });

  const missing = redisMissing();
  test.skipIf(missing !== null)("goes from files to a server and back, by the same rules", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const env = { CONTEXT_STORE: redis.url, CONTEXT_STORE_PREFIX: "moved" };
    const text = document(fleet());
    const there = target(text);
    expect(there.context("lifecycle.import x.json", { env }).stdout).toBe("2 machines written, 0 the same already.\n");
    expect(document(there, env)).toBe(text);
    expect(there.list("session/stateMachines")).toEqual([]);
    expect(there.context("lifecycle.import x.json", { env }).stdout).toContain("2 the same already");
    there.context(`lifecycle.save ${ROLE}`, { env });
    expect(there.context("lifecycle.import x.json", { env }).code).toBe(1);
    expect(there.context("lifecycle.import x.json --force", { env }).code).toBe(0);
    expect(document(there, env)).toBe(text);
    there.context("lifecycle.import x.json");
    expect(document(there)).toBe(text);
  });
});
