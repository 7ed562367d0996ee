// What a store costs each command and hook: whole processes with their machines in a Redis server on loopback, each paired
// with the same one with its machines in files; and the client library's loading alone, paired with an empty Node.
// Prints a JSON line each: medians in milliseconds, and the median of the pairs' differences.
// Usage: node tests/bench/store.mjs [runs]; the server is Debian's, or the one that CONTEXT_REDIS_SERVER names.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measurer, median } from "./measure.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bin = join(root, "bin", "context.js");
const runs = Number(process.argv[2] ?? 40);
const work = mkdtempSync(join(tmpdir(), "context-bench-store-"));
const { timed, empty } = measurer(work);
const ROLE = "oosh-expert";

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port: free } = probe.address();
    probe.close(() => resolve(free));
  });
});
const words = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", work];
const server = spawn(process.env.CONTEXT_REDIS_SERVER || "/usr/bin/redis-server", words, {
  stdio: ["ignore", "pipe", "inherit"],
});
const store = { CONTEXT_STORE: `redis://127.0.0.1:${port}`, CONTEXT_STORE_PREFIX: "bench" };

try {
  await new Promise((resolve, reject) => {
    server.stdout.on("data", (text) => /ready to accept connections/i.test(text) && resolve());
    server.once("close", () => reject(new Error("The server did not start.")));
    server.once("error", reject);
  });
  mkdirSync(join(work, "session", "agents"), { recursive: true });
  const file = `# ${ROLE} — Session Context\n\n**Updated**: 2026-02-03T12:15Z\n**Role**: ${ROLE}\n\n## Recovery Steps\n1. Read this file\n`;
  writeFileSync(join(work, "session", "agents", `${ROLE}.context.md`), file);
  const input = JSON.stringify({ session_id: "b9ff7b48", hook_event_name: "PreCompact", trigger: "auto" });
  const jobs = [
    ["lifecycle.status", [bin, "lifecycle.status"]],
    [
      "lifecycle.wait",
      [bin, "lifecycle.wait", ROLE, "--for", "saved,compacting,recovering,active,saving", "--timeout", "0"],
    ],
    ["pre-compact", [bin, "pre-compact"]],
    ["session-start", [bin, "session-start"]],
  ].map(([name, args]) => [name, { args, env: { HIVEMIND_ROLE: ROLE } }]);
  for (const env of [{}, store]) timed({ args: [bin, "lifecycle.init", ROLE], cwd: work, env });
  for (const [name, job] of jobs) {
    const one = { ...job, cwd: work, input };
    compare(name, { ...one, env: { ...job.env, ...store } }, one);
  }
  const load = { args: ["-e", 'require("ioredis")'], cwd: root };
  compare("the library alone", load, empty);
} finally {
  server.kill();
  rmSync(work, { recursive: true, force: true });
}

function compare(name, job, base) {
  timed(job);
  timed(base);
  const pairs = Array.from({ length: runs }, () => [timed(job), timed(base)]);
  const round = (values) => Number(median(values).toFixed(1));
  const result = {
    with: round(pairs.map(([a]) => a)),
    without: round(pairs.map(([, b]) => b)),
    more: round(pairs.map(([a, b]) => a - b)),
  };
  console.log(JSON.stringify({ name, ...result, runs }));
}
