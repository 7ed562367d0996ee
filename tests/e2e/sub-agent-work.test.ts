import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { makeAcme, preCompactPayload } from "../helpers/acme-project.ts";
import { runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { runStart, SESSION } from "../helpers/session-start.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const WORK = "02-projects/24-demo/02-working";
const PROJECTS = "projects/-x";
const NEWER = `${PROJECTS}/${SESSION}/subagents`;

/** Where the client keeps its files. */
interface Client {
  readonly folder: Workspace;
  readonly env: Readonly<Record<string, string>>;
  readonly transcript: string;
}

/** A session that works on a project, and has a sub-agent do the rest of it. */
function session(workspace: Workspace): SessionLog {
  const says =
    "Done.\nagentId: a586456355ca141e2 (use SendMessage with to: 'a586456355ca141e2' to continue this agent)";
  return new SessionLog(workspace.root)
    .prompt("continue project 24")
    .edit(workspace.path(`${WORK}/own.md`))
    .call("Agent", { description: "Write it", prompt: "Write it.", subagent_type: "general-purpose" }, { says });
}

/** What it did, later than all that the session did. */
function subAgent(workspace: Workspace): string {
  const record = { isSidechain: true, agentId: "a586456355ca141e2" };
  const says = `File created successfully at: ${workspace.path(`${WORK}/delegated.md`)}`;
  return new SessionLog(workspace.root)
    .read(workspace.path(`${WORK}/looked-at.md`), { record })
    .write(workspace.path(`${WORK}/delegated.md`), { record, says })
    .bash(`echo x > ${WORK}/by-command.md`, { record })
    .text()
    .replaceAll("T14:", "T15:");
}

function client(log: SessionLog): Client {
  const folder = makeWorkspace();
  const transcript = folder.write(`${PROJECTS}/${SESSION}.jsonl`, log.text());
  return { folder, transcript, env: { CLAUDE_CONFIG_DIR: folder.root, CLAUDE_CODE_SESSION_ID: SESSION } };
}

const SAYS = [`created ${WORK}/delegated.md (by a sub-agent, `, `created ${WORK}/by-command.md (by a sub-agent, `];

test("what a sub-agent had changed before a person stopped it is told, and that it does not run", () => {
  const workspace = makeAcme();
  const [prompt, write] = ["continue project 24", "Write it."];
  // As 2.1.332 has it: nothing in the session names the sub-agent.
  const says =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing.";
  const log = new SessionLog(workspace.root)
    .prompt(prompt)
    .edit(workspace.path(`${WORK}/own.md`))
    .call("Agent", { description: write, prompt: write }, { says, failed: true })
    .prompt("where are you?");
  const { folder, transcript } = client(log);
  const name = `${NEWER}/agent-a586456355ca141e2`;
  folder.write(`${name}.jsonl`, subAgent(workspace));
  const trail = () => workspace.context(["trail", transcript]).stdout;
  for (const [id, told] of [
    ["toolu_1", false],
    ["toolu_2", true],
  ] as const) {
    folder.write(`${name}.meta.json`, JSON.stringify({ agentType: "general-purpose", toolUseId: id }));
    for (const words of SAYS) expect(trail().includes(words), id).toBe(told);
  }
  expect(trail()).toContain(`Agent ${write}`);
  expect(trail()).not.toMatch(/in flight|running/i);
});

test("calls that failed, whose sub-agents never ran, do not each cost a look at all of the others", async () => {
  const workspace = makeAcme();
  const log = session(workspace);
  for (let call = 0; call < 500; call++)
    log.call("Agent", { description: "d", prompt: "p" }, { says: "overloaded", failed: true });
  const { folder, transcript } = client(log);
  for (let other = 0; other < 250; other++)
    folder.write(`${NEWER}/agent-a${other}.meta.json`, JSON.stringify({ toolUseId: `toolu_x${other}` }));
  // To look so often would take four.
  const { child, ended } = workspace.start(["trail", transcript], { cwd: workspace.root, cpuSeconds: 2 });
  child.stdin?.end();
  expect(await ended).toMatchObject({ code: 0, signal: null });
});

test.each([
  ["new client", `${NEWER}/agent-a586456355ca141e2.jsonl`],
  ["client of 2025", `${PROJECTS}/agent-a586456355ca141e2.jsonl`],
])("what a sub-agent of a %s changed is in the trail, the recovery, the guidance and the document", (_, name) => {
  const workspace = makeAcme();
  workspace.role(ROLE);
  const { folder, env, transcript } = client(session(workspace));
  folder.write(name, subAgent(workspace));
  const trail = workspace.context(["trail", transcript]).stdout;
  const print = ["--print"];
  for (const text of [
    trail,
    workspace.context(`recover ${ROLE}`, { env }).stdout,
    runStart(workspace, { source: "compact", transcript, words: print }).stdout,
  ]) {
    for (const words of SAYS) expect(text).toContain(words);
  }
  expect(trail).not.toContain("looked-at.md");
  expect(workspace.context(["trail", transcript]).stdout).toBe(trail);

  const input = preCompactPayload(workspace, transcript);
  const guidance = workspace.context("pre-compact --guidance", { input }).stdout;
  expect(guidance).toContain(`- Files changed: ${WORK}/delegated.md; ${WORK}/own.md\n`);
  expect(guidance).toContain(`- Files written by commands: ${WORK}/by-command.md\n`);
});

test("what a sub-agent changed since the save is unsaved work", () => {
  const workspace = makeAcme();
  workspace.role(ROLE);
  const { folder, env } = client(session(workspace));
  expect(workspace.context(`lifecycle.save ${ROLE}`, { env }).code).toBe(0);
  const later = subAgent(workspace).replaceAll('"2026-01-03T', '"2126-01-03T');
  folder.write(`${NEWER}/agent-a586456355ca141e2.jsonl`, later);
  expect(JSON.parse(workspace.context("lifecycle.status --unsaved --json", { env }).stdout)).toMatchObject({
    roles: [{ unsaved_work: { files: [`${WORK}/by-command.md`, `${WORK}/delegated.md`] } }],
  });
});

test("a sub-agent that was called before a fork is found where the parent has it", () => {
  const workspace = makeAcme();
  const { folder, transcript } = client(session(workspace));
  const rows = session(workspace).text().trimEnd().split("\n");
  const text = rows.map((row) => `${JSON.stringify({ ...JSON.parse(row), requestSessionId: SESSION })}\n`).join("");
  const fork = folder.write(`${PROJECTS}/5e551041-0000-4000-8000-000000000002.jsonl`, text);
  folder.write(`${NEWER}/agent-a586456355ca141e2.jsonl`, subAgent(workspace));
  expect(workspace.context(["trail", fork]).stdout).toBe(workspace.context(["trail", transcript]).stdout);
  // An id is part of a path only where it is one.
  folder.write("subagents/agent-a586456355ca141e2.jsonl", subAgent(workspace));
  folder.write(`${PROJECTS}/fork.jsonl`, text.replaceAll(SESSION, "../.."));
  expect(workspace.context(["trail", folder.path(`${PROJECTS}/fork.jsonl`)]).stdout).not.toContain("sub-agent");
});

test("what a sub-agent did whose call the person took back counts no more than other work that was", () => {
  const workspace = makeAcme();
  const call = session(workspace).text().trimEnd().split("\n");
  const rows = call.map((row, at) => ({
    ...JSON.parse(row),
    parentUuid: at === 0 ? null : `u${at - 1}`,
    uuid: `u${at}`,
  }));
  const again = { ...rows[0], parentUuid: "u2", uuid: "again", message: { role: "user", content: "Rather not." } };
  const log = new SessionLog(workspace.root);
  for (const row of [...rows, again]) log.raw(JSON.stringify(row));
  const { folder, transcript } = client(log);
  folder.write(`${NEWER}/agent-a586456355ca141e2.jsonl`, subAgent(workspace));
  const { stdout } = workspace.context(["trail", transcript]);
  expect(stdout).toContain(`edited ${WORK}/own.md`);
  expect(stdout).not.toContain("delegated.md");
});

test.each<[string, (file: string) => void]>([
  ["a pipe", (file) => void runProgram("mkfifo", [file], { cwd: "/" })],
  ["a folder", (file) => void mkdirSync(file)],
  ["a link to itself", (file) => symlinkSync(file, file)],
  ["a link to an endless device", (file) => symlinkSync("/dev/zero", file)],
])("%s in place of a sub-agent's file is passed over, and nobody waits", (_, put) => {
  const workspace = makeAcme();
  const { folder, transcript } = client(session(workspace));
  const trail = () => workspace.context(["trail", transcript]);
  const before = trail();
  const file = folder.path(`${NEWER}/agent-a586456355ca141e2.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  put(file);
  expect(trail()).toMatchObject({ code: 0, stderr: "", stdout: before.stdout });
  const input = preCompactPayload(workspace, transcript);
  expect(workspace.context("pre-compact --guidance", { input })).toMatchObject({
    ...{ code: 0, stderr: "", stdout: expect.stringContaining(`- Files changed: ${WORK}/own.md\n`) },
  });
});

test("a hook reads no more of very many and very large sub-agents than its bound, the latest first", () => {
  const workspace = makeAcme();
  const log = new SessionLog(workspace.root).prompt("continue project 24");
  const folder = makeWorkspace();
  for (let at = 0; at < 200; at++) {
    log.call("Agent", { prompt: "p" }, { says: `agentId: a${at}` });
    const own = new SessionLog(workspace.root).edit(`src/${at}.ts`).read("x", { says: "x".repeat(100_000) });
    folder.write(`${NEWER}/agent-a${at}.jsonl`, own.text().replaceAll("03T14:", `03T${100 + at}:`));
  }
  folder.write(`${NEWER}/agent-a198.jsonl`, "");
  truncateSync(folder.path(`${NEWER}/agent-a198.jsonl`), 2 ** 40);
  const transcript = folder.write(`${PROJECTS}/${SESSION}.jsonl`, log.text());
  const ran = runStart(workspace, { source: "compact", transcript, words: ["--print"] });
  expect(ran.code).toBe(0);
  const input = preCompactPayload(workspace, transcript);
  const { stdout } = workspace.context("pre-compact --guidance", { input });
  expect(stdout).toMatch(/^- Files changed: src\/199\.ts; src\/197\.ts; src\/196\.ts/m);
  expect(stdout).not.toContain("src/100.ts");
});
