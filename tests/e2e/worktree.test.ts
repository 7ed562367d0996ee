import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { PASSES, PENDING, PLAN, reasonOf } from "../gate/session.ts";
import { makeAcme, manifestText } from "../helpers/acme-project.ts";
import { contextText } from "../helpers/context-text.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { LAUNCHER } from "../helpers/program-under-test.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { documentIn, SESSION } from "../helpers/session-start.ts";
import { SHELLS } from "../helpers/shells.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { one, readDocument } from "../session-start/read-document.ts";

const ROLE = "oosh-expert";
const STEPS = "02-projects/24-demo/01-planning/04-steps.md";

/** A project whose agent went to a worktree of it: the client goes on naming the project. */
interface Moved {
  readonly workspace: Workspace;
  readonly tree: string;
  readonly inTree: (command: string) => Ran;
  readonly hook: (words: string, payload?: object, env?: Readonly<Record<string, string>>, cwd?: string) => Ran;
}

function makeMoved(place: (workspace: Workspace) => string = inside): Moved {
  const workspace = makeAcme();
  const files = ["01-planning/01-overview.md", "01-planning/04-steps.md", "01-planning/03-plan.md"];
  workspace.write("02-projects/24-demo/01-planning/resume-context.md", manifestText("24-demo", files));
  workspace.role(ROLE, contextText({ role: ROLE, more: ["- written in the project"] }));
  workspace.write(".gitignore", "/session/stateMachines/\n/session/.cache/\n/context\n/client/\n");
  git(workspace.root, "init", "--quiet");
  git(workspace.root, "add", "-A");
  commit(workspace.root, "begin");
  const tree = place(workspace);
  git(workspace.root, "worktree", "add", "--quiet", "-b", "feat", tree);
  const env = { CLAUDE_PROJECT_DIR: workspace.root, HIVEMIND_ROLE: ROLE };
  const transcript_path = workspace.write(
    "client/s.jsonl",
    new SessionLog(workspace.root).edit(workspace.path("02-projects/24-demo/02-working/a.md")).text(),
  );
  const common = { session_id: SESSION, transcript_path, cwd: tree };
  return {
    workspace,
    tree,
    inTree: (command) => workspace.context(command, { cwd: tree, env: { HIVEMIND_ROLE: ROLE } }),
    hook: (words, payload = {}, more = {}, cwd = tree) =>
      workspace.context(words, { input: JSON.stringify({ ...common, ...payload }), cwd, env: { ...env, ...more } }),
  };
}

const inside = ({ root }: Workspace): string => join(root, ".claude/worktrees/feat");
const elsewhere = (): string => makeWorkspace().path("side tree");

const started = ({ stdout }: Ran) => readDocument(documentIn(stdout));

test.each([
  ["that the client made", inside],
  ["that lies elsewhere", elsewhere],
])("what an agent saves and does in a worktree %s is what its compaction is about", (_, place) => {
  const { workspace, tree, inTree, hook } = makeMoved(place);
  const at = (name: string) => join(tree, name);
  const file = `session/agents/${ROLE}.context.md`;
  const said = contextText({ role: ROLE, more: ["- written in the worktree"] });
  const copy = workspace.write("client/copy.md", said);
  cpSync(copy, at(file));
  const steps = workspace.read(STEPS).replace("- [ ] Parse the transcript", "- [x] Parse the transcript");
  cpSync(workspace.write("client/steps.md", steps), at(STEPS));
  expect(inTree(`lifecycle.save ${ROLE}`).stderr).toContain("hooks go by this one while you stand here");

  const guidance = hook("pre-compact --guidance", { trigger: "manual" }).stdout;
  expect(guidance).toContain("- Current task, word for word: Write the state file");
  expect(guidance).toContain("Its context file is saved");
  expect(inTree(`lifecycle.status ${ROLE}`).stdout).toContain("compacting");
  const document = started(hook("session-start", { source: "compact" }));
  expect(one(document, "resume-project").attributes.id).toBe("24-demo");
  expect(one(document, "context-file").text).toContain("written in the worktree");
  expect(JSON.stringify(document)).toContain("[x] Parse the transcript");
  expect(JSON.stringify(one(document, "project-files"))).not.toContain(workspace.path("02-projects/"));
  expect(inTree(`recover ${ROLE}`).stdout).toContain("Recovery of oosh-expert is complete");
  expect(workspace.exists(machineFile(ROLE))).toBe(false);
});

