import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

/** A window title, a cleared screen, an 8-bit escape, a swallowed line, reversed text, an isolate, a bell and a line separator. */
const EVIL = "\u001B]0;owned\u0007\u001B[2J\u009B31m\r\b\u202Eevil\u2066\u2028\u0085\u200F\u007F";

/** Anything that a terminal acts on, or that reorders what a person reads; newlines and tabs aside. */
const RAW = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/;

function hostileProject(): Workspace {
  const workspace = makeWorkspace();
  const parts = { title: `# Bad ${EVIL} Agent - Context`, pane: EVIL, updated: `2026-02-30 ${EVIL}` };
  workspace.role("bad-role", contextText({ ...parts, steps: [EVIL], keyFiles: [`src/${EVIL}`], more: [`## ${EVIL}`] }));
  workspace.role(
    "oosh-expert",
    contextText({ pane: EVIL, keyFiles: [`src/${EVIL}`], more: [EVIL], steps: ["Read this file", EVIL] }),
  );
  writeFileSync(join(workspace.root, `${EVIL.replaceAll("/", "")}.md`), `${EVIL}\n`);
  workspace.write("context.yaml", `recovery: {architecture: ${JSON.stringify(`docs/${EVIL}`)}}\n`);
  return workspace;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["lifecycle.save", "oosh-expert"],
  ["lifecycle.save", "bad-role"],
  ["lifecycle.pre.compact", "bad-role"],
  ["lifecycle.status"],
  ["lifecycle.history", "oosh-expert"],
  ["recover", "oosh-expert"],
  ["recover", "bad-role"],
  ["validate", "bad-role", `${EVIL}.md`, `missing ${EVIL}.md`],
  ["validate.all"],
  ["validate", "bad-role", `${EVIL}.md`, "--format=github"],
  ["validate", "bad-role", `${EVIL}.md`, "--format=sarif"],
  ["recover", `role ${EVIL}`],
  [`recover${EVIL}`],
  ["recover", `--${EVIL}`],
  ["-C", `/no/${EVIL}`, "recover"],
  ["pre-compact", "--guidance"],
  ["lifecycle.init", "other-role"],
];

describe("control characters and reordering marks from files, arguments and the environment", () => {
  test.each([["as text"], ["as JSON"]])("reach a terminal only as escapes, %s", (form) => {
    const workspace = hostileProject();
    const env = { CLAUDE_CODE_SESSION_ID: `s ${EVIL}`, HIVEMIND_ROLE: "bad-role" };
    // A recovery by another session names the first one's id.
    for (const [index, words] of [...COMMANDS, ...COMMANDS.slice(0, 7)].entries()) {
      const session = index < COMMANDS.length ? env : { ...env, CLAUDE_CODE_SESSION_ID: "second" };
      const ran = workspace.context([...words, ...(form === "as JSON" ? ["--json"] : [])], { env: session });
      expect(ran.code, words.join(" ")).not.toBe(70);
      for (const output of [ran.stdout, ran.stderr]) {
        expect(output.split("\n").find((line) => RAW.test(line)) ?? null, words.join(" ")).toBeNull();
      }
    }
  });

  test("keep their value in JSON", () => {
    const workspace = hostileProject();
    const value: unknown = JSON.parse(workspace.context("recover bad-role --json").stdout);
    expect(value).toMatchObject({ context: { text: workspace.read("session/agents/bad-role.context.md") } });
  });

  test("of a state file and a history are shown as escapes too", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.save oosh-expert");
    const history = "session/stateMachines/oosh_expert.history.jsonl";
    workspace.write(history, workspace.read(history).replaceAll('"lifecycle.save"', JSON.stringify(`by ${EVIL}`)));
    const shown = workspace.context("lifecycle.history oosh-expert");
    expect(shown.stdout).toContain("by \\u{1b}]0;owned");
    expect(shown.stdout.replaceAll("\n", "")).not.toMatch(RAW);

    workspace.setState("oosh-expert", { CURRENT: `'${EVIL.replaceAll("\r", "")}'` });
    for (const words of ["lifecycle.status", "lifecycle.save oosh-expert", "lifecycle.history oosh-expert"]) {
      const ran = workspace.context(words);
      expect(ran.stderr).toContain("STATE_CURRENT=");
      expect((ran.stdout + ran.stderr).replaceAll("\n", "")).not.toMatch(RAW);
    }
  });

  test("of a skill's folder are shown as escapes, whose name no front matter says", () => {
    const workspace = makeWorkspace();
    const name = EVIL.replaceAll("/", "");
    workspace.write(`03-skills/${name}/SKILL.md`, "# No front matter\n");
    workspace.write(`03-skills/${name}/${name}/SKILL.md`, "");
    const { code, stdout, stderr } = workspace.context("skills");
    expect({ code, raw: `${stdout}${stderr}`.split("\n").find((line) => RAW.test(line)) ?? null }).toEqual({
      code: 0,
      raw: null,
    });
    expect(stdout).toContain("\\u{1b}[2J");
  });

  test("of a folder and of the project's own are shown as escapes", () => {
    const workspace = makeWorkspace();
    const folder = `a ${EVIL.replaceAll("/", "")}`;
    workspace.write(`${folder}/context.yaml`, `layout: {projects: ${JSON.stringify(folder)}}\n`);
    const out = `${folder}.out`;
    const lines = [
      "new tester",
      "lifecycle.save tester",
      "projects",
      "report",
      ["report", "--out", out],
      ["lifecycle.export", "--out", out],
    ];
    for (const line of lines) {
      const words = typeof line === "string" ? line.split(" ") : line;
      const ran = workspace.context(["-C", folder, ...words]);
      expect(ran.code, words.join(" ")).toBe(words[0] === "lifecycle.export" ? 1 : 0);
      expect((ran.stdout + ran.stderr).replaceAll("\n", ""), words.join(" ")).not.toMatch(RAW);
    }
  });

  test("of a file's name are shown as escapes", () => {
    const workspace = makeWorkspace();
    mkdirSync(workspace.path("session/agents"), { recursive: true });
    workspace.write(`session/agents/${EVIL}.context.md`, "x\n");
    for (const format of ["pretty", "github", "sarif", "json"]) {
      const ran = workspace.context(`validate.all --format ${format}`);
      expect(ran.code).toBe(1);
      expect((ran.stdout + ran.stderr).replaceAll("\n", "")).not.toMatch(RAW);
    }
  });
});
