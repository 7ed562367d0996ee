import { closeSync, openSync, writeSync } from "node:fs";
import { XmlDocument } from "libxml2-wasm";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/base/token-estimate.ts";
import { addSession, makeAcme, sessionsOf, sessionText, VERSIONS } from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { EVIL, RAW } from "../helpers/unsafe-text.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

interface TrailJson {
  readonly since?: string;
  readonly compactions?: number;
  readonly files?: readonly { readonly path: string; readonly change: string }[];
  readonly shell_files?: readonly { readonly path: string }[];
  readonly omitted?: Readonly<Record<string, number>>;
  readonly [section: string]: unknown;
}

function trail(workspace: Workspace, transcript: string, ...more: readonly string[]): string {
  const ran = workspace.context(["trail", transcript, ...more]);
  expect(ran, more.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout;
}

function trailJson(workspace: Workspace, transcript: string, ...more: readonly string[]): TrailJson {
  return JSON.parse(trail(workspace, transcript, "--format", "json", ...more));
}

/** Files that calls of the editing tools wrote, by whether the call succeeded; told from the records alone. */
function edits(text: string, root: string): { readonly done: readonly string[]; readonly failed: readonly string[] } {
  const paths = new Map<string, string>();
  const done = new Set<string>();
  const failed = new Set<string>();
  for (const line of text.split("\n").filter((row) => row !== "")) {
    const { type, message } = JSON.parse(line);
    for (const block of Array.isArray(message?.content) ? message.content : []) {
      if (type === "assistant" && block.type === "tool_use" && /^(?:Write|Edit|MultiEdit)$/.test(block.name)) {
        paths.set(block.id, String(block.input.file_path).slice(root.length + 1));
      }
      const path = paths.get(block.tool_use_id);
      if (type === "user" && block.type === "tool_result" && path !== undefined) {
        (block.is_error === true ? failed : done).add(path);
      }
    }
  }
  return { done: [...done].sort(), failed: [...failed].filter((path) => !done.has(path)) };
}

describe.each(VERSIONS)("sessions recorded with %s", (version) => {
  test("have every file that a successful call wrote in their trail, and no other", () => {
    const workspace = makeAcme();
    let written = 0;
    for (const name of sessionsOf(version)) {
      const transcript = addSession(workspace, name, version);
      const { done, failed } = edits(sessionText(version, name, workspace.root), workspace.root);
      const { files = [], omitted } = trailJson(workspace, transcript, "--budget", "1500");
      expect(files.map(({ path }) => path).sort(), name).toEqual(done);
      expect(omitted, name).toBeUndefined();
      const text = trail(workspace, transcript);
      for (const path of done) expect(text, name).toMatch(new RegExp(`^- (?:created|edited) ${path} \\(`, "m"));
      for (const path of failed) expect(text, name).not.toMatch(new RegExp(`^- (?:created|edited) ${path}`, "m"));
      written += done.length;
    }
    expect(written).toBeGreaterThanOrEqual(15);
  });
});

/** A long session with something in every section. */
function longSession(root: string): SessionLog {
  const log = new SessionLog(root).prompt("Make the parser fast; see https://example.com/issues/12 and #7.");
  log.bash("git checkout -b fast-parser", { says: "Switched to a new branch 'fast-parser'" });
  for (let count = 0; count < 40; count++) {
    log.edit(`src/module-${count}/a file with a longer name ${count}.ts`).read(`src/module-${count}/input.ts`);
    log.bash(`make step-${count} && echo "done" > out/${count}.txt`);
    log.bash(`cargo build -p part-${count}`, {
      failed: true,
      says: `error[E0${count}]: part ${count} <does> & "not" fit`,
    });
    log.prompt(`Now part ${count}: ${"explain why, in detail, ".repeat(10)}`);
  }
  log.bash('git commit -m "Faster"', { says: "[fast-parser abc1234] Faster\n 1 file changed" });
  log.bash("npm test", { failed: true, says: "Exit code 1\n Tests  2 failed | 30 passed (32)" });
  log.call("AskUserQuestion", { questions: [{ question: "Which one?" }] }, { open: true });
  log.call("Agent", { description: "Look up the notes", prompt: "…" }, { open: true });
  log
    .call("TodoWrite", { todos: [{ content: "Parse the rows", status: "in_progress" }] })
    .prompt("[Request interrupted by user]");
  return log.bash("sleep 100", { open: true });
}

const BUDGETS = [10, 20, 50, 51, 120, 199, 201, 350, 1500, 5000];

test.each(["md", "xml", "json"])("as %s keeps within every budget, and tells what it leaves out", (format) => {
  const workspace = makeWorkspace();
  const transcript = workspace.write("s.jsonl", longSession(workspace.root).text());
  let before = 0;
  for (const budget of BUDGETS) {
    const text = trail(workspace, transcript, "--format", format, "--budget", String(budget));
    expect(estimateTokens(text), `${budget}`).toBeLessThanOrEqual(budget);
    expect(text.endsWith("\n")).toBe(true);
    if (budget > 10) expect(text).toMatch(/left out|omitted/i);
    if (format === "json") expect(JSON.parse(text)).toMatchObject({ schema_version: 1 });
    if (format === "xml") XmlDocument.fromString(text).dispose();
    // More room is made use of.
    if (budget >= 350) {
      expect(text.length).toBeGreaterThan(before);
      expect(text).toContain("module-39");
      expect(text).toContain("Parse the rows");
    }
    before = text.length;
  }
});

test("tells what failed, what runs still, what is open, and what a person said", () => {
  const workspace = makeWorkspace();
  const transcript = workspace.write("s.jsonl", longSession(workspace.root).text());
  const all = trailJson(workspace, transcript, "--budget", "100000");
  expect(all).toMatchObject({
    since: "start",
    compactions: 0,
    todos: [{ text: "Parse the rows", status: "in_progress" }],
    commits: [{ title: "Faster", hash: "abc1234", branch: "fast-parser" }],
    tests: [{ command: "npm test", outcome: "failed", counts: expect.stringContaining("2 failed") }],
    stops: [{ kind: "interrupted" }],
  });
  expect(all.files).toHaveLength(40);
  expect(JSON.stringify(all.in_flight)).toContain("Look up the notes");
  expect(JSON.stringify(all.failures)).toContain("cargo build -p part-39");
  expect(JSON.stringify(all.references)).toContain("https://example.com/issues/12");
});

test("since the last compaction is told only what came after it", () => {
  const workspace = makeAcme();
  const transcript = addSession(workspace, "two-compacts");
  const paths = (json: TrailJson) => json.files?.map(({ path }) => path).sort();
  const after = ["02-discovery.md", "03-plan.md"].map((name) => `02-projects/27-xml-context/01-planning/${name}`);
  const before = ["01-planning/04-steps.md", "02-working/parser.md"].map((name) => `02-projects/24-demo/${name}`);
  const whole = trailJson(workspace, transcript);
  expect(whole).toMatchObject({ since: "start", compactions: 2 });
  expect(paths(whole)).toEqual([...before, ...after]);
  const since = trailJson(workspace, transcript, "--since-compaction");
  expect(since).toMatchObject({ since: "compaction", compactions: 2 });
  expect(paths(since)).toEqual(after);
  expect(trail(workspace, transcript, "--since-compaction")).toMatch(/^# Work trail, since the last compaction\n/);
  // Without one, it is all the same.
  const execution = addSession(workspace, "execution");
  expect(trail(workspace, execution, "--since-compaction")).toBe(trail(workspace, execution));
});

test("the same session gives the same bytes in any zone, language and folder", () => {
  const workspace = makeAcme();
  const transcript = addSession(workspace, "manual-compact");
  for (const format of ["md", "xml", "json"]) {
    const words = ["trail", transcript, "--format", format];
    const first = workspace.context(words);
    expect(first.stdout).not.toBe("");
    for (const more of [
      { env: { TZ: "Pacific/Kiritimati", LANG: "C", LC_ALL: "C" } },
      { env: { TZ: "America/St_Johns", LC_ALL: "zh_CN.GBK" }, cwd: workspace.path("02-projects/24-demo") },
    ]) {
      expect(workspace.context(words, more)).toEqual(first);
    }
  }
});

describe("without a transcript named", () => {
  test("it is the running session's, found by its id in the client's own folder", () => {
    const workspace = makeAcme();
    const [here, other] = [makeWorkspace(), makeWorkspace()];
    const [id, longer] = ["b9ff7b48-ef86-4ef0-86d3-7835c69ec06b", "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b-2"];
    const text = (path: string) => new SessionLog(workspace.root).edit(path).text();
    // Folders are named after a path in a way that nobody can read back.
    here.write(`projects/-Users-me-claude-code/${id}.jsonl`, text("found.md"));
    here.write(`projects/-home-dev-acme/${longer}.jsonl`, text("longer.md"));
    here.write("projects/a file", "x\n");
    other.write(`.claude/projects/x/${id}.jsonl`, text("home.md"));
    const run = (env: Readonly<Record<string, string>>) => workspace.context("trail", { env });
    const home = { HOME: other.root, CLAUDE_CODE_SESSION_ID: id };
    expect(run({ ...home, CLAUDE_CONFIG_DIR: here.root }).stdout).toContain("edited found.md");
    expect(run(home).stdout).toContain("home.md");
    expect(run({ ...home, CONTEXT_SESSION_ID: longer, CLAUDE_CONFIG_DIR: here.root }).stdout).toContain("longer.md");

    for (const session of [id.slice(0, 8), "none", `../x/${id}`, `${id}.jsonl`, "x".repeat(300), "a/b", "."]) {
      const ran = run({ HOME: other.root, CLAUDE_CODE_SESSION_ID: session });
      expect(ran, session).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain(`no transcript of session ${session}`);
    }
    const none = run({ HOME: other.root });
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("Name the transcript");
  });
});

test("budgets and formats that are none are refused with what is expected", () => {
  const workspace = makeAcme();
  const transcript = addSession(workspace, "chat");
  for (const budget of ["9", "0", "-1", "x", "1.5", "", "1e9", "Infinity"]) {
    const ran = workspace.context(["trail", transcript, `--budget=${budget}`, "--json"]);
    expect(ran, budget).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, error: { code: "usage" } });
  }
  expect(workspace.context(["trail", transcript, "--format", "yaml"])).toMatchObject({ code: 2, stdout: "" });
  expect(workspace.context(["trail", "none.jsonl"])).toMatchObject({ code: 1, stdout: "" });
});