test("from below the worktree's root too, and without a role", () => {
  const { workspace, tree, hook } = makeMoved();
  const below = { cwd: join(tree, "02-projects/24-demo") };
  const steps = workspace.read(STEPS).replace("- [ ] Parse the transcript", "- [x] Parse the transcript");
  cpSync(workspace.write("client/steps.md", steps), join(tree, STEPS));
  const guidance = hook("pre-compact --guidance", below, { HIVEMIND_ROLE: "" }).stdout;
  expect(guidance).toContain("- Current task, word for word: Write the state file");
});

test("a role that was saved in the project since is the project's", () => {
  const { workspace, inTree, hook } = makeMoved();
  inTree(`lifecycle.save ${ROLE}`);
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  hook("pre-compact --guidance", { trigger: "manual" });
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
  expect(one(started(hook("session-start", { source: "compact" })), "context-file").text).toContain("in the project");
});

test("a role that was saved in the project before is the worktree's, where git brought what was saved", () => {
  const { workspace, tree, inTree, hook } = makeMoved();
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  const steps = workspace.read(STEPS).replace("- [ ] Parse the transcript", "- [x] Parse the transcript");
  cpSync(workspace.write("client/steps.md", steps), join(tree, STEPS));
  expect(hook("pre-compact --guidance", { trigger: "manual" }).stdout).toContain("word for word: Write the state file");
  const document = started(hook("session-start", { source: "compact" }));
  expect(JSON.stringify(document)).toContain("[x] Parse the transcript");
  expect(one(document, "context-file").text).toContain("in the project");
  expect(inTree(`lifecycle.status ${ROLE}`).stdout).toContain("recovering");
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "saved" });
});

test("and is the project's where the worktree has an older text of it", () => {
  const { workspace, hook } = makeMoved();
  workspace.role(ROLE, contextText({ role: ROLE, more: ["- written since"] }));
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  hook("pre-compact --guidance", { trigger: "manual" });
  expect(one(started(hook("session-start", { source: "compact" })), "context-file").text).toContain("written since");
});

test.each([
  ["that the client made", inside],
  ["that lies elsewhere", elsewhere],
])("and what is said to do next in a worktree %s is done in the project", (_, place) => {
  const { workspace, tree, hook } = makeMoved(place);
  const shell = (line = "") => runProgram("sh", ["-c", line], { cwd: tree, env: { HIVEMIND_ROLE: ROLE } });
  workspace.role(ROLE, contextText({ role: ROLE, more: ["- written since"] }));
  expect(workspace.context(`lifecycle.save ${ROLE}`).code).toBe(0);
  const guidance = hook("pre-compact --guidance", { trigger: "manual" }).stdout;
  const document = started(hook("session-start", { source: "compact" }));
  const told = /first action is to run: (.*)/.exec(guidance)?.[1];
  expect(JSON.stringify(one(document, "checklist"))).toContain(JSON.stringify(`Run ${told}: it says`).slice(1, -1));
  expect(shell(told).stdout).toContain("written since");
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "active" });
  expect(existsSync(join(tree, machineFile(ROLE)))).toBe(false);
});

describe("what a session saved on the other side", () => {
  const AS_SESSION = { HIVEMIND_ROLE: ROLE, CLAUDE_CODE_SESSION_ID: SESSION };
  const run = ({ workspace }: Moved, command: string, cwd: string, session = SESSION) =>
    workspace.context(command, { cwd, env: { ...AS_SESSION, CLAUDE_CODE_SESSION_ID: session } });
  const file = `session/agents/${ROLE}.context.md`;
  const compact = ({ hook }: Moved, cwd: string) => hook("pre-compact --guidance", { cwd }, {}, cwd).stdout;

  test("is named to who came back from a worktree", () => {
    const moved = makeMoved();
    const { workspace, tree } = moved;
    const said = workspace.write("client/copy.md", contextText({ role: ROLE, more: ["- written in the worktree"] }));
    cpSync(said, join(tree, file));
    expect(run(moved, `lifecycle.save ${ROLE}`, tree).code).toBe(0);
    const guidance = compact(moved, workspace.root);
    expect(guidance).toContain(join(tree, file));
    expect(guidance).not.toContain("need not be repeated");
    // PreCompact has saved what is here by now.
    expect(run(moved, `recover ${ROLE}`, workspace.root).stdout).toContain(join(tree, file));
    expect(run(moved, `recover ${ROLE}`, workspace.root, "another").stdout).not.toContain(join(tree, file));
    cpSync(said, workspace.path(file));
    expect(run(moved, `recover ${ROLE}`, workspace.root).stdout).not.toContain(join(tree, file));
    expect(compact(moved, workspace.root)).toContain("need not be repeated");
  });

  test("is named to who recovers in a worktree that has an older text", () => {
    const moved = makeMoved();
    const { workspace, tree } = moved;
    workspace.role(ROLE, contextText({ role: ROLE, more: ["- written since"] }));
    expect(run(moved, `lifecycle.save ${ROLE}`, workspace.root).code).toBe(0);
    expect(run(moved, `recover ${ROLE}`, tree).stdout).toContain(workspace.path(file));
  });

  test("is not named where the file here was written after it, nor of a worktree that is gone", () => {
    const moved = makeMoved();
    const { workspace, tree } = moved;
    cpSync(workspace.write("client/copy.md", contextText({ role: ROLE, more: ["- other"] })), join(tree, file));
    expect(run(moved, `lifecycle.save ${ROLE}`, tree).code).toBe(0);
    expect(run(moved, `lifecycle.save ${ROLE}`, workspace.root).code).toBe(0);
    workspace.role(ROLE, contextText({ role: ROLE, more: ["- newest"] }));
    expect(run(moved, `recover ${ROLE}`, workspace.root).stdout).not.toContain(tree);
    rmSync(tree, { recursive: true });
    expect(run(moved, `recover ${ROLE}`, workspace.root).stdout).not.toContain(tree);
  });
});

