import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { LAUNCHER } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";

function link(workspace: Workspace, name: string): string {
  const path = workspace.path(name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(LAUNCHER, path);
  return path;
}

/** What a save, run through `program`, says to run next. */
function nextOf(workspace: Workspace, program: string, env: Readonly<Record<string, string>> = {}): string {
  const saved = runProgram(program, ["lifecycle.save", ROLE], { cwd: workspace.root, env });
  expect(saved).toMatchObject({ code: 0 });
  return /after it, run (.*)\n$/.exec(saved.stdout)?.[1] ?? "";
}

function run(workspace: Workspace, command: string): string {
  const ran = runProgram("sh", ["-c", command], { cwd: workspace.root, env: { PATH: "/usr/bin:/bin" } });
  return ran.stdout.split("\n")[0] ?? "";
}

const RECOVERED = `# Recovery of ${ROLE}`;

test("what is named to be run next runs: through the package of the project, where no launcher lies", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  rmSync(workspace.path("context"));
  const command = nextOf(workspace, link(workspace, "node_modules/.bin/context"));
  expect(command).toBe(`./node_modules/.bin/context recover ${ROLE}`);
  expect(run(workspace, command)).toContain(RECOVERED);
});

test("a folder of the launcher's name is none", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  rmSync(workspace.path("context"));
  workspace.write("context/notes.md", "ours\n");
  const command = nextOf(workspace, link(workspace, "node_modules/.bin/context"));
  expect(command).toBe(`./node_modules/.bin/context recover ${ROLE}`);
  rmSync(workspace.path("node_modules"), { recursive: true });
  expect(nextOf(workspace, LAUNCHER)).toBe(`context recover ${ROLE}`);
});

test("the program that a hook's own line names is named again, as the shell reads it", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  const program = link(workspace, "a tool's é/context");
  const command = nextOf(workspace, program, { CONTEXT_PROGRAM: program });
  expect(command).toContain("'\\''");
  expect(run(workspace, command)).toContain(RECOVERED);
});

test("the launcher comes before the package", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  link(workspace, "node_modules/.bin/context");
  expect(nextOf(workspace, workspace.path("context"))).toBe(`./context recover ${ROLE}`);
});
