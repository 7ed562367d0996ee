import { describe, expect, test } from "vitest";
import { COMMANDS, type CommandName, type CommandSpec } from "../../src/cli/command-table.ts";
import { INVALID_TEXTS } from "../helpers/context-text.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

interface Case {
  readonly words: string;
  readonly code: number;
  /** Whether a person gets something on stdout, and on stderr. */
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly prepare?: (workspace: Workspace) => void;
}

const valid = (workspace: Workspace) => {
  workspace.role("oosh-expert");
};
const invalid = (workspace: Workspace) => {
  workspace.role("oosh-expert", INVALID_TEXTS.title);
};
const saved = (workspace: Workspace) => {
  valid(workspace);
  workspace.context("lifecycle.save oosh-expert");
};

const transcript = (workspace: Workspace) => {
  workspace.write(
    "session.jsonl",
    `${JSON.stringify({ type: "user", message: { role: "user", content: "hello" } })}\n`,
  );
};

/** For each command: an everyday call, and one for each other way it can end. */
const CASES: Readonly<Partial<Record<CommandName, readonly Case[]>>> = {
  validate: [
    { words: "validate oosh-expert", code: 0, stdout: true, stderr: false, prepare: valid },
    { words: "validate oosh-expert", code: 1, stdout: true, stderr: true, prepare: invalid },
    { words: "validate nobody", code: 1, stdout: true, stderr: true },
  ],
  "validate.all": [
    { words: "validate.all", code: 0, stdout: true, stderr: false },
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
    { words: "lifecycle.save nobody", code: 1, stdout: false, stderr: true },
  ],
  "lifecycle.status": [
    { words: "lifecycle.status", code: 0, stdout: true, stderr: false },
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
  "lifecycle.history": [
    { words: "lifecycle.history oosh-expert", code: 0, stdout: true, stderr: false, prepare: saved },
    { words: "lifecycle.history nobody", code: 1, stdout: false, stderr: true },
  ],
  recover: [
    { words: "recover oosh-expert", code: 0, stdout: true, stderr: false, prepare: valid },
    { words: "recover oosh-expert", code: 0, stdout: true, stderr: true, prepare: saved },
    { words: "recover nobody", code: 1, stdout: true, stderr: true },
  ],
  detect: [
    { words: "detect --transcript session.jsonl", code: 0, stdout: true, stderr: true, prepare: transcript },
    { words: "detect --transcript nothing.jsonl", code: 1, stdout: false, stderr: true },
  ],
  demo: [{ words: "demo", code: 0, stdout: true, stderr: false }],
};

function run({ words, prepare }: Case, more: readonly string[]): Ran {
  const workspace = makeWorkspace();
  prepare?.(workspace);
  return workspace.context([...words.split(" "), ...more]);
}

describe("every command", () => {
  test("stands in the table of this test", () => {
    const others = COMMANDS.filter((command: CommandSpec) => command.hookAnswer === undefined);
    expect(Object.keys(CASES).sort()).toEqual(others.map(({ name }) => name).sort());
  });

  test.each(Object.values(CASES).flat())("$words exits $code, and keeps results and talk apart", (row) => {
    const text = run(row, []);
    expect(text.code).toBe(row.code);
    expect(text.stdout !== "").toBe(row.stdout);
    expect(text.stderr !== "").toBe(row.stderr);
    if (text.stdout !== "") expect(text.stdout.endsWith("\n")).toBe(true);
    // Only a terminal gets colours.
    expect(text.stdout + text.stderr).not.toContain("\u001B");

    const json = run(row, ["--json"]);
    expect(json.code).toBe(row.code);
    const value: unknown = JSON.parse(json.stdout);
    expect(value).toMatchObject({ schema_version: 1, ok: row.code === 0 });
    if (row.code === 0) expect(value).not.toHaveProperty("error");
    else {
      expect(value).toMatchObject({ error: { code: expect.stringMatching(/^[a-z-]+$/), message: expect.any(String) } });
      expect(value).toHaveProperty("error.hint");
    }
  });

  test.each(Object.values(CASES).flatMap(([first]) => (first === undefined || first.words === "demo" ? [] : first)))(
    "$words says the same with --quiet, and nothing beside it",
    (row) => {
      const plain = run(row, []);
      const quiet = run(row, ["--quiet"]);
      expect(quiet).toMatchObject({ code: row.code, stderr: "" });
      expect(quiet.stdout.split("\n")).toHaveLength(plain.stdout.split("\n").length);
    },
  );

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
