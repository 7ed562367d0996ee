import { appendFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const FILE = machineFile(ROLE);
const MACHINE = "oosh_expert.states.env";

interface Broken {
  readonly what: string;
  readonly told: RegExp;
  /** Where nothing can be made of the file, a writer sets it aside; where a person may want to see it first, it is left. */
  readonly kind: "set-aside" | "left" | "newer";
  readonly make: (good: string) => string;
}

const KEY = (key: string, value: string) => (good: string) =>
  good.replace(new RegExp(`^STATE_${key}=.*$`, "m"), () => `STATE_${key}=${value}`);

const BROKEN: readonly Broken[] = [
  { what: "an empty file", told: /is empty, expected a machine's state/, kind: "set-aside", make: () => "" },
  { what: "a file of NULs", told: /holds NUL bytes/, kind: "set-aside", make: () => "\0\0" },
  {
    what: "a file cut off in a value",
    told: /says no/,
    kind: "set-aside",
    make: (good) => good.slice(0, 130),
  },
  {
    what: "a file cut off in its last value",
    told: /ends in the middle of STATE_REVISION/,
    kind: "set-aside",
    make: (good) => good.trimEnd(),
  },
  {
    what: "a file cut off between lines",
    told: /says no/,
    kind: "set-aside",
    make: (good) => good.slice(0, good.indexOf("STATE_COMPACTIONS")),
  },
  { what: "another tool's file", told: /holds no machine's state/, kind: "set-aside", make: () => "PATH=/bin\n" },
  {
    what: "a value that a shell would run",
    told: /line 9: STATE_COMPACTIONS: .*expand/,
    kind: "set-aside",
    make: KEY("COMPACTIONS", '"$(touch pwned)"'),
  },
  { what: "a revision that is no number", told: /STATE_REVISION/, kind: "set-aside", make: KEY("REVISION", "many") },
  {
    what: "an unknown state",
    told: /says STATE_CURRENT=reviewing, expected one of active, saving, saved, compacting, recovering/,
    kind: "left",
    make: KEY("CURRENT", "reviewing"),
  },
  {
    what: "a key that says two things",
    told: /says STATE_CURRENT twice: "saved" and "active"/,
    kind: "left",
    make: (good) => `${good}STATE_CURRENT=active\n`,
  },
  {
    what: "another role's state",
    told: /says STATE_ROLE=other, the file's name says oosh-expert/,
    kind: "left",
    make: KEY("ROLE", "other"),
  },
  {
    what: "no schema",
    told: /says no STATE_SCHEMA, expected STATE_SCHEMA=1/,
    kind: "left",
    make: (good) => good.replace("STATE_SCHEMA=1\n", ""),
  },
  { what: "a newer schema", told: /STATE_SCHEMA=99, this one reads 1/, kind: "newer", make: KEY("SCHEMA", "99") },
];

/** A saved role whose env file was then broken; `broken` is what it holds now. */
function brokenProject(make: (good: string) => string): { workspace: Workspace; broken: string } {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.context(`lifecycle.save ${ROLE}`);
  const broken = make(workspace.read(FILE));
  workspace.write(FILE, broken);
  return { workspace, broken };
}

function keptAside(workspace: Workspace): readonly string[] {
  return workspace.list("session/stateMachines").filter((name) => name.includes(".corrupt-"));
}

describe("a state file that holds", () => {
  test.each(BROKEN)("$what is told with its path and the way out by what only reads", ({ told, kind, make }) => {
    const { workspace, broken } = brokenProject(make);
    for (const words of ["lifecycle.status", `lifecycle.status ${ROLE}`]) {
      const ran = workspace.context(words);
      expect(ran.code).toBe(1);
      expect(ran.stdout).toMatch(/^oosh-expert +unreadable /m);
      expect(ran.stderr).toContain(FILE);
      expect(ran.stderr).toMatch(told);
      if (kind === "newer") expect(ran.stderr).toContain("Update this program");
      else expect(ran.stderr).toContain("lifecycle.recover oosh-expert");
    }
    const json: unknown = JSON.parse(workspace.context("lifecycle.status --json").stdout);
    expect(json).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/^state-/), message: expect.stringMatching(told) },
      roles: [{ role: ROLE, state: null, problem: expect.stringMatching(told), context: { health: "valid" } }],
    });
    // What led there is still told.
    const history = workspace.context(`lifecycle.history ${ROLE}`);
    expect(history.code).toBe(0);
    expect(history.stdout).toContain("CONTEXT_VALID");
    expect(history.stderr).toMatch(told);
    expect(workspace.read(FILE)).toBe(broken);
    expect(keptAside(workspace)).toEqual([]);
  });

  test.each(BROKEN)("$what is never overwritten by a save", ({ told, kind, make }) => {
    const { workspace, broken } = brokenProject(make);
    const ran = workspace.context(`lifecycle.save ${ROLE}`);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(told);
    if (kind !== "set-aside") {
      expect(workspace.read(FILE)).toBe(broken);
      expect(keptAside(workspace)).toEqual([]);
      return;
    }
    const [kept = ""] = keptAside(workspace);
    expect(kept).toMatch(/^oosh_expert\.states\.env\.corrupt-\d{8}T\d{6}Z$/);
    expect(ran.stderr).toContain(`session/stateMachines/${kept}`);
    expect(workspace.read(`session/stateMachines/${kept}`)).toBe(broken);
    // And the next one begins anew, where the history ended.
    expect(workspace.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0 });
    expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved", REVISION: "4" });
  });

  test.each(BROKEN)(
    "$what does not keep lifecycle.recover from leading out, unless it is newer",
    ({ kind, make, told }) => {
      const { workspace, broken } = brokenProject(make);
      const ran = workspace.context(`lifecycle.recover ${ROLE}`);
      if (kind === "newer") {
        expect(ran).toMatchObject({ code: 1, stdout: "" });
        expect(ran.stderr).toMatch(told);
        expect(workspace.read(FILE)).toBe(broken);
        return;
      }
      expect(ran).toMatchObject({ code: 0, stdout: `${ROLE}: unreadable -> active\n` });
      expect(ran.stderr).toMatch(told);
      const [kept = ""] = keptAside(workspace);
      expect(ran.stderr).toContain(kept);
      expect(workspace.read(`session/stateMachines/${kept}`)).toBe(broken);
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active", REVISION: "3" });
    },
  );

  test.each(BROKEN)("$what does not keep recover from printing what was written down", ({ kind, make }) => {
    const { workspace } = brokenProject(make);
    const ran = workspace.context(`recover ${ROLE}`);
    expect(ran.code).toBe(kind === "newer" ? 1 : 0);
    expect(ran.stdout).toContain(workspace.read(`session/agents/${ROLE}.context.md`).trimEnd());
    expect(ran.stdout).toMatch(/Recovery of oosh-expert is complete.*\n$/);
  });

  test.each(BROKEN)("$what does not stop a compaction", ({ kind, make, told }) => {
    const { workspace, broken } = brokenProject(make);
    for (const flags of [[], ["--require-saved"]]) {
      const ran = workspace.context(["pre-compact", ...flags], {
        env: { HIVEMIND_ROLE: ROLE },
        input: '{"session_id":"s1","trigger":"manual"}',
      });
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
      if (kind !== "set-aside") expect(ran.stderr).toMatch(told);
    }
    if (kind === "set-aside") {
      const [kept = ""] = keptAside(workspace);
      expect(workspace.read(`session/stateMachines/${kept}`)).toBe(broken);
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
    } else expect(workspace.read(FILE)).toBe(broken);
  });
});