test.each<[string, (tree: string) => void, Readonly<Record<string, string>>?]>([
  ["holds no projects", (tree) => rmSync(join(tree, "02-projects"), { recursive: true })],
  ["holds no roles", (tree) => rmSync(join(tree, "session/agents"), { recursive: true })],
  ["is gone", (tree) => rmSync(tree, { recursive: true })],
  [
    "is another repository",
    (tree) => {
      rmSync(join(tree, ".git"));
      git(tree, "init", "--quiet");
    },
  ],
  [
    "only says that it is a worktree",
    (tree) => {
      cpSync(tree, `${tree}-copy`, { recursive: true });
      git(tree, "worktree", "move", tree, `${tree}-moved`);
      cpSync(`${tree}-copy`, tree, { recursive: true });
    },
  ],
  ["is not what CONTEXT_ROOT names", () => {}, { CONTEXT_ROOT: "." }],
])("the project is meant where the folder that the agent went to %s", (_, change, env = {}) => {
  const { workspace, tree, hook } = makeMoved();
  change(tree);
  const ran = hook("pre-compact --guidance", { trigger: "manual" }, env, workspace.root);
  expect(ran).toMatchObject({ code: 0 });
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
});

test("the gate waits for the worktree's files, and the project's script hears of it until it is over", () => {
  const { workspace, tree, hook } = makeMoved();
  const plan = join(tree, PLAN);
  const gate = (tool_name: string, file_path: string, more: object = {}) =>
    hook("gate", { hook_event_name: "PreToolUse", tool_name, tool_input: { file_path }, ...more });
  hook("session-start --part 1/4", { source: "compact" });
  expect(workspace.list(PENDING)).toEqual([SESSION]);
  expect(reasonOf(gate("Edit", join(tree, "src/a.ts")))).toContain(plan);
  const file = { filePath: plan, content: "…", startLine: 1, numLines: 4, totalLines: 4 };
  gate("Read", plan, { hook_event_name: "PostToolUse", tool_response: { type: "text", file } });
  expect(gate("Edit", join(tree, "src/a.ts"))).toMatchObject(PASSES);
  expect([workspace.exists(PENDING), existsSync(join(tree, PENDING))]).toEqual([false, false]);
});

test.each(SHELLS.map((shell) => shell.join(" ")))(
  "in %s, the line of this machine's settings finds its script from a worktree that has none",
  (shell) => {
    const { workspace, tree } = makeMoved();
    rmSync(workspace.path("context"));
    expect(runProgram(LAUNCHER, ["init", "--yes"], { cwd: workspace.root })).toMatchObject({ code: 0 });
    const { hooks } = JSON.parse(workspace.read(".claude/settings.local.json"));
    const line: string = hooks.PreCompact[0].hooks[0].command;
    const [file = "", ...words] = shell.split(" ");
    const ran = runProgram(file, [...words, "-c", line], {
      cwd: tree,
      env: { CLAUDE_PROJECT_DIR: tree, HIVEMIND_ROLE: ROLE },
      input: JSON.stringify({ session_id: SESSION, cwd: tree, trigger: "manual" }),
    });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("Its context file is saved");
    expect(existsSync(join(tree, machineFile(ROLE)))).toBe(true);
  },
);

test("a session of one worktree whose agent went to another", () => {
  const { workspace, tree, hook } = makeMoved();
  const other = join(tree, "../other");
  git(workspace.root, "worktree", "add", "--quiet", "-b", "other", other);
  hook("pre-compact --guidance", { trigger: "manual" }, { CLAUDE_PROJECT_DIR: other });
  expect([tree, other].map((root) => existsSync(join(root, machineFile(ROLE))))).toEqual([true, false]);
});

