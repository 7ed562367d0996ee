// Which lines the tests run: `npm run coverage`. A copy of the repository is built with source maps, and the tests run there:
// what they call themselves is counted by vitest, and each process of the program that they start writes down what it ran
// (record.cjs). A line counts as run where either did. The pure rooms count by the tests' own calls alone.
//   npm run coverage                       everything, then the gate
//   npm run coverage -- tests/base         these tests, without the gate
//   npm run coverage -- --last --missing   no tests: what the last run saw, and each line that no test ran
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ROOMS } from "../mutation/rooms.mjs";
import { linesOfProcesses } from "./processes.mjs";
import { report } from "./report.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "reports", "coverage");
const tree = join(folder, "tree");
const raw = join(folder, "raw");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { last: { type: "boolean", default: false }, missing: { type: "boolean", default: false } },
});

/** These look at the build, the package or the clock, which are others here. */
const LEFT_OUT = [
  "tests/bundles.test.ts",
  "tests/floors.test.ts",
  "tests/generated-files.test.ts",
  "tests/package.test.ts",
  "tests/install/plugin.test.ts",
  "tests/platform/code-cache.test.ts",
  "**/speed.test.ts",
];

if (!values.last) {
  layTree();
  run("node", ["--import", join(root, "tests", "coverage", "with-maps.mjs"), "scripts/build.mjs"]);
  // What V8 compiled at an earlier run would say less: a file stands where it would be kept.
  writeFileSync(join(tree, "dist", "bundle", "code-cache"), "");
  runTests();
}
const counted = JSON.parse(readFileSync(join(folder, "own", "coverage-final.json"), "utf8"));
const good = report(counted, linesOfProcesses(raw, tree), { tree, rooms: ROOMS, missing: values.missing });
process.exitCode = good || positionals.length > 0 ? 0 : 1;

/** All that git knows or would know, and the libraries; the program's entry first says what it is to record. */
function layTree() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(raw, { recursive: true });
  // Some tests start the program as another user.
  chmodSync(raw, 0o777);
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) throw new Error(`git does not list the files: ${listed.stderr}`);
  for (const name of listed.stdout.split("\0")) {
    if (name === "" || !existsSync(join(root, name))) continue;
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    cpSync(join(root, name), join(tree, name), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  const entry = join(tree, "bin", "context.js");
  const recorder = JSON.stringify(join(root, "tests", "coverage", "record.cjs"));
  const place = JSON.stringify({ raw, bundles: join(tree, "dist", "bundle") });
  const text = readFileSync(entry, "utf8");
  writeFileSync(entry, text.replace('"use strict";\n', `"use strict";\nrequire(${recorder}).record(${place});\n`));
}

function runTests() {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const counting = [
    "--coverage.enabled",
    "--coverage.provider=v8",
    "--coverage.include=src/**/*.ts",
    "--coverage.reporter=json",
    "--coverage.reportOnFailure",
    `--coverage.reportsDirectory=${join(folder, "own")}`,
    // Counting takes time, and a test that is slow is none that fails.
    "--testTimeout=300000",
  ];
  const excluded = LEFT_OUT.map((name) => `--exclude=${name}`);
  run("node", [vitest, "run", "--config", "tests/vitest.config.ts", ...counting, ...excluded, ...positionals]);
}

function run(program, words) {
  const file = program === "node" ? process.execPath : program;
  // Each start of the program is a process that writes down what it ran.
  const env = { ...process.env, CONTEXT_TEST_PROCESSES: "1" };
  const ran = spawnSync(file, words, { cwd: tree, stdio: "inherit", env });
  if (ran.status !== 0) console.error(`${words.join(" ")} ended with ${ran.status ?? ran.signal}`);
}
