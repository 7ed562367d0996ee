// Whole processes, each paired with an empty Node in the same run: ratios of medians, which hold on a noisy machine.
// `npm run bench` prints a table and `-- --page` writes it to docs/performance.md; `-- --runs 40` takes more runs, `-- save`
// only the rows whose name holds "save". The yardsticks do a part of the same job by other means. Where the native program was
// built (`npm run build:native`), what it does has a row of its own.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measurer, median } from "./measure.mjs";
import { writePage } from "./page.mjs";
import { makeFleet, makeTranscript, makeWorkspace, payload as payloadOf } from "./workspace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bin = join(root, "bin", "context.js");
const args = process.argv.slice(2);
const { values: asked, positionals: only } = parseArgs({
  args,
  allowPositionals: true,
  options: { page: { type: "boolean", default: false }, runs: { type: "string", default: "15" } },
});
const runs = Number(asked.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${asked.runs}: expected how often each side runs`);
const wants = (name) => only.length === 0 || only.some((word) => name.includes(word));

const work = mkdtempSync(join(tmpdir(), "context-bench-"));
const { timed, pair, empty } = measurer(work, join(root, "dist", "bundle", "code-cache"));
const rows = [];
/** Slow jobs are run less often. */
const few = Math.min(runs, 7);

const FILE = contextFile("oosh-expert", 0);

function contextFile(role, padding) {
  const filler = "- a line about something that was done, with a `path/to/file.ts` and a number 12345\n";
  return `# ${role} — Session Context

**Updated**: 2026-02-03T12:15Z
**Role**: ${role} (implementation & architecture)
**Pane**: 0.4 in cursorOrchestrator

## Recovery Steps
1. Read this file

## Completed Work
### Task 8: Agent navigation by name (DONE — commit c2c326f)
${filler.repeat(Math.ceil(padding / filler.length))}
## Pending
- none

## Key Files
- \`README.md\`
`;
}

function project(name, roles, padding = 0) {
  const folder = join(work, name);
  mkdirSync(join(folder, "session", "agents"), { recursive: true });
  for (let index = 0; index < roles; index++) {
    const role = index === 0 ? "oosh-expert" : `role-${index}`;
    writeFileSync(
      join(folder, "session", "agents", `${role}.context.md`),
      padding === 0 ? FILE : contextFile(role, padding),
    );
  }
  return folder;
}

/** A row beside an empty Node, or beside a job that has a name of its own. */
function compare(name, job, { base = empty, baseName = "empty Node", count = runs, limit = null } = {}) {
  if (!wants(name)) return;
  add({ name, base: baseName, limit, ...pair(typeof job === "function" ? job() : job, base, count) });
}

/** The native program of this build; null where none was made. */
const native = findNative();

function findNative() {
  const id = readFileSync(join(root, "dist", "bundle", "build-id"), "utf8").trim();
  const path = join(root, "dist", "native", `context-${id}`);
  return existsSync(path) ? path : null;
}

/** A command by Node and, where there is one, by the native program, in a session of its own: one session is not told the same twice. */
function compareBoth(name, words, more, { limit = null, nativeLimit, ...rest } = {}) {
  compare(name, context(words, more), { limit, ...rest });
  if (native === null) return;
  const input = more.input?.replace('"session_id":"', "$&native-");
  compare(`native: ${name}`, { file: native, args: words, ...more, input }, { limit: nativeLimit, ...rest });
}

function add(row) {
  rows.push(row);
  const { name, ms, base, baseMs, ratio, peak } = row;
  const memory = peak == null ? "" : `  peak ${peak.toFixed(0)} MB`;
  console.log(
    `${name.padEnd(52)} ${ms.toFixed(1).padStart(8)} ms  ${base} ${baseMs?.toFixed(1) ?? "-"} ms  ${ratio?.toFixed(2) ?? "-"}${memory}`,
  );
}

const context = (words, more = {}) => ({ args: [bin, ...words], ...more });

/** The interpreter itself: what stands on the PATH may be a script that looks for it. Null where there is none. */
function findPython() {
  const found = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : null;
}

/** A start remembers only what has lain still for two seconds. */
const SETTLED_MS = 2100;
const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS));

async function everyday() {
  const small = project("small", 1);
  const here = { cwd: small };
  if (only.length === 0 || wants("lifecycle.save") || wants("lifecycle.recover"))
    timed(context(["lifecycle.init", "oosh-expert"], here));
  compare("--help", context(["--help"], here), { limit: 1.9 });
  compareBoth("lifecycle.save", ["lifecycle.save", "oosh-expert"], here, { limit: 1.5, nativeLimit: 0.5 });
  compare("lifecycle.recover", context(["lifecycle.recover", "oosh-expert"], here));
  if (wants("lifecycle.status, one role")) {
    // Of a role that changed within the last two seconds nothing is remembered.
    const touch = () => appendFileSync(join(small, "session", "agents", "oosh-expert.context.md"), "\n");
    compare(
      "lifecycle.status, one role that has just changed",
      context(["lifecycle.status"], { ...here, before: touch }),
    );
    await settle();
    timed(context(["lifecycle.status"], here));
    compareBoth("lifecycle.status, one role", ["lifecycle.status"], here, { limit: 1.4, nativeLimit: 0.5 });
  }
  compare("validate, one file", context(["validate", "oosh-expert"], here));
  compare("recover", context(["recover", "oosh-expert"], here));
}

