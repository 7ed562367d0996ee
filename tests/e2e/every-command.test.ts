import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS, type CommandName, type CommandSpec } from "../../src/cli/command-table.ts";
import { addProject } from "../helpers/acme-project.ts";
import { INVALID_TEXTS } from "../helpers/context-text.ts";
import { saveRole } from "../helpers/have-machines.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

interface Case {
  readonly words: string;
  readonly code: number;
  /** Whether a person gets something on stdout, and on stderr. */
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly prepare?: (workspace: Workspace) => void;
  /** Its JSON is a document of its own, which has no `ok`. */
  readonly document?: true;
}

const valid = (workspace: Workspace) => {
  workspace.role("oosh-expert");
};
const invalid = (workspace: Workspace) => {
  workspace.role("oosh-expert", INVALID_TEXTS.title);
};
const saved = (workspace: Workspace) => saveRole(workspace);
const exported = (workspace: Workspace) => {
  saved(workspace);
  workspace.context("lifecycle.export --out x.json");
};

const transcript = (workspace: Workspace) => {
  workspace.write(
    "session.jsonl",
    `${JSON.stringify({ type: "user", message: { role: "user", content: "hello" } })}\n`,
  );
};

const project = (workspace: Workspace) => addProject(workspace, "24-demo");
const manifest = (text: string) => (workspace: Workspace) => {
  project(workspace);
  workspace.write("02-projects/24-demo/01-planning/resume-context.md", text);
};
const updated = (workspace: Workspace) => {
  project(workspace);
  workspace.context("resume.update 24-demo");
};
const noManifest = (workspace: Workspace) => {
  project(workspace);
  rmSync(workspace.path("02-projects/24-demo/01-planning/resume-context.md"));
};
const legacy = (text: string) => (workspace: Workspace) => {
  workspace.write("02-projects/24-demo/_resume.md", text);
};
/** Doctor runs each part that is registered, twice. */
const onePart = (workspace: Workspace) => {
  workspace.write("context.yaml", "delivery:\n  parts: 1\n");
};
const BROKEN = "---\nphase: [\n---\n";

/** A project and a skill of which one file is no text. */
const brokenWorkspace = (workspace: Workspace) => {
  const bytes = Uint8Array.of(0xff, 0xfe);
  workspace.write("02-projects/24-demo/01-planning/01-overview.md", bytes);
  workspace.write("03-skills/demo/SKILL.md", bytes);
};

