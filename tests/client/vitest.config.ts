import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PlainSummary } from "../plain-summary.ts";
import { ResultsPage } from "./results-page.ts";

const problem = process.env.CONTEXT_CLIENT_PROBLEM;
if (problem === undefined) {
  throw new Error("The client is run where there is no network but loopback; npm run test:client makes such a place.");
}
const page = process.env.CONTEXT_CLIENT_PAGE ?? "";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: [problem === "" ? "tests/client/**/*.test.ts" : "tests/client/preconditions.test.ts"],
    reporters: ["default", ...(page === "" ? [] : [new ResultsPage(page)]), new PlainSummary()],
    testTimeout: 90_000,
    hookTimeout: 30_000,
    // A client waits for its hooks and its model half of its time. Times are taken from one client alone.
    maxWorkers: page === "" ? 3 : 1,
    // Each test has a stage of its own: a worker is started three times, not once for each file.
    isolate: false,
    // A session that runs the tests must not leak into them.
    env: { HIVEMIND_ROLE: "", CONTEXT_ROOT: "", CONFIG_PATH: "", CLAUDE_PROJECT_DIR: "", CLAUDE_CODE_SESSION_ID: "" },
  },
});
