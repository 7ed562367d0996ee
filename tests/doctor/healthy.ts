import type { DoctorFacts, HookEntry, Probe } from "../../src/doctor/facts.ts";

export const ENTRY: HookEntry = {
  level: "project",
  place: { file: ".claude/settings.json", line: 6, column: 11 },
  event: "PreCompact",
  hook: "pre-compact",
  command: "context pre-compact --guidance",
  words: ["--guidance"],
  plain: true,
  matcher: null,
  timeout: 5,
  unheard: null,
  machinePath: false,
  fault: null,
  gone: [],
};

export const PROBE: Probe = {
  entry: ENTRY,
  occasion: "auto",
  exitCode: 0,
  timedOut: false,
  limitMs: 5000,
  ms: 80,
  stdout: "",
  stderr: "",
  program: { version: "1.0.0", path: "/p/context.js", node: "/p/node" },
};

export const HEALTHY: DoctorFacts = {
  root: "/p",
  version: "1.0.0",
  invokedAs: "context",
  init: "context init",
  levels: [
    {
      ...{ level: "project", shown: ".claude/settings.json", problem: null, dropped: null, disableAllHooks: null },
      ...{ managedHooksOnly: false, env: {}, hooks: [ENTRY], leftOut: [], newEvents: [], unknownVerbs: [] },
    },
  ],
  plugin: null,
  redundant: [],
  trust: null,
  disabledByEnv: false,
  role: null,
  expected: [{ event: "PreCompact", hook: "pre-compact", words: ["--guidance"], timeout: 5 }],
  plan: [],
  blocked: null,
  node: { path: "node", version: "v20.0.0", says: "" },
  native: null,
  probes: [PROBE],
  unrun: [],
  sessions: {
    ...{ transcripts: [], newestStart: null, lastRun: null, registeredAt: null, runs: [] },
    ...{ unseenCompactions: [], loop: null },
  },
  store: { named: false, shown: "", trouble: null, waiting: [], foreign: [], evicts: null, forgets: false },
  state: {
    ...{ setAside: [], staleLocks: [], leftovers: [], unwritable: [], machines: [], precompact: null, config: [] },
    ...{ invalidContexts: [], contexts: 0, unignored: [], ignored: null },
  },
};