test.each([
  ["in a folder below", (workspace: Workspace) => workspace.path("packages/a")],
  ["in a worktree that git gave no roles", (workspace: Workspace) => workspace.path("tree")],
])("a client that was started %s has the project's role", (_, place) => {
  const workspace = makeWorkspace();
  workspace.role(ROLE, contextText({ role: ROLE, more: ["- the word"] }));
  const began = place(workspace);
  workspace.write("packages/a/x", "");
  git(workspace.root, "init", "--quiet");
  git(workspace.root, "add", "packages");
  commit(workspace.root, "begin");
  git(workspace.root, "worktree", "add", "--quiet", workspace.path("tree"));
  const hook = (words: string, payload: object) =>
    workspace.context(words, {
      cwd: began,
      env: { CLAUDE_PROJECT_DIR: began, HIVEMIND_ROLE: ROLE },
      input: JSON.stringify({ session_id: SESSION, cwd: began, ...payload }),
    });
  expect(hook("pre-compact --guidance", { trigger: "manual" }).stdout).toContain("Its context file is saved");
  expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "compacting" });
  expect(one(started(hook("session-start", { source: "compact" })), "context-file").text).toContain("the word");
  expect(existsSync(join(began, "session"))).toBe(false);
});

test("a project that lacks a role is not taken for one around it that has it", () => {
  const workspace = makeWorkspace();
  workspace.role(ROLE);
  workspace.write("packages/a/.git/HEAD", "ref: refs/heads/main\n");
  const inner = workspace.path("packages/a");
  const ran = workspace.context("pre-compact --guidance", {
    cwd: inner,
    env: { CLAUDE_PROJECT_DIR: inner, HIVEMIND_ROLE: ROLE },
    input: JSON.stringify({ session_id: SESSION, cwd: inner, trigger: "manual" }),
  });
  expect(ran.stdout).toContain("Its context file is NOT saved (it is missing)");
  expect(workspace.state(ROLE)).toEqual({});
});

test("a worktree whose links are relative, as git writes them where it is asked to", () => {
  const { workspace, tree, hook } = makeMoved();
  const entry = workspace.path(".git/worktrees/feat");
  writeFileSync(join(tree, ".git"), `gitdir: ${relative(tree, entry)}\n`);
  writeFileSync(join(entry, "gitdir"), `${relative(entry, join(tree, ".git"))}\n`);
  hook("pre-compact --guidance", { trigger: "manual" });
  expect([workspace.root, tree].map((root) => existsSync(join(root, machineFile(ROLE))))).toEqual([false, true]);
});

// The client takes hooks from the main checkout's settings of this machine as well, wherever it starts in the repository.
test.each([
  ["a worktree", "side tree", ["worktree", "add", "--quiet", "--detach", "side tree"]],
  ["a folder below", "packages/a", ["status"]],
])("doctor in %s knows the main checkout's hooks, and init there registers none that run twice", (_, name, made) => {
  const { root, path, write } = makeWorkspace();
  rmSync(path("context"));
  const env = { HOME: makeWorkspace().root };
  git(root, "init", "--quiet");
  // Each look runs every part that is registered, twice.
  write("context.yaml", "delivery:\n  parts: 1\n");
  const main = runProgram(LAUNCHER, ["init", "--yes"], { cwd: root, env });
  expect(main).toMatchObject({ code: 0 });
  write(".gitignore", "/.claude/\n*.local.json\n");
  write("session/agents/.keep", "");
  git(root, "add", "session", ".gitignore");
  commit(root, "begin");
  git(root, ...made);
  write(`${name}/session/agents/.keep`, "");
  write(`${name}/context.yaml`, "delivery:\n  parts: 1\n");
  mkdirSync(path(`${name}/.claude`), { recursive: true });
  const doctor = (): Ran => runProgram(LAUNCHER, ["doctor"], { cwd: path(name), env });

  expect(doctor()).toMatchObject({ code: 0, stdout: expect.stringContaining("Next: nothing") });
  expect(runProgram(LAUNCHER, ["init", "--yes"], { cwd: path(name), env })).toMatchObject({ code: 0 });
  expect(doctor()).toMatchObject({ code: 0, stdout: expect.stringContaining("Next: nothing") });

  rmSync(path(`${name}/.claude`), { recursive: true });
  mkdirSync(path(`${name}/.claude`));
  const local = path(".claude/settings.local.json");
  writeFileSync(local, readFileSync(local, "utf8").replaceAll("session-start.sh", "gone.sh"));
  expect(doctor().stdout).toContain("No settings file registers session-start");
});
