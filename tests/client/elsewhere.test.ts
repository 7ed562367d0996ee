import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { git } from "../helpers/git-repository.ts";
import { LAUNCHER } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { machineFile } from "../helpers/workspace.ts";
import { editFile, executeProject, planningFile, runCommand } from "./harness/calls.ts";
import { converse } from "./harness/conversation.ts";
import { elements, lastDocument, partsIn } from "./harness/documents.ts";
import { makeProject, ROLE } from "./harness/project.ts";
import { type Stage, setStage } from "./harness/stage.ts";

const ID = "24-demo";
const TREE = ".claude/worktrees/feat";

/** A client in a project of which git holds all, with a role, that may go to worktrees. */
function committed(): Promise<Stage> {
  const project = makeProject();
  project.role(ROLE, contextText({ role: ROLE, more: ["- written before"] }));
  git(project.root, "add", "-A");
  git(project.root, "commit", "--quiet", "-m", "Begin");
  const args = ["--allowedTools", "Bash,Read,Edit,Write,Skill,EnterWorktree,ExitWorktree"];
  return setStage({ project, args, env: { HIVEMIND_ROLE: ROLE } });
}

test("what an agent does in a worktree that it enters comes back after a compaction", async () => {
  const stage = await committed();
  const { project } = stage;
  const steps = planningFile(ID, "04-steps.md");
  const talk = converse(stage);
  stage.model.willSay(
    ...executeProject(project, ID),
    { call: [{ name: "EnterWorktree", input: { name: "feat" } }] },
    { call: [runCommand(`sed -i 's/written before/written in the worktree/' session/agents/${ROLE}.context.md`)] },
    { call: [runCommand(`sed -i 's/- \\[ \\] Parse the transcript/- [x] Parse the transcript/' ${steps}`)] },
    { call: [runCommand(`./context lifecycle.save ${ROLE}`)] },
  );
  await talk.say(`continue project ${ID}`);
  await talk.say("/compact");
  stage.model.willSay({ call: [runCommand(`./context recover ${ROLE}`)] });
  await talk.say("go on");
  expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });

  const [summary] = stage.model.summaries();
  expect(summary?.asked).toContain(`./context recover ${ROLE}`);
  const document = lastDocument(stage.model.turns().at(-1));
  expect(elements(document, "resume-project").map(({ attributes }) => attributes.id)).toEqual([ID]);
  expect(elements(document, "context-file").map(({ text }) => text.includes("written in the worktree"))).toEqual([
    true,
  ]);
  expect(JSON.stringify(document)).toContain("[x] Parse the transcript");
  // Where the agent went on.
  expect(readFileSync(project.path(`${TREE}/${machineFile(ROLE)}`), "utf8")).toMatch(/CURRENT=.?active/);
});

test("an agent that left a worktree is told after a compaction what it saved there", async () => {
  const stage = await committed();
  const { project } = stage;
  const file = `session/agents/${ROLE}.context.md`;
  const talk = converse(stage);
  stage.model.willSay(
    { call: [{ name: "EnterWorktree", input: { name: "feat" } }] },
    { call: [runCommand(`sed -i 's/written before/written in the worktree/' ${file}`)] },
    { call: [runCommand(`./context lifecycle.save ${ROLE}`)] },
    { call: [{ name: "ExitWorktree", input: { action: "keep" } }] },
  );
  await talk.say("try it in a worktree");
  await talk.say("/compact");
  stage.model.willSay({ call: [runCommand(`./context recover ${ROLE}`)] });
  await talk.say("go on");
  expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });

  const saved = project.path(`${TREE}/${file}`);
  const [summary] = stage.model.summaries();
  expect(summary?.asked).toContain(saved);
  expect(summary?.asked).not.toContain("need not be repeated");
  expect(stage.model.turns().at(-1)?.asked).toContain(saved);
});

test("an agent that saved before it went to a worktree gets the worktree's steps back", async () => {
  const stage = await committed();
  const { project } = stage;
  const tree = { ...project, path: (name: string) => project.path(`${TREE}/${name}`) };
  const steps = planningFile(ID, "04-steps.md");
  const talk = converse(stage);
  stage.model.willSay(
    { call: [runCommand(`./context lifecycle.save ${ROLE}`)] },
    { call: [{ name: "EnterWorktree", input: { name: "feat" } }] },
    ...executeProject(tree, ID),
    { call: [editFile(tree, steps, "- [ ] Parse", "- [x] Parse")] },
  );
  await talk.say(`continue project ${ID}`);
  await talk.say("/compact");
  await talk.say("go on");
  expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });

  const [summary] = stage.model.summaries();
  expect(summary?.asked).toContain("- Current task, word for word: Write the state file");
  const document = lastDocument(stage.model.turns().at(-1));
  expect(elements(document, "current-task").map(({ text }) => text)).toContain("Write the state file");
  expect(elements(document, "context-file").map(({ text }) => text.includes("written before"))).toEqual([true]);
});

// The client takes these settings from the repository's root, and names the folder that it was started in.
test.each([
  ["in a worktree", ["-w", "feat"], TREE, "."],
  ["in a folder below", [], ".", "packages/a"],
])("a session that begins %s has the hooks of this machine's settings", async (_, args, root, folder) => {
  const project = makeProject();
  project.role(ROLE, contextText({ role: ROLE, more: ["- the word"] }));
  for (const name of ["context", ".claude/settings.json"]) rmSync(project.path(name));
  const made = runProgram(LAUNCHER, ["init", "--yes"], { cwd: project.root });
  expect(made).toMatchObject({ code: 0 });
  expect(project.exists(".claude/settings.local.json")).toBe(true);
  git(project.root, "add", "session", "02-projects");
  git(project.root, "commit", "--quiet", "-m", "Begin");
  mkdirSync(project.path(folder), { recursive: true });
  const stage = await setStage({ project, args, env: { HIVEMIND_ROLE: ROLE } });
  const talk = converse({ ...stage, project: { ...project, root: project.path(folder) } });
  stage.model.willSay({ call: [runCommand(`'${LAUNCHER}' lifecycle.save ${ROLE}`)] });
  await talk.say("good morning");
  await talk.say("/compact");
  await talk.say("go on");
  expect(await talk.end()).toMatchObject({ code: 0, stderr: "" });

  const turns = stage.model.turns();
  expect(elements(partsIn(turns[0]), "active-projects")).toHaveLength(1);
  const [summary] = stage.model.summaries();
  // Quoted where the path to it holds a blank.
  expect(summary?.asked).toMatch(new RegExp(`context'? recover ${ROLE}`));
  expect(elements(lastDocument(turns.at(-1)), "context-file").map(({ text }) => text.includes("the word"))).toEqual([
    true,
  ]);
  expect(readFileSync(project.path(`${root}/${machineFile(ROLE)}`), "utf8")).toContain("compact");
});