test("what a terminal would act on is escaped in every format, within the budget, and keeps its value", () => {
  const workspace = makeWorkspace();
  // Colours of a terminal are no part of what was said.
  const evil = EVIL.replace("\u001B[2J", "").replace("\u2028", "");
  const log = new SessionLog(workspace.root).prompt(`do ${evil} ${"\u202E\u009B".repeat(400)}`);
  for (let count = 0; count < 30; count++) log.edit(`src/${count} ${evil}.ts`);
  log.bash(`run ${evil}`, { failed: true, says: `Error ${evil}` }).call("Agent", { description: evil }, { open: true });
  log.call("TodoWrite", { todos: [{ content: `todo ${evil}`, status: "in_progress" }] });
  const transcript = workspace.write("s.jsonl", log.text());
  for (const format of ["md", "xml", "json"]) {
    for (const budget of [60, 300, 1500, 20_000]) {
      const text = trail(workspace, transcript, "--format", format, "--budget", String(budget));
      expect(text).not.toMatch(RAW);
      expect(estimateTokens(text), `${format} ${budget}`).toBeLessThanOrEqual(budget);
      if (format === "xml") {
        const document = XmlDocument.fromString(text);
        if (budget === 20_000) expect(document.root.content).toContain("\u202Eevil\u2066\u0085\u200F\u007F.ts");
        document.dispose();
      }
    }
  }
  expect(trail(workspace, transcript, "--json")).toBe(trail(workspace, transcript, "--format", "json"));
  expect(trailJson(workspace, transcript, "--budget", "20000").files?.[0]?.path).toBe(`src/29 ${evil}.ts`);
});

test("a few short rows between long ones of the client's own do not hold the whole file in memory", () => {
  const workspace = makeWorkspace();
  const [count, apart] = [800, 250_000];
  const long = '{"type":"progress","data":"';
  const transcript = workspace.write("s.jsonl", long);
  const fd = openSync(transcript, "r+");
  for (let row = 1; row <= count; row++) {
    const { root } = workspace;
    writeSync(fd, `"}\n${new SessionLog(root).prompt(`ask for ${row}`).text()}${long}`, row * apart);
  }
  closeSync(fd);
  const ran = workspace.context(["trail", transcript, "--format", "json"], {
    env: { NODE_OPTIONS: "--max-old-space-size=60" },
  });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ran.stdout).omitted.requests).toBeGreaterThan(count / 2);
});
