// The hooks' own work, without starting a process: cold in a fresh process each, and warm. Prints the 95th percentile.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makeTranscript, makeWorkspace } from "./workspace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "context-bench-"));
const RUNS = 20;

const SOURCE = `
import { preCompact } from ${JSON.stringify(join(root, "src/commands/pre-compact/pre-compact.ts"))};
import { sessionStart } from ${JSON.stringify(join(root, "src/commands/session-start/session-start.ts"))};
import { projectPaths } from ${JSON.stringify(join(root, "src/stores/paths.ts"))};
const [folder, hook, transcript, source, warm] = process.argv.slice(2);
const now = new Date();
const context = { paths: projectPaths(folder, {}), env: {}, cwd: folder, now: () => now, invokedAs: "context" };
const base = { role: null, sessionId: "bench", transcriptPath: transcript, cwd: folder };
const run = () => hook === "pre-compact"
  ? preCompact(context, { ...base, trigger: "auto", requireSaved: false, wantsGuidance: source === "guidance" })
  : sessionStart(context, { ...base, source, part: null, whole: false, live: true });
(async () => {
  const times = [];
  for (let index = 0; index < Number(warm); index++) {
    const from = process.hrtime.bigint();
    await run();
    times.push(Number(process.hrtime.bigint() - from) / 1e6);
  }
  console.log(JSON.stringify(times));
})();
`;

function percentile(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)];
}

try {
  const entry = join(work, "entry.ts");
  const outfile = join(work, "entry.cjs");
  writeFileSync(entry, SOURCE);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
    nodePaths: [join(root, "node_modules")],
  });
  const workspace = makeWorkspace(join(work, "acme"), 100, 50);
  const env = { PATH: process.env.PATH, HOME: work };
  const measure = (name, hook, transcript, source) => {
    const times = (count) =>
      JSON.parse(
        execFileSync(process.execPath, [outfile, workspace, hook, transcript, source, String(count)], {
          env,
          encoding: "utf8",
        }),
      );
    const cold = Array.from({ length: RUNS }, () => times(1)[0]);
    console.log(
      `${name.padEnd(52)} cold ${percentile(cold).toFixed(1).padStart(7)} ms   warm ${percentile(
        times(RUNS + 5).slice(5),
      )
        .toFixed(1)
        .padStart(7)} ms   (95th percentile of ${RUNS})`,
    );
  };
  const fixtures = join(root, "tests/fixtures/claude-code/2.1.332/transcripts");
  for (const name of ["execution", "two-compacts"]) {
    const path = join(work, `${name}.jsonl`);
    writeFileSync(path, readFileSync(join(fixtures, `${name}.jsonl`), "utf8").replaceAll("/home/dev/acme", workspace));
    measure(`pre-compact, fixture ${name}`, "pre-compact", path, "plain");
  }
  const large = makeTranscript(join(work, "200.jsonl"), workspace, 2e8);
  measure("pre-compact, 200 MB transcript", "pre-compact", large, "plain");
  measure("pre-compact --guidance, 200 MB transcript", "pre-compact", large, "guidance");
  const five = makeTranscript(join(work, "5.jsonl"), workspace, 5e6);
  measure("session-start, compact, 5 MB transcript", "session-start", five, "compact");
  measure("session-start, startup, 100 skills, 50 projects", "session-start", five, "startup");
} finally {
  rmSync(work, { recursive: true, force: true });
}
