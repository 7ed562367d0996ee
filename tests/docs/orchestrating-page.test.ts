import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BARE_ENV, runProgram, startProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/orchestrating.md", import.meta.url)), "utf8");
const example = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";
const has = (program: string): boolean => runProgram("sh", ["-c", `command -v ${program}`], { cwd: "/" }).code === 0;

const ROLES = ["builder", "tester", "writer"];

function project(): Workspace {
  const workspace = makeWorkspace();
  for (const role of ROLES) workspace.role(role);
  return workspace;
}

/** Starts an example; `said` settles once its output holds a text. */
function begin(workspace: Workspace, program: string, code: string) {
  const env = { PATH: `${workspace.root}:${BARE_ENV.PATH}`, PATIENCE: "300ms", CONTEXT_SESSION_ID: "orchestrator" };
  const started = startProgram(program, [workspace.write("example", code)], { cwd: workspace.root, env });
  let text = "";
  let look = () => {};
  started.child.stdout?.on("data", (data) => {
    text += data;
    look();
  });
  const said = (wanted: string) =>
    new Promise<void>((resolve) => {
      look = () => text.includes(wanted) && resolve();
      look();
    });
  return { ...started, said };
}

test.skipIf(!has("bash"))("the script waits for the saves, frees the role that is stuck, and owns none", async () => {
  const workspace = project();
  for (const role of ROLES) workspace.context(`lifecycle.save ${role}`);
  workspace.setState("writer", { CURRENT: "compacting", SINCE: "2026-02-03T12:15:00.000Z" });
  const { ended, said } = begin(workspace, "bash", example("bash"));
  await said("writer: compacting -> active");
  workspace.context("lifecycle.save writer");
  const ran = await ended;
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain("builder: saved\ntester: saved\nwriter: saved\n");
  expect(workspace.state("builder")).not.toHaveProperty("SESSION_ID", "orchestrator");
});

test.skipIf(!has("python3"))("the program that watches tells each transition once", async () => {
  const workspace = project();
  workspace.context("lifecycle.save builder");
  const { child, ended, said } = begin(workspace, "python3", example("python"));
  // Until it watches, what is done is told by its question alone.
  for (let round = 0; child.exitCode === null && round < 40; round++) {
    workspace.context("lifecycle.recover builder");
    workspace.context("lifecycle.save builder");
    const heard = await Promise.race([said("builder saved").then(() => true), pause(250)]);
    if (heard === true) break;
  }
  workspace.context("lifecycle.init writer");
  await said("writer active");
  workspace.context("lifecycle.save tester");
  await said("tester saved");
  child.kill("SIGTERM");
  const ran = await ended;
  // Whom it started ends with the first line that nobody takes.
  workspace.context("lifecycle.recover tester");
  const lines = ran.stdout.split("\n").filter((line) => /^tester|^writer/.test(line));
  expect(lines).toEqual(["writer active", "tester active", "tester saving", "tester saved"]);
});

test.each([
  ["context-missing", 1, "lifecycle.save nobody --json"],
  ["context-invalid", 1, "lifecycle.save empty --json"],
  ["no-machine", 1, "lifecycle.recover nobody --json"],
  ["event-refused", 1, "lifecycle.save builder --json"],
  ["owned-by-another", 1, "lifecycle.save writer --json"],
  ["state-corrupt", 1, "lifecycle.status tester --json"],
  ["usage", 2, "lifecycle.save No-Role --json"],
  ["timed-out", 3, "lifecycle.wait builder --for saved --timeout 0 --json"],
])("%s is exit code %d", (code, exit, words) => {
  const workspace = project();
  workspace.role("empty", "");
  for (const role of ROLES) workspace.context(`lifecycle.save ${role}`, { env: { CONTEXT_SESSION_ID: "its-own" } });
  workspace.setState("builder", { CURRENT: "compacting", SINCE: new Date().toISOString() });
  workspace.write("session/stateMachines/tester.states.env", "rubbish");
  // An orchestrator that is no session: the role's own agent is at work where it saves.
  const session = words.includes("writer") ? "another" : words.includes("builder") ? "" : "its-own";
  const ran = workspace.context(words, { env: { CONTEXT_SESSION_ID: session } });
  expect({ exit: ran.code, code: JSON.parse(ran.stdout).error.code }).toEqual({ exit, code });
  expect(page).toMatch(new RegExp(`^\\| ${exit} \\|[^|]*\`${code}\``, "m"));
});

function pause(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds));
}

test.each([
  ["redis://127.0.0.1:1", "store-unreachable", 4],
  ["redis://127.0.0.1:1", "store-prefix", 1],
  ["http://127.0.0.1", "usage", 2],
])("what %s ends with stands in the table: %s", (address, code, exit) => {
  const env = { CONTEXT_STORE: address, ...(code === "store-prefix" ? {} : { CONTEXT_STORE_PREFIX: "page" }) };
  const ran = makeWorkspace().context("lifecycle.status --json", { env });
  expect(ran.code).toBe(exit);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code } });
  expect(page).toMatch(new RegExp(`^\\| ${exit} \\| .*\`${code}\``, "m"));
});

test("what is not cured by waiting is not said to be tried again", () => {
  for (const code of ["store-refused", "store-certificate", "store-library-missing"])
    expect(page).toMatch(new RegExp(`^\\| 4 \\| .*\`${code}\`.* \\| for a person`, "m"));
});