/** For each command: an everyday call, and one for each other way it can end. */
const CASES: Readonly<Partial<Record<CommandName, readonly Case[]>>> = {
  validate: [
    { words: "validate oosh-expert", code: 0, stdout: true, stderr: false, prepare: valid },
    { words: "validate oosh-expert", code: 1, stdout: true, stderr: true, prepare: invalid },
    { words: "validate nobody", code: 1, stdout: true, stderr: true },
  ],
  "validate.all": [
    { words: "validate.all", code: 0, stdout: true, stderr: true },
    { words: "validate.all", code: 0, stdout: true, stderr: false, prepare: valid },
    { words: "validate.all", code: 1, stdout: true, stderr: true, prepare: invalid },
  ],
  schema: [{ words: "schema", code: 0, stdout: true, stderr: false }],
  new: [
    { words: "new oosh-expert", code: 0, stdout: true, stderr: false },
    { words: "new oosh-expert", code: 1, stdout: false, stderr: true, prepare: valid },
    { words: "new oosh-expert --force", code: 0, stdout: true, stderr: false, prepare: valid },
  ],
  "lifecycle.init": [
    { words: "lifecycle.init oosh-expert", code: 0, stdout: true, stderr: false },
    { words: "lifecycle.init oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
  ],
  "lifecycle.save": [
    { words: "lifecycle.save oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.save oosh-expert", code: 0, stdout: true, stderr: true, prepare: valid },
    { words: "lifecycle.save oosh-expert", code: 1, stdout: true, stderr: true, prepare: invalid },
    { words: "lifecycle.save nobody", code: 1, stdout: true, stderr: true },
  ],
  "lifecycle.status": [
    { words: "lifecycle.status", code: 0, stdout: true, stderr: true },
    { words: "lifecycle.status", code: 0, stdout: true, stderr: true, prepare: valid },
    { words: "lifecycle.status oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.status nobody", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.pre.compact": [
    { words: "lifecycle.pre.compact", code: 0, stdout: true, stderr: false },
    { words: "lifecycle.pre.compact oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.pre.compact oosh-expert", code: 1, stdout: true, stderr: true, prepare: invalid },
    { words: "lifecycle.pre.compact nobody", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.recover": [
    { words: "lifecycle.recover oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.recover nobody", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.repair": [
    { words: "lifecycle.repair oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.repair nobody", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.wait": [
    { words: "lifecycle.wait oosh-expert --for saved", code: 0, stdout: true, stderr: false, prepare: saved },
    {
      words: "lifecycle.wait oosh-expert --for active --timeout 0",
      code: 3,
      stdout: false,
      stderr: true,
      prepare: saved,
    },
  ],
  // What it does with a pane stands in lifecycle-compact.test.ts.
  "lifecycle.compact": [
    { words: "lifecycle.compact nobody", code: 1, stdout: false, stderr: true },
    { words: "lifecycle.compact oosh-expert --socket none", code: 1, stdout: false, stderr: true, prepare: saved },
  ],
  "lifecycle.history": [
    { words: "lifecycle.history oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.history nobody", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.export": [
    { words: "lifecycle.export", code: 0, stdout: true, stderr: false, document: true, prepare: saved },
    { words: "lifecycle.export --out session", code: 1, stdout: false, stderr: true, prepare: saved },
  ],
  "lifecycle.import": [
    { words: "lifecycle.import x.json", code: 0, stdout: true, stderr: false, prepare: exported },
    { words: "lifecycle.import nothing.json", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.graph": [
    { words: "lifecycle.graph oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.graph --gantt", code: 0, stdout: true, stderr: false },
    { words: "lifecycle.graph nobody", code: 1, stdout: false, stderr: true },
  ],
  report: [
    { words: "report", code: 0, stdout: true, stderr: false },
    { words: "report --out fleet.html", code: 0, stdout: true, stderr: false, prepare: saved },
    {
      words: "report --out notes.html",
      code: 1,
      stdout: false,
      stderr: true,
      prepare: (workspace) => {
        workspace.write("notes.html", "<!doctype html>\n<p>mine\n");
      },
    },
  ],
  recover: [
    { words: "recover oosh-expert", code: 0, stdout: true, stderr: false, prepare: valid },
    { words: "recover oosh-expert", code: 0, stdout: true, stderr: true, prepare: saved },
    { words: "recover nobody", code: 1, stdout: true, stderr: true },
    { words: "recover --check oosh-expert", code: 1, stdout: false, stderr: true, prepare: valid },
    { words: "recover oosh-expert --project 24-demo", code: 2, stdout: false, stderr: true, prepare: saved },
  ],
  detect: [
    { words: "detect --transcript session.jsonl", code: 0, stdout: true, stderr: true, prepare: transcript },
    { words: "detect --transcript nothing.jsonl", code: 1, stdout: false, stderr: true },
  ],
  trail: [
    { words: "trail session.jsonl", code: 0, stdout: true, stderr: false, prepare: transcript, document: true },
    { words: "trail nothing.jsonl", code: 1, stdout: false, stderr: true },
    { words: "trail", code: 2, stdout: false, stderr: true },
  ],
  "resume.new": [
    { words: "resume.new 24-demo", code: 0, stdout: true, stderr: false, prepare: noManifest },
    { words: "resume.new 24-demo", code: 1, stdout: false, stderr: true, prepare: project },
    { words: "resume.new 99", code: 2, stdout: false, stderr: true },
  ],
  "resume.show": [
    { words: "resume.show", code: 0, stdout: true, stderr: false, prepare: project },
    { words: "resume.show", code: 0, stdout: true, stderr: true },
    { words: "resume.show 24", code: 0, stdout: true, stderr: false, prepare: project },
    { words: "resume.show 24-demo", code: 1, stdout: false, stderr: true },
    { words: "resume.show 24-demo", code: 1, stdout: false, stderr: true, prepare: manifest(BROKEN) },
  ],
  "resume.update": [
    { words: "resume.update 24-demo", code: 0, stdout: true, stderr: false, prepare: project },
    { words: "resume.update 24-demo", code: 0, stdout: true, stderr: false, prepare: updated },
    { words: "resume.update 24-demo", code: 1, stdout: false, stderr: true, prepare: manifest(BROKEN) },
  ],
  "resume.validate": [
    { words: "resume.validate", code: 0, stdout: true, stderr: false, prepare: updated },
    { words: "resume.validate", code: 0, stdout: true, stderr: true },
    { words: "resume.validate 24", code: 1, stdout: true, stderr: true, prepare: manifest(BROKEN) },
  ],
  "resume.migrate": [
    { words: "resume.migrate", code: 0, stdout: true, stderr: false, prepare: legacy("# Notes\n") },
    { words: "resume.migrate --dry-run", code: 0, stdout: true, stderr: false, prepare: legacy("# Notes\n") },
    { words: "resume.migrate --rollback", code: 0, stdout: true, stderr: true },
    { words: "resume.migrate", code: 1, stdout: true, stderr: true, prepare: legacy(BROKEN) },
  ],
  completion: [
    { words: "completion bash", code: 0, stdout: true, stderr: false },
    { words: "completion tcsh", code: 2, stdout: false, stderr: true },
  ],
  init: [
    { words: "init", code: 0, stdout: true, stderr: false },
    { words: "init --check", code: 1, stdout: true, stderr: true },
    {
      words: "init",
      code: 1,
      stdout: false,
      stderr: true,
      prepare: (workspace) => {
        workspace.write(".claude/settings.json", "{,}");
      },
    },
  ],
  doctor: [
    {
      words: "doctor",
      code: 0,
      stdout: true,
      stderr: false,
      prepare: (workspace) => {
        onePart(workspace);
        workspace.context("init --yes");
      },
    },
    { words: "doctor", code: 1, stdout: true, stderr: true },
    { words: "doctor --fix", code: 0, stdout: true, stderr: false, prepare: onePart },
  ],
  explain: [
    { words: "explain", code: 0, stdout: true, stderr: false },
    {
      words: "explain --source compact --transcript session.jsonl",
      code: 0,
      stdout: true,
      stderr: false,
      prepare: transcript,
    },
    { words: "explain --source compact --transcript nothing.jsonl", code: 0, stdout: true, stderr: true },
  ],
  projects: [
    { words: "projects", code: 0, stdout: true, stderr: true },
    { words: "projects", code: 0, stdout: true, stderr: true, prepare: brokenWorkspace },
  ],
  skills: [
    { words: "skills", code: 0, stdout: true, stderr: true },
    { words: "skills", code: 0, stdout: true, stderr: true, prepare: brokenWorkspace },
  ],
  thread: [
    { words: "thread session.jsonl", code: 0, stdout: true, stderr: false, prepare: transcript },
    { words: "thread nothing.jsonl", code: 1, stdout: false, stderr: true },
  ],
  demo: [{ words: "demo", code: 0, stdout: true, stderr: false }],
};

function run({ words, prepare }: Case, more: readonly string[]): Ran {
  const workspace = makeWorkspace();
  prepare?.(workspace);
  return workspace.context([...words.split(" "), ...more]);
}

/** A row as it stands, run once for all who look at it. */
const plainRuns = new Map<Case, Ran>();

function runPlain(row: Case): Ran {
  const known = plainRuns.get(row) ?? run(row, []);
  plainRuns.set(row, known);
  return known;
}

function keysOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

describe("every command", () => {
  test("stands in the table of this test", () => {
    const others = COMMANDS.filter((command: CommandSpec) => command.hookAnswer === undefined);
    expect(Object.keys(CASES).sort()).toEqual(others.map(({ name }) => name).sort());
  });

  test.each(Object.values(CASES).flat())("$words exits $code, and keeps results and talk apart", (row) => {
    const text = runPlain(row);
    expect(text.code).toBe(row.code);
    expect(text.stdout !== "").toBe(row.stdout);
    expect(text.stderr !== "").toBe(row.stderr);
    if (text.stdout !== "") expect(text.stdout.endsWith("\n")).toBe(true);
    // Only a terminal gets colours.
    expect(text.stdout + text.stderr).not.toContain("\u001B");

    const json = run(row, ["--json"]);
    expect(json.code).toBe(row.code);
    const value: unknown = JSON.parse(json.stdout);
    const ok = row.document && row.code === 0 ? {} : { ok: row.code === 0 };
    expect(value).toMatchObject({ schema_version: 1, ...ok });
    // Which project was looked into; what says the same in all of them names none.
    const anywhere = row.document || row.code === 2 || /^(?:schema|completion|demo)\b/.test(row.words);
    if (!anywhere) expect(value).toHaveProperty("root", expect.stringMatching(/^\//));
    // Agent events and JSON Schemas keep their own names.
    if (!/^(?:thread|schema)\b/.test(row.words))
      expect(keysOf(value).filter((key) => /[a-z][A-Z]/.test(key))).toEqual([]);
    if (row.code === 0) expect(value).not.toHaveProperty("error");
    else {
      expect(value).toMatchObject({ error: { code: expect.stringMatching(/^[a-z-]+$/), message: expect.any(String) } });
      expect(value).toHaveProperty("error.hint");
    }
  });

  test.each(
    Object.values(CASES).flatMap(([first]) =>
      first === undefined || first.words === "demo" || first.code !== 0 ? [] : first,
    ),
  )("$words says the same with --quiet, and nothing beside it", (row) => {
    const plain = runPlain(row);
    const quiet = run(row, ["--quiet"]);
    expect(quiet).toMatchObject({ code: row.code, stderr: "" });
    expect(quiet.stdout.split("\n")).toHaveLength(plain.stdout.split("\n").length);
  });

  test("--quiet hides talk and never what went wrong", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert", INVALID_TEXTS.title);
    const ran = workspace.context("lifecycle.save oosh-expert -q");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("is not valid: 1 error");
    expect(ran.stderr).not.toContain("had no machine");
    const unreadable = workspace.context("validate oosh-expert nobody -q");
    expect(unreadable.stdout).toContain("session/agents/nobody.context.md does not exist");
  });

  test("a reader that has gone away is no fault", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.save oosh-expert");
    const line = '{ ./context recover oosh-expert; echo "code $?" >&2; } | :';
    const ran = runProgram("sh", ["-c", line], { cwd: workspace.root });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(/code 0\n$/);
    expect(ran.stderr).not.toMatch(/EPIPE|fault/);
  });
});
