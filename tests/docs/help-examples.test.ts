import { expect, test } from "vitest";
import { COMMANDS, type CommandSpec } from "../../src/cli/command-table.ts";
import { addProject } from "../helpers/acme-project.ts";
import { haveMachines } from "../helpers/have-machines.ts";
import { BARE_ENV, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLES = ["oosh-expert", "tester", "scrum-master"];
const ROW = `${JSON.stringify({ type: "user", message: { role: "user", content: "hello" } })}\n`;

/** What an example takes for granted is there: its roles, its project, its files. */
function prepared(command: string): Workspace {
  const workspace = makeWorkspace();
  if (command !== "new") {
    for (const role of ROLES) workspace.role(role);
    haveMachines(workspace, "help-examples", () => {
      for (const role of ROLES) workspace.context(`lifecycle.save ${role}`);
    });
  }
  const id = "24-demo";
  addProject(workspace, id);
  if (command === "resume.new") runProgram("rm", [MANIFEST], { cwd: workspace.root });
  if (command === "doctor") workspace.context("init --yes", { env: userEnv(workspace) });
  if (command === "lifecycle.import") workspace.context("lifecycle.export --out machines.json");
  for (const name of ["session.jsonl", "home/.claude/projects/my-project/session.jsonl"]) workspace.write(name, ROW);
  workspace.write("events.json", "[]");
  workspace.write("payload.json", JSON.stringify({ session_id: "s", cwd: workspace.root }));
  return workspace;
}

/** Of a shell of the client's, in a home of its own. */
function userEnv({ path }: Workspace): Record<string, string> {
  return { ...BARE_ENV, HOME: path("home"), CLAUDE_CODE_SESSION_ID: "session" };
}

const MANIFEST = "02-projects/24-demo/01-planning/resume-context.md";

/** Where a good answer is another one, since what it is about is not here. */
const ELSE: Readonly<Record<string, RegExp>> = {
  "recover --check oosh-expert": /holds no compaction|No transcript of oosh-expert is known/,
  "lifecycle.compact oosh-expert --dry-run": /tmux/,
  "lifecycle.compact oosh-expert --save-timeout 5m": /tmux/,
};

const EXAMPLES = COMMANDS.flatMap(({ name, examples }: CommandSpec) => examples.map((words) => ({ name, words })));

test.each(EXAMPLES)("$words, pasted from the help into a shell of a new user, does what it says", ({ name, words }) => {
  const workspace = prepared(name);
  const ran = runProgram("sh", ["-c", `./context ${words}`], { cwd: workspace.root, env: userEnv(workspace) });
  const other = ELSE[words];
  expect(ran).toMatchObject(other === undefined ? { code: 0 } : { code: 1, stderr: expect.stringMatching(other) });
});
