import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";
import { PlainSummary } from "./plain-summary.ts";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/client/**", "tests/fixtures/**", "node_modules/**"],
    globalSetup: ["tests/helpers/sweep-killed.ts", "tests/helpers/await-fetched.ts"],
    reporters: ["default", new PlainSummary()],
    // Most tests wait for processes that they start, for a time-out or for a file to settle: twice as many workers as
    // cores keep these busy.
    maxWorkers: Math.max(4, availableParallelism() * 2),
    // No test changes what another one sees: modules are loaded once for a worker, not once for each of 300 files.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Some start fifty processes, and a machine may be shared by thirty others: what hangs is seen later, but still is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A session that runs the tests must not leak into them; to read a machine's certificates makes each Node twice as dear.
    env: {
      HIVEMIND_ROLE: "",
      CONTEXT_ROOT: "",
      CONFIG_PATH: "",
      CLAUDE_PROJECT_DIR: "",
      CLAUDE_CODE_SESSION_ID: "",
      NODE_EXTRA_CA_CERTS: "",
    },
  },
});
