const room = process.env.MUTATION_ROOM ?? "base";
const files = process.env.MUTATION_FILES;

export default {
  room,
  packageManager: "npm",
  plugins: ["./tests/mutation/runner.mjs"],
  testRunner: "room",
  coverageAnalysis: "perTest",
  mutate: [files ?? `src/${room}/**/*.ts`],
  // TypeScript 7 has no function that Stryker would read this file with.
  tsconfigFile: "none",
  // Nothing here checks types, and it would write into the pages that tests compare.
  disableTypeChecks: false,
  ignorePatterns: ["/dist", "/plugin/program", "/coverage", "/reports", "/tests/.nodes", "/tests/client", "/tests/e2e"],
  concurrency: 1,
  timeoutMS: 15000,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: false },
  jsonReporter: { fileName: `reports/mutation/${room}.json` },
  tempDirName: "reports/mutation/work",
  cleanTempDir: "always",
  allowConsoleColors: false,
  warnings: { slow: false, unknownOptions: false },
};
