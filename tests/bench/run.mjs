// Whole processes, each paired with an empty Node in the same run: ratios of medians, which hold on a noisy machine.
// `npm run bench` prints a table; `npm run bench -- --runs 40` takes more runs, `-- save` only the rows whose name holds "save".
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFleet, makeTranscript, makeWorkspace, payload as payloadOf } from "./workspace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bin = join(root, "bin", "context.js");
const args = process.argv.slice(2);
const runs = Number(args[args.indexOf("--runs") + 1] || 0) || 25;
const only = args.filter((word) => !word.startsWith("--") && !/^\d+$/.test(word));

const work = mkdtempSync(join(tmpdir(), "context-bench-"));
const env = { PATH: process.env.PATH, HOME: work };

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

function timed(command, options) {
  const start = process.hrtime.bigint();
  const result = spawnSync(process.execPath, command, { env, encoding: "utf8", maxBuffer: 2 ** 26, ...options });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (result.status !== 0) throw new Error(`${command.join(" ")}: exit ${result.status}\n${result.stderr}`);
  return milliseconds;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** From the transition of a role to the end of a process that waits for it, and what that costs beside starting it. */
async function waitRow() {
  const folder = project("wait", 1);
  timed([bin, "lifecycle.init", "oosh-expert"], { cwd: folder });
  const history = join(folder, "session", "stateMachines", "oosh_expert.history.jsonl");
  const delays = [];
  for (let run = 0; run < Math.min(runs, 15); run++) {
    const child = spawn(process.execPath, [bin, "lifecycle.wait", "oosh-expert", "--for", "saved"], {
      cwd: folder,
      env,
    });
    const ended = new Promise((resolve) => child.once("exit", () => resolve(Date.now())));
    await new Promise((resolve) => setTimeout(resolve, 400));
    timed([bin, "lifecycle.save", "oosh-expert"], { cwd: folder });
    const written = statSync(history).mtimeMs;
    delays.push((await ended) - written);
    timed([bin, "lifecycle.recover", "oosh-expert"], { cwd: folder });
  }
  console.log(`${"lifecycle.wait, from transition to exit".padEnd(44)} ${median(delays).toFixed(1).padStart(8)} ms`);
}

const wants = (topic) => only.length === 0 || only.some((word) => topic.includes(word) || word.includes(topic));
const rows = [];
function compare(name, measured, base, baseName = "empty Node", count = runs) {
  if (only.length > 0 && !only.some((word) => name.includes(word))) return;
  const a = [];
  const b = [];
  measured();
  base();
  for (let run = 0; run < count; run++) {
    a.push(measured());
    b.push(base());
  }
  const row = { name, ms: median(a), base: baseName, baseMs: median(b), ratio: median(a) / median(b) };
  rows.push(row);
  console.log(
    `${name.padEnd(44)} ${row.ms.toFixed(1).padStart(8)} ms  ${baseName} ${row.baseMs.toFixed(1)} ms  ratio ${row.ratio.toFixed(2)}`,
  );
}

try {
  writeFileSync(join(work, "empty.cjs"), "");
  const empty = () => timed([join(work, "empty.cjs")], {});
  const small = project("small", 1);
  const run =
    (...words) =>
    () =>
      timed([bin, ...words], { cwd: small });
  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, ${runs} runs a row\n`,
  );
  run("lifecycle.init", "oosh-expert")();
  compare("lifecycle.status", run("lifecycle.status"), empty);
  if (wants("lifecycle.status")) {
    for (const roles of [10, 1000, 10_000]) {
      const folder = makeFleet(join(work, `fleet-${roles}`), roles, contextFile);
      const status =
        (...words) =>
        () =>
          timed([bin, "lifecycle.status", ...words], { cwd: folder });
      const count = roles === 10_000 ? Math.min(runs, 9) : runs;
      compare(`lifecycle.status --brief, ${roles} roles`, status("--brief"), empty, undefined, count);
      // The first run, which is not counted, reads every file; the others those that have changed.
      compare(`lifecycle.status, ${roles} roles, seen before`, status(), empty, undefined, count);
    }
  }
  if (wants("lifecycle.wait")) await waitRow();
  compare("lifecycle.save", run("lifecycle.save", "oosh-expert"), empty);
  compare("lifecycle.recover", run("lifecycle.recover", "oosh-expert"), empty);
  compare("validate, one file", run("validate", "oosh-expert"), empty);
  compare("recover", run("recover", "oosh-expert"), empty);
  const payload = JSON.stringify({ session_id: "bench", hook_event_name: "PreCompact", trigger: "auto" });
  const hook = (role) => () =>
    timed([bin, "pre-compact"], {
      cwd: small,
      input: payload,
      env: { ...env, ...(role === null ? {} : { HIVEMIND_ROLE: role }) },
    });
  compare("pre-compact, no role", hook(null), empty);
  compare("pre-compact, with a role", hook("oosh-expert"), empty);
  compare("--help", run("--help"), empty);

  const hookRow = (name, workspace, words, input, base = empty, baseName = undefined) =>
    compare(name, () => timed([bin, ...words], { cwd: workspace, input }), base, baseName);
  if (wants("transcript") || wants("session-start")) {
    const workspace = makeWorkspace(join(work, "acme"), 100, 50);
    const transcripts = {};
    for (const [name, bytes] of [
      ["1 MB", 1e6],
      ["5 MB", 5e6],
      ["200 MB", 2e8],
      ["1 GB", 1e9],
    ]) {
      transcripts[name] = makeTranscript(join(work, `${name}.jsonl`), workspace, bytes, name === "1 GB");
      const input = payloadOf("PreCompact", transcripts[name], { trigger: "auto" });
      hookRow(`pre-compact, ${name} transcript`, workspace, ["pre-compact"], input);
    }
    const big = payloadOf("PreCompact", transcripts["1 GB"], { trigger: "auto" });
    const little = payloadOf("PreCompact", transcripts["1 MB"], { trigger: "auto" });
    hookRow(
      "pre-compact, 1 GB against 1 MB transcript",
      workspace,
      ["pre-compact"],
      big,
      () => timed([bin, "pre-compact"], { cwd: workspace, input: little }),
      "1 MB",
    );
    hookRow(
      "pre-compact --guidance, 5 MB transcript",
      workspace,
      ["pre-compact", "--guidance"],
      payloadOf("PreCompact", transcripts["5 MB"]),
    );
    hookRow(
      "session-start, compact, 5 MB transcript",
      workspace,
      ["session-start"],
      payloadOf("SessionStart", transcripts["5 MB"], { source: "compact" }),
    );
    const start = payloadOf("SessionStart", join(work, "none.jsonl"), { source: "startup" });
    hookRow("session-start, empty workspace", makeWorkspace(join(work, "none"), 0, 0), ["session-start"], start);
    for (const [skills, projects] of [
      [100, 50],
      [200, 100],
      [1000, 500],
    ]) {
      const folder = makeWorkspace(join(work, `w${skills}`), skills, projects);
      const cold = () => {
        rmSync(join(folder, "session", ".cache"), { recursive: true, force: true });
        return timed([bin, "session-start"], { cwd: folder, input: start });
      };
      compare(`session-start, ${skills} skills, ${projects} projects, cold`, cold, empty);
      hookRow(`session-start, ${skills} skills, ${projects} projects, warm`, folder, ["session-start"], start);
    }
  }

  if (only.length === 0 || only.some((word) => "validate.all".includes(word))) {
    const many = project("many", 2000, 20_000);
    const reader = join(work, "read-all.cjs");
    writeFileSync(
      reader,
      `const fs = require("node:fs"), path = require("node:path"), folder = ${JSON.stringify(join(many, "session", "agents"))};
for (const name of fs.readdirSync(folder)) fs.readFileSync(path.join(folder, name), "utf8");`,
    );
    compare(
      "validate.all, 2000 files of 20 kB",
      () => timed([bin, "validate.all"], { cwd: many }),
      () => timed([reader], {}),
      "reading them",
      Math.min(runs, 9),
    );
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
