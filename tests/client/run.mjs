#!/usr/bin/env node
// The tests with the real client: installs the pinned versions, then runs vitest where there is no network but loopback.
//   npm run test:client                                  all of them
//   npm run test:client -- startup                       the files whose name holds that
//   npm run test:client -- --fetch                       installs the clients, and runs nothing
//   npm run test:client -- --page docs/real-client.md    also writes that page: results, and what the hooks took
// Where they cannot run they are skipped with the reason; with CONTEXT_CLIENT=required that is a failure.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installClients } from "./setup/install-clients.mjs";
import { findNamespace } from "./setup/namespace.mjs";

if (process.argv.includes("--fetch")) {
  const problem = installClients();
  if (problem !== null) console.error(problem);
  process.exit(problem === null ? 0 : 1);
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const words = process.argv.slice(2);
const at = words.indexOf("--page");
const [, page = ""] = at < 0 ? [] : words.splice(at, 2);

const namespace = findNamespace();
const problem = namespace.problem ?? installClients();
if (problem !== null) console.log(`The real client cannot be run here: ${problem}`);
const vitest = [
  process.execPath,
  fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url)),
  ...["run", "--config", "tests/client/vitest.config.ts", ...words],
];
const [file, ...rest] = problem === null ? [...namespace.words, ...vitest] : vitest;
const ran = spawnSync(file, rest, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, CONTEXT_CLIENT_PROBLEM: problem ?? "", CONTEXT_CLIENT_PAGE: page },
});
process.exitCode = ran.status ?? 1;