function hooks() {
  const nothing = makeWorkspace(join(work, "nothing"), 0, 0);
  const hook = (name, more = {}) => ({
    file: "/bin/sh",
    args: [join(root, ".claude", "hooks", `${name}.sh`)],
    cwd: nothing,
    input: payloadOf("PreCompact", join(work, "none.jsonl")),
    env: { CLAUDE_PROJECT_DIR: nothing, ...more },
  });
  compare("gate.sh, nothing to read", hook("gate"), { limit: 0.1 });
  compare("pre-compact.sh, nothing to save", hook("pre-compact"), { limit: 0.1 });
  compare("session-start.sh, CONTEXT_DISABLED=1", hook("session-start", { CONTEXT_DISABLED: "1" }), { limit: 0.1 });
}

function preCompact() {
  if (!wants("pre-compact, transcript") && !wants("session-start, after a compaction") && !wants("thread, transcript"))
    return;
  const workspace = makeWorkspace(join(work, "acme"), 100, 50);
  const transcript = Object.fromEntries(
    [
      ["1 MB", 1e6],
      ["5 MB", 5e6],
      ["200 MB", 2e8],
      ["1 GB", 1e9],
    ].map(([name, bytes]) => [name, makeTranscript(join(work, `${name}.jsonl`), workspace, bytes, name === "1 GB")]),
  );
  const input = (name) => payloadOf("PreCompact", transcript[name], { trigger: "auto" });
  const given = (name) => ({ cwd: workspace, input: input(name) });
  const job = (name, ...words) => context(["pre-compact", ...words], given(name));
  for (const name of ["1 MB", "200 MB", "1 GB"]) {
    compareBoth(`pre-compact, transcript of ${name}`, ["pre-compact"], given(name), { limit: 1.3, nativeLimit: 0.5 });
  }
  compare("pre-compact, transcript of 1 GB beside 1 MB", job("1 GB"), { base: job("1 MB"), baseName: "1 MB" });
  compare("pre-compact --guidance, transcript of 5 MB", job("5 MB", "--guidance"));
  const python = findPython();
  if (python !== null) {
    const script = join(root, "tests", "bench", "yardsticks", "pre_compact.py");
    const yardstick = { file: python, args: [script], cwd: workspace, input: input("200 MB") };
    compare("yardstick: pre-compact in Python, transcript of 200 MB", yardstick);
    compare("pre-compact beside Python, transcript of 200 MB", job("200 MB"), { base: yardstick, baseName: "Python" });
  }
  const compacted = payloadOf("SessionStart", transcript["5 MB"], { source: "compact" });
  compareBoth(
    "session-start, after a compaction, transcript of 5 MB",
    ["session-start"],
    { cwd: workspace, input: compacted },
    { nativeLimit: 1 },
  );
  compare("thread, transcript of 5 MB", context(["thread", transcript["5 MB"]], { cwd: workspace }), { count: few });
}

async function sessionStart() {
  const input = payloadOf("SessionStart", join(work, "none.jsonl"), { source: "startup" });
  for (const [skills, projects] of [
    [0, 0],
    [100, 50],
    [200, 100],
    [1000, 500],
  ]) {
    const name = skills === 0 ? "empty workspace" : `${skills} skills, ${projects} projects`;
    if (
      !wants(`session-start, ${name}`) &&
      !wants(`session-start, ${name}, cold`) &&
      !wants(`session-start, ${name}, warm`)
    )
      continue;
    const folder = makeWorkspace(join(work, `w${skills}`), skills, projects);
    const start = context(["session-start"], { cwd: folder, input });
    const before = () => rmSync(join(folder, "session", ".cache"), { recursive: true, force: true });
    const held = skills === 200;
    await settle();
    const cold = { limit: held ? 2 : null, nativeLimit: held ? 1 : null, count: skills > 500 ? few : runs };
    compareBoth(`session-start, ${name}, cold`, ["session-start"], { cwd: folder, input, before }, cold);
    // What the first of the cold runs made is remembered by none before it has settled.
    await settle();
    timed(start);
    timed(start);
    const most = held ? 1.6 : skills === 1000 ? 2.2 : null;
    compareBoth(
      `session-start, ${name}, warm`,
      ["session-start"],
      { cwd: folder, input },
      { limit: most, nativeLimit: 1 },
    );
    if (projects === 0) continue;
    const steps = join(
      folder,
      "02-projects",
      readdirSync(join(folder, "02-projects"))[0] ?? "",
      "01-planning",
      "04-steps.md",
    );
    const change = () => appendFileSync(steps, "- [ ] one more\n");
    compare(`session-start, ${name}, one file changed`, { ...start, before: change });
  }
}

