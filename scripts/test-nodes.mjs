#!/usr/bin/env node
// Runs the tests under other versions of Node, which npm installs into a folder that git does not see.
//   npm run test:nodes                     under the versions below
//   npm run test:nodes -- 22 tests/cli     under Node 22, the files whose path holds that
//   npm run test:nodes -- --quick          the few that would notice another Node first: hooks, lifecycle, streams, locks
// The build is the one that is there: what is tested is that it runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The newest of each line that the package says it supports, beside the one in use. */
const PINNED = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0", 26: "26.10.0" };

/** What a client and an agent start all the time, by real processes, and what leans on Node's own: input, locks, compiled code. */
const QUICK = [
  "tests/e2e/command-line.test.ts",
  "tests/e2e/gate.test.ts",
  "tests/e2e/lifecycle.test.ts",
  "tests/e2e/lifecycle-wait.test.ts",
  "tests/e2e/pre-compact-hook.test.ts",
  "tests/e2e/session-start-hook.test.ts",
  "tests/platform/code-cache.test.ts",
  "tests/platform/lock.test.ts",
  "tests/platform/stdin.test.ts",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const words = process.argv.slice(2);
const asked = words.filter((word) => word in PINNED);
const rest = words.flatMap((word) => (word === "--quick" ? QUICK : word in PINNED ? [] : [word]));
const lines = asked.length > 0 ? asked : Object.keys(PINNED).filter((line) => !process.version.startsWith(`v${line}.`));

/** The folder of that version's `node`; made at the first run. */
function install(version) {
  const folder = join(root, "tests", ".nodes", version);
  const bin = join(folder, "node_modules", "node", "bin");
  if (!existsSync(join(bin, "node"))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = ["--no-save", "--no-audit", "--no-fund", "--foreground-scripts"];
    const ran = spawnSync("npm", ["install", ...flags, `node@${version}`], { cwd: folder, stdio: "inherit" });
    if (ran.status !== 0 || !existsSync(join(bin, "node"))) throw new Error(`npm cannot install Node ${version}`);
  }
  return bin;
}

let failed = false;
for (const line of lines) {
  const bin = install(PINNED[line]);
  console.log(`Node ${PINNED[line]}`);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const ran = spawnSync(join(bin, "node"), [vitest, "run", "--config", "tests/vitest.config.ts", ...rest], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, CONTEXT_TEST_PROCESSES: "1" },
  });
  if (ran.status !== 0) failed = true;
}
process.exitCode = failed ? 1 : 0;