describe("in place of a state file", () => {
  test("a folder is set aside", () => {
    const other = makeWorkspace();
    other.role(ROLE);
    mkdirSync(other.path(FILE), { recursive: true });
    expect(other.context("lifecycle.status").stderr).toContain("is a folder, expected a file");
    expect(other.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 1 });
    expect(keptAside(other)).toHaveLength(1);
    expect(other.context(`lifecycle.save ${ROLE}`)).toMatchObject({ code: 0 });
  });

  test.each([
    ["to a file", "/etc/passwd"],
    ["that dangles", "no/where"],
  ])("a link out of the project %s is neither read nor written", (_what, target) => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    workspace.role(ROLE);
    mkdirSync(workspace.path("session/stateMachines"));
    symlinkSync(target.startsWith("/") ? target : outside.path(target), workspace.path(FILE));
    for (const words of [`lifecycle.save ${ROLE}`, `lifecycle.init ${ROLE}`, `lifecycle.recover ${ROLE}`]) {
      const ran = workspace.context(words);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain("is a link that leads out of");
      expect(ran.stderr).not.toContain("root:");
    }
    expect(workspace.list("session/stateMachines")).toEqual([MACHINE]);
    expect(outside.exists("no")).toBe(false);
  });

  test("a second bad file is set aside beside the first", () => {
    const { workspace } = brokenProject(() => "first");
    workspace.context(`lifecycle.save ${ROLE}`);
    workspace.write(FILE, "second");
    workspace.context(`lifecycle.save ${ROLE}`);
    expect(
      keptAside(workspace)
        .map((name) => workspace.read(`session/stateMachines/${name}`))
        .sort(),
    ).toEqual(["first", "second"]);
  });
});

test("unknown keys, comments and their order survive a rewrite", () => {
  const { workspace } = brokenProject(
    (good) =>
      `# mine\nMY_KEY='a b'  # why\n${good.replace("STATE_UNSAVED=0", "export STATE_UNSAVED=0 # kept")}OTHER=1\n`,
  );
  expect(workspace.context(`lifecycle.recover ${ROLE}`)).toMatchObject({ code: 0 });
  const lines = workspace.read(FILE).split("\n");
  expect(lines.slice(0, 2)).toEqual(["# mine", "MY_KEY='a b'  # why"]);
  expect(lines).toContain("export STATE_UNSAVED=0 # kept");
  expect(lines).toContain("OTHER=1");
  expect(lines).toContain("STATE_CURRENT=active");
});

test.each(["1e300", "9007199254740991", "1000000000000000"])(
  "a line of the history that says revision %s leaves the machine one that can be read",
  (revision) => {
    const { workspace } = brokenProject((good) => good);
    const line = `{"revision":${revision},"at":"2026-02-03T12:15:07.120Z","event":"SAVE","from":"active","to":"saving","by":"x","session_id":null}\n`;
    appendFileSync(join(workspace.root, FILE.replace("states.env", "history.jsonl")), line);
    for (const step of ["recover", "init", "recover"]) {
      expect(workspace.context(`lifecycle.${step} ${ROLE}`)).toMatchObject({ code: 0, stderr: "" });
      expect(workspace.context(`lifecycle.status ${ROLE}`).stdout).toContain("active");
    }
    expect(keptAside(workspace)).toEqual([]);
  },
);