async function fleets() {
  for (const roles of [10, 1000, 10_000]) {
    if (!wants(`lifecycle.status, ${roles} roles`) && !wants(`lifecycle.status --brief, ${roles} roles`)) continue;
    const folder = makeFleet(join(work, `fleet-${roles}`), roles, contextFile);
    const count = roles > 1000 ? few : runs;
    const brief = context(["lifecycle.status", "--brief"], { cwd: folder });
    // The first run of all reads every file, and remembers what had settled; the others read those that have changed.
    await settle();
    timed(context(["lifecycle.status"], { cwd: folder }));
    compare(`lifecycle.status --brief, ${roles} roles`, brief, { count });
    const limit = roles === 1000 ? 1.8 : roles === 10_000 ? 6 : null;
    compare(`lifecycle.status, ${roles} roles`, context(["lifecycle.status"], { cwd: folder }), { count, limit });
    const file = spawnSync("bash", ["--version"]).status === 0 ? "bash" : null;
    if (file === null) continue;
    const grep = { file, args: [join(root, "tests", "bench", "yardsticks", "status.sh")], cwd: folder };
    compare(`lifecycle.status --brief beside grep, ${roles} roles`, brief, {
      base: grep,
      baseName: "bash with grep",
      count,
    });
  }
}

/** From the transition of a role to the end of a process that waits for it. */
async function waiting() {
  if (!wants("lifecycle.wait")) return;
  const here = { cwd: project("wait", 1) };
  timed(context(["lifecycle.init", "oosh-expert"], here));
  const history = join(here.cwd, "session", "stateMachines", "oosh_expert.history.jsonl");
  const delays = [];
  for (let run = 0; run < Math.min(runs, 9); run++) {
    const child = spawn(process.execPath, [bin, "lifecycle.wait", "oosh-expert", "--for", "saved"], {
      ...here,
      env: { PATH: process.env.PATH, HOME: work },
    });
    const ended = new Promise((resolve) => child.once("exit", () => resolve(Date.now())));
    await new Promise((resolve) => setTimeout(resolve, 400));
    timed(context(["lifecycle.save", "oosh-expert"], here));
    delays.push((await ended) - statSync(history).mtimeMs);
    timed(context(["lifecycle.recover", "oosh-expert"], here));
  }
  add({
    name: "lifecycle.wait, from the transition to its exit",
    base: "-",
    limit: null,
    ms: median(delays),
    baseMs: null,
    ratio: null,
    peak: null,
  });
}

function validateAll() {
  if (!wants("validate.all")) return;
  const many = project("many", 2000, 20_000);
  const reader = join(work, "read-all.cjs");
  const folder = JSON.stringify(join(many, "session", "agents"));
  writeFileSync(
    reader,
    `const fs = require("node:fs"), folder = ${folder};\nfor (const name of fs.readdirSync(folder)) fs.readFileSync(folder + "/" + name, "utf8");`,
  );
  const options = { base: { args: [reader] }, baseName: "reading them", count: few };
  compare("validate.all, 2000 files of 20 kB", context(["validate.all"], { cwd: many }), options);
}

/** In one process of its own: see there. */
function threads() {
  if (!wants("serializeThread")) return;
  const script = join(root, "tests", "bench", "thread.mjs");
  const lines = execFileSync(process.execPath, [script, String(runs)], { encoding: "utf8" })
    .trim()
    .split("\n");
  for (const line of lines) {
    const { text, builder, ratio, ms, stringify_ms, builder_ms } = JSON.parse(line);
    if (text !== "mixed") continue;
    const none = { limit: null, peak: null };
    if (builder === undefined) {
      add({
        name: "serializeThread, 10 000 events",
        base: "JSON.stringify",
        ms,
        baseMs: stringify_ms,
        ratio,
        ...none,
        limit: 1.5,
      });
    } else
      add({
        name: `yardstick: ${builder}, 10 000 events`,
        base: "serializeThread",
        ms: builder_ms,
        baseMs: ms,
        ratio,
        ...none,
      });
  }
}

const began = loadavg()[0];
try {
  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, ${runs} runs a row\n`,
  );
  await everyday();
  hooks();
  preCompact();
  await sessionStart();
  await fleets();
  await waiting();
  validateAll();
  threads();
  if (asked.page) {
    const load = [began, loadavg()[0]];
    writePage(join(root, "docs", "performance.md"), rows, {
      runs,
      load,
      words: ["npm run bench --", ...args].join(" "),
    });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
