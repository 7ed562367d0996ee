import type { DoctorFacts, HookEntry, Probe, RecordedRun, SettingsLevel } from "../../src/doctor/facts.ts";
import type { Place } from "../../src/doctor/finding.ts";
import { guardedCommand } from "../../src/install/our-hooks.ts";
import { ENTRY, HEALTHY, PROBE } from "./healthy.ts";

const LOCAL = ".claude/settings.local.json";
const DAY = 24 * 60 * 60 * 1000;
const NOON = Date.parse("2026-01-05T12:00:00Z");

function at(file: string, line: number): Place {
  return { file, line, column: 9 };
}

function level(more: Partial<SettingsLevel>): SettingsLevel {
  return {
    ...{ level: "project", shown: ".claude/settings.json", problem: null, dropped: null, disableAllHooks: null },
    ...{ managedHooksOnly: false, env: {}, hooks: [], leftOut: [], newEvents: [], unknownVerbs: [], ...more },
  };
}

/** Levels that hold these hooks of ours in one file. */
function hooks(...entries: readonly Partial<HookEntry>[]): Partial<DoctorFacts> {
  return { levels: [level({ hooks: entries.map((entry) => ({ ...ENTRY, ...entry })) })] };
}

const START: HookEntry = {
  ...ENTRY,
  ...{ event: "SessionStart", hook: "session-start", command: "context session-start --part 1/2" },
  ...{ words: ["--part", "1/2"], timeout: 10 },
};
const GATE: Partial<HookEntry> = { event: "PreToolUse", hook: "gate", words: [""], matcher: "Edit|Write" };
const PARTS: DoctorFacts["expected"] = ["1/2", "2/2"].map((part) => ({
  ...{ event: "SessionStart", hook: "session-start", words: ["--part", part], timeout: 10 },
}));
const BROKEN = { place: at(LOCAL, 3), message: "Found }, expected a value.", hint: "Mend it." };
const TO_WRITE: NonNullable<DoctorFacts["plan"]> = [
  { action: "change", shown: ".claude/settings.json", kind: "settings" },
];
const SCRIPT = ".claude/hooks/pre-compact.sh";
const BY_SCRIPT: HookEntry = { ...ENTRY, command: `"$CLAUDE_PROJECT_DIR"/${SCRIPT} --guidance` };
const plan = (...rows: NonNullable<DoctorFacts["plan"]>): Partial<DoctorFacts> => ({ plan: rows });
const PLUGIN = { name: "agent-context@here", enabledBy: at("~/.claude/settings.json", 2), files: true };

function probes(...each: readonly Partial<Probe>[]): Partial<DoctorFacts> {
  return { probes: each.map((probe) => ({ ...PROBE, ...probe })) };
}
const BEGIN: Partial<Probe> = { entry: START, occasion: "startup", limitMs: 10_000 };
const said = (stderr: string, more: Partial<Probe> = {}) => ({ ...BEGIN, stderr, ...more });
const UNFOUND = { program: null, stderr: "hook.sh: 8: context: not found\n" };
const REFUSED = "context: the hook did nothing: the option --x is not known\nmore\n";
const output = (fields: object): string => JSON.stringify({ hookSpecificOutput: fields });
const started = (stdout: string, more: Partial<Probe> = {}) => probes({ ...BEGIN, stdout, ...more });
const document = (length: number) => output({ hookEventName: "SessionStart", additionalContext: "x".repeat(length) });

function sessions(more: Partial<DoctorFacts["sessions"]>): Partial<DoctorFacts> {
  return { sessions: { ...HEALTHY.sessions, ...more } };
}
const run = (more: Partial<RecordedRun>): RecordedRun => ({
  ...{ transcript: "/t/a.jsonl", name: "SessionStart:compact", command: "context session-start", ms: 90, at: NOON },
  ...{ outcome: "success", text: "0123456789", seen: "whole", ...more },
});
const newest = (at: number) => ({ at, transcript: "/t/new.jsonl" });

function store(more: Partial<DoctorFacts["store"]>): Partial<DoctorFacts> {
  return { store: { ...HEALTHY.store, named: true, shown: "redis://host/", ...more } };
}
const trouble = (kind: NonNullable<DoctorFacts["store"]["trouble"]>["kind"]) =>
  store({ trouble: { kind, message: `The store is ${kind}.`, hint: "Look at it." } });
const NOTE = "session/.cache/store/1.json";

function state(more: Partial<DoctorFacts["state"]>): Partial<DoctorFacts> {
  return { state: { ...HEALTHY.state, ...more } };
}
const machine = (more: Partial<DoctorFacts["state"]["machines"][number]>) =>
  state({
    machines: [
      {
        role: "dev",
        shown: "session/dev.json",
        problem: null,
        way: null,
        stuck: null,
        hasContext: true,
        removal: "delete session/dev.json",
        ...more,
      },
    ],
  });
const RIGHTS = "Give this user the rights to write to %";
const STUCK = { state: "compacting", since: "12:00" };

const fault = (line: number) => ({ place: at(".claude/settings.json", line), found: "null", expected: "a string" });

/** What can be found, one case of each, and what only looks like it. */
export const CASES: Readonly<Record<string, Partial<DoctorFacts>>> = {
  "a settings file is broken": {
    levels: [...HEALTHY.levels, level({ level: "local", shown: LOCAL, problem: BROKEN })],
  },
  "a settings file is broken, and no hook is registered": { levels: [level({ problem: BROKEN })] },
  "a settings file holds a comment": {
    levels: [
      ...HEALTHY.levels,
      level({ dropped: { place: at(LOCAL, 1), found: "a comment", expected: "plain JSON", way: "Take it out" } }),
    ],
  },
  "a new event beside our hooks": {
    levels: [level({ hooks: [ENTRY], newEvents: [{ name: "Setup", place: at(".claude/settings.json", 4) }] })],
  },
  "a new event where no hook of ours is": {
    levels: [...HEALTHY.levels, level({ shown: LOCAL, newEvents: [{ name: "Setup", place: at(LOCAL, 4) }] })],
  },
  "hooks are disabled": { levels: [level({ hooks: [ENTRY], disableAllHooks: true })] },
  "hooks are disabled by the administrator": {
    levels: [...HEALTHY.levels, level({ level: "managed", shown: "/etc/managed.json", disableAllHooks: true })],
  },
  "hooks are disabled, and a later file enables them": {
    levels: [
      level({ hooks: [ENTRY], disableAllHooks: true }),
      level({ level: "local", shown: LOCAL, disableAllHooks: false }),
      level({ level: "managed", shown: "/etc/managed.json" }),
    ],
  },
  "hooks are disabled, and a later file says nothing": {
    levels: [level({ hooks: [ENTRY], disableAllHooks: true }), level({ level: "local", shown: LOCAL })],
  },
  "managed hooks only": {
    levels: [
      ...HEALTHY.levels,
      level({ level: "local", shown: LOCAL, hooks: [{ ...ENTRY, event: "Stop", place: at(LOCAL, 3) }] }),
      level({ level: "user", shown: "~/.claude/settings.json" }),
      level({ level: "managed", shown: "/etc/managed.json", managedHooksOnly: true }),
    ],
  },
  "managed hooks only, and ours are managed": {
    levels: [level({ level: "managed", shown: "/etc/managed.json", managedHooksOnly: true, hooks: [ENTRY] })],
  },
  "managed hooks only, said by a file that has no say": {
    levels: [
      level({ managedHooksOnly: true, hooks: [ENTRY] }),
      level({ level: "managed", shown: "/etc/managed.json" }),
    ],
  },
  "the folder is not trusted": { trust: { place: at("~/.claude.json", 7) } },
  "switched off by the environment": { disabledByEnv: true },
  "the plugin is missing": { plugin: { ...PLUGIN, files: false }, levels: [level({})] },
  "the plugin is there, and no hook is registered": { plugin: PLUGIN, levels: [level({})] },

  "no hook is registered": { levels: [level({})], expected: [...HEALTHY.expected, ...PARTS] },
  "no hook is registered, and the plan is blocked": {
    ...{ levels: [level({})], plan: null },
    blocked: { message: "The file cannot be read.", hint: "Mend it." },
  },
  "no hook is registered, and the plan would do it": { levels: [level({})], plan: TO_WRITE },
  "no hook is registered, and none is expected": { levels: [level({})], expected: [] },
  "one hook is not registered": { expected: [...HEALTHY.expected, ...PARTS] },
  "one hook stands at another event": { ...hooks({ event: "SessionEnd" }), plan: null },
  "one part is missing": { ...hooks(START), expected: PARTS, plan: TO_WRITE },
  "one part is missing, where a person wrote the line": {
    ...hooks({ ...START, plain: false }),
    ...{ expected: PARTS, plan: TO_WRITE },
  },
  "one part is missing, beside a matcher": {
    ...hooks({ ...START, matcher: "startup|compact" }),
    ...{ expected: PARTS, plan: TO_WRITE },
  },
  "two parts are missing, and others are there": {
    ...hooks({ ...START, words: [""] }, { ...START, words: ["--part", "1/3"] }),
    ...{ expected: PARTS, plan: TO_WRITE },
  },
  "a part too many": {
    ...hooks(START, { ...START, words: ["--part", "2/2"] }, { ...START, words: ["--part", "3/3"] }),
    ...{ expected: PARTS, plan: [{ action: "change", shown: LOCAL, kind: "settings" }] },
  },
  "every part, with options beside it": {
    ...hooks({ ...START, words: ["--part", "1/2", "--quiet"] }, { ...START, words: ["--quiet", "--part", "2/2"] }),
    expected: PARTS,
  },
  "every part, and a second file lacks one": {
    levels: [
      level({ hooks: [START, { ...START, words: ["--part", "2/2"] }] }),
      level({ level: "local", shown: LOCAL, hooks: [{ ...START, place: at(LOCAL, 3) }] }),
    ],
    expected: PARTS,
  },
  "every part, beside another hook and another event": {
    ...hooks(
      START,
      { ...START, words: ["--part", "2/2"] },
      { ...START, hook: "gate", words: [""] },
      {
        ...START,
        event: "SessionEnd",
        words: [""],
      },
    ),
    expected: PARTS,
  },
  "another hook at the event of one": {
    ...hooks({ event: "PreToolUse" }),
    expected: [{ event: "PreToolUse", hook: "gate", words: [""], timeout: 5 }],
  },
  "a hook is not registered, and a settings file is broken": {
    levels: [...HEALTHY.levels, level({ level: "local", shown: LOCAL, problem: BROKEN })],
    expected: [...HEALTHY.expected, ...PARTS],
  },
  "no guidance": { ...hooks({ words: [""] }), plan: TO_WRITE },
  "no guidance, which cannot be mended": { ...hooks({ words: ["--guidance-not"] }), plan: null },
  "guidance among other words": hooks({ words: ["--quiet", "--guidance"] }),
  "a command that is not known": {
    levels: (["project", "local", "user"] as const).map((name) =>
      level({
        level: name,
        hooks: name === "project" ? [ENTRY] : [],
        unknownVerbs: [{ verb: "remember", event: "Stop", place: at(name, 5) }],
      }),
    ),
  },
  "a path of this machine in the shared file": {
    ...hooks({ machinePath: true, command: "/opt/context pre-compact --guidance" }),
    plan: TO_WRITE,
  },
  "a path of this machine in the shared file, where a person wrote the line": {
    ...hooks({ machinePath: true, plain: false }),
    plan: TO_WRITE,
  },
  "a path of this machine in the local file": {
    levels: [level({ level: "local", shown: LOCAL, hooks: [{ ...ENTRY, level: "local", machinePath: true }] })],
  },

  "registered twice in one file": hooks({}, { place: at(".claude/settings.json", 20), command: "./x.sh --guidance" }),
  "registered twice, by the same command": hooks({}, { place: at(".claude/settings.json", 20) }),
  "registered once for each of two occasions": hooks(
    { matcher: "manual" },
    { matcher: "auto", place: at(".claude/settings.json", 20) },
  ),
  "registered in two files, in each for another occasion": {
    levels: [
      level({ hooks: [{ ...ENTRY, matcher: "manual" }] }),
      level({ level: "local", shown: LOCAL, hooks: [{ ...ENTRY, matcher: "auto", place: at(LOCAL, 3) }] }),
    ],
  },
  "registered for one occasion and for all": hooks(
    { matcher: "manual" },
    { matcher: ".*", place: at(".claude/settings.json", 20) },
  ),
  "registered in two files, in one of them once for each occasion": {
    levels: [
      level({
        hooks: [
          { ...ENTRY, matcher: "manual", words: [] },
          { ...ENTRY, matcher: "auto", place: at(".claude/settings.json", 20) },
        ],
      }),
      level({
        level: "local",
        shown: LOCAL,
        hooks: [{ ...ENTRY, matcher: "auto", words: ["-q"], place: at(LOCAL, 3) }],
      }),
    ],
  },
  "registered in two files": {
    levels: [...HEALTHY.levels, level({ level: "local", shown: LOCAL, hooks: [{ ...ENTRY, place: at(LOCAL, 3) }] })],
    redundant: [LOCAL],
  },
  "registered in two files by different commands": {
    levels: [
      ...HEALTHY.levels,
      level({
        level: "local",
        shown: LOCAL,
        hooks: [{ ...ENTRY, place: at(LOCAL, 3), command: "npx context pre-compact" }],
      }),
    ],
    plan: [{ action: "change", shown: LOCAL, kind: "settings" }],
  },
  "registered in two files, one of which holds parts": {
    levels: [
      level({
        hooks: [
          START,
          {
            ...{ ...START, words: ["--part", "2/2"], place: at(".claude/settings.json", 20) },
            command: "npx context session-start --part 2/2",
          },
        ],
      }),
      level({
        ...{ level: "local", shown: LOCAL },
        hooks: [
          { ...START, place: at(LOCAL, 3), words: ["--part", "2/2"], command: "npx context session-start --part 2/2" },
        ],
      }),
    ],
    ...{ expected: PARTS, plan: null },
  },
  "registered twice in one file, and in a second": {
    levels: [
      level({ hooks: [BY_SCRIPT, { ...BY_SCRIPT, place: at(".claude/settings.json", 20) }] }),
      level({ level: "local", shown: LOCAL, hooks: [{ ...BY_SCRIPT, place: at(LOCAL, 3) }] }),
    ],
    plan: [{ action: "create", shown: SCRIPT, kind: "script" }],
  },
  "registered in the main checkout's local settings as well, for clients that look into one of the two": {
    levels: [
      ...HEALTHY.levels,
      level({ level: "main", shown: LOCAL, hooks: [{ ...ENTRY, level: "main", place: at(LOCAL, 3) }] }),
    ],
  },
  "registered in two files by different words": {
    levels: [
      ...HEALTHY.levels,
      level({ level: "local", shown: LOCAL, hooks: [{ ...ENTRY, place: at(LOCAL, 3), words: ["--guidance", "-q"] }] }),
    ],
  },
  "registered by words that only look the same": hooks(
    { ...START, words: ["--a", "b"] },
    { ...START, words: ["--ab"], place: at(".claude/settings.json", 20) },
  ),
  "registered by the plugin and the project": {
    levels: [
      level({ level: "plugin", shown: "plugin", hooks: [{ ...ENTRY, level: "plugin", place: at("plugin", 3) }] }),
      ...HEALTHY.levels,
    ],
    plugin: PLUGIN,
  },
  "registered by the project and a plugin that is elsewhere": {
    ...HEALTHY,
    plugin: { ...PLUGIN, files: false },
  },

  "a time-out is missing": hooks({ timeout: null }),
  "a time-out is missing where a person wrote the line": hooks({ timeout: null, plain: false }),
  "a time-out is missing beside a matcher": { ...hooks({ ...GATE, timeout: null, matcher: "*" }), expected: [] },
  "a time-out is missing, and the plan is blocked": {
    ...hooks({ timeout: null }),
    ...{ plan: null, blocked: { message: "The file cannot be read.", hint: "Mend it." } },
  },
  "a time-out of half is enough": hooks({ timeout: 2.5 }),
  "a time-out is short": hooks({ timeout: 2.4 }),
  "a time-out is short, in the plugin": {
    levels: [level({ level: "plugin", hooks: [{ ...ENTRY, level: "plugin", timeout: 2 }] })],
  },
  "a time-out is short, in every file of settings": {
    levels: (["user", "local", "managed"] as const).map((name) =>
      level({
        level: name,
        hooks: [{ ...ENTRY, level: name, place: at(".claude/settings.json", name.length), timeout: 1 }],
      }),
    ),
  },
  "a time-out is short where nobody expects the hook": { ...hooks({ event: "Stop", timeout: 1 }), expected: [] },
  "a time-out is short for one hook of two": {
    ...hooks({}, { ...START, timeout: 4 }, { ...START, words: ["--part", "2/2"], timeout: 4 }),
    expected: [...HEALTHY.expected, ...PARTS],
  },
  "a time-out is long for the one hook, and not for the other": {
    ...hooks({ timeout: 4 }, { event: "SessionStart", timeout: 4 }),
    expected: [...PARTS, ...HEALTHY.expected],
  },
  "a time-out of a minute is not long": hooks({ timeout: 60 }),
  "a time-out is long": hooks({ timeout: 61 }),
  "a matcher leaves out the compaction": { ...hooks({ ...START, matcher: "startup|resume" }), expected: [] },
  "a matcher holds the compaction": { ...hooks({ ...START, matcher: "startup, compact" }), expected: [] },
  "a matcher leaves out the compaction, and another hook has none": {
    ...hooks({ ...START, matcher: "startup" }, {}),
    expected: [],
  },
  "a matcher ends as a name does": { ...hooks({ ...START, matcher: "(start|compact" }), expected: [] },
  "a matcher is a part of the name": { ...hooks({ ...START, matcher: "compacted" }), expected: [] },
  "a matcher is a pattern": { ...hooks({ ...START, matcher: "start.*" }), expected: [] },
  "a matcher of two beside none": {
    ...hooks({ matcher: "auto" }, { matcher: null, place: at(LOCAL, 1) }),
    expected: [],
  },
  "two matchers that hold all together": {
    ...hooks({ matcher: "auto" }, { matcher: "manual", words: ["--guidance", "-q"] }),
    expected: [],
  },
  "a matcher holds neither compaction": { ...hooks({ matcher: "none" }), expected: [] },
  "nobody waits for the parts, nor for the guidance": hooks(
    { unheard: "async" },
    { ...START, unheard: "asyncRewake" },
    { ...START, words: ["--part", "2/2"], unheard: "asyncRewake" },
  ),
  "a condition of the gate is its owner's, and it is not waited for after a call": {
    ...hooks(
      { ...GATE, matcher: null, unheard: "if" },
      { ...GATE, matcher: null, event: "PostToolUse", unheard: "async" },
    ),
    expected: [],
  },
  "the gate is not waited for before a call": { ...hooks({ ...GATE, matcher: null, unheard: "async" }), expected: [] },
  "the gate's matcher leaves out tools": { ...hooks(GATE), expected: [] },
  "the gate at an event of its own": { ...hooks({ ...GATE, event: "Stop" }), expected: [] },

  "the plan is blocked": { plan: null, blocked: { message: "The file cannot be read.", hint: "Mend it." } },
  "scripts are not as they should be": {
    ...hooks(BY_SCRIPT),
    ...plan(
      { action: "create", shown: SCRIPT, kind: "script" },
      { action: "change", shown: SCRIPT, kind: "script" },
      { action: "make-runnable", shown: SCRIPT, kind: "script" },
      { action: "delete", shown: SCRIPT, kind: "script" },
      { action: "create-folder", shown: ".claude/hooks/", kind: "script" },
      { action: "create-folder", shown: "session/agents/", kind: "folder" },
      { action: "delete-folder", shown: "session/agents/", kind: "folder" },
    ),
  },
  "a script is missing that no line names": plan(
    { action: "create", shown: SCRIPT, kind: "script" },
    { action: "change", shown: ".claude/settings.json", kind: "settings" },
  ),
  "scripts are missing where no hook is registered": {
    ...{ levels: [level({})], expected: [] },
    ...plan({ action: "create", shown: SCRIPT, kind: "script" }),
  },
  "the settings would change": plan(
    { action: "change", shown: ".claude/settings.json", kind: "settings" },
    { action: "change", shown: LOCAL, kind: "settings" },
  ),
  "the settings would change, and a finding says why": { ...hooks({ words: [""] }), plan: TO_WRITE },
  "the settings would change, and a finding that cannot be mended does not say why": {
    ...{ trust: { place: at(".claude/settings.json", 7) }, plan: TO_WRITE },
  },

  "the client leaves hooks of ours out: those of one group, one more, one that a person has made of it": {
    ...hooks(...[fault(4), fault(4), fault(9)].map((each) => ({ fault: each, timeout: null })), {
      fault: fault(12),
      plain: false,
    }),
    plan: TO_WRITE,
  },
  "the client leaves a hook of ours out, and init has nothing to change there": hooks({ fault: fault(4) }),
  "the client leaves somebody else's hook out": {
    levels: [level({ hooks: [ENTRY], leftOut: [{ ...fault(7), event: "Stop" }] })],
  },
  "a hook is registered for all projects and for this one": hooks(ENTRY, {
    ...{ level: "user", place: at("/home/me/.claude/settings.json", 6), command: "context pre-compact" },
  }),
  "a plugin's script has nothing to do in this project": {
    ...{ plugin: PLUGIN, probes: [{ ...PROBE, ...BEGIN, entry: { ...START, level: "plugin" }, program: null }] },
  },
  "no node": { node: null },
  "without a fit node what follows from it is not told": {
    node: { path: "node", version: "v18.0.0", says: "" },
    probes: [{ ...PROBE, ...UNFOUND }],
  },
  "init cannot be worked out: what keeps it from that is the way out": {
    ...{ levels: [], plan: null, blocked: { message: "It is a link to nothing.", hint: "Delete the link." } },
    probes: [{ ...PROBE, exitCode: 127 }],
  },
  "a guarded line finds no program, which is told, and the gate's may have nothing to do": probes(
    { program: null, entry: { ...ENTRY, command: guardedCommand("context", "pre-compact", "context pre-compact") } },
    { ...BEGIN, program: null, entry: { ...START, command: guardedCommand("c", "session-start", "c session-start") } },
    { program: null, entry: { ...ENTRY, ...GATE, command: guardedCommand("context", "gate", "context gate") } },
  ),
  "there is no place to run it": {
    probes: [],
    unrun: [{ message: "The hooks were not run. /tmp cannot be written.", hint: "Name another." }],
  },
  "a shell may not run it": probes({ exitCode: 126, stderr: "sh: 1: x.sh: Permission denied\n" }),
  "the program dies before it says who it is": probes(
    { program: null, stderr: "node:internal/x:1\n  throw err;\n\nError: Cannot find module 'x'\n" },
    { ...said("Error: no\n"), program: null },
    { ...said("Error: no\n"), program: null, entry: { ...START, place: at(".claude/settings.json", 20) } },
  ),
  "node is too old": { node: { path: "/usr/bin/node", version: "v19.9.0", says: "" } },
  "node tells no version": { node: { path: "/usr/bin/node", version: "", says: "" } },
  "node says why it tells none": { node: { path: "/usr/bin/node", version: "", says: "Volta error: no Node here." } },
  "node tells its version without a v": { node: { path: "node", version: "20.0.0", says: "" } },
  "node tells something else": { node: { path: "node", version: "x22.1.0", says: "" } },
  "programs are gone": {
    ...hooks({ gone: ["/opt/a", "/opt/b"] }, { gone: ["/opt/a", "/opt/b"], place: at(".claude/settings.json", 20) }),
    plan: TO_WRITE,
  },
  "programs of two kinds are gone": {
    ...hooks(
      { gone: ["/opt/a"] },
      { gone: ["/opt/b"], place: at(".claude/settings.json", 20), words: ["-q", "--guidance"] },
    ),
    plan: [...TO_WRITE, { action: "change", shown: LOCAL, kind: "settings" }],
  },
  "a program is gone, which cannot be mended": { ...hooks({ gone: ["/opt/a"], plain: false }), plan: TO_WRITE },
  "a program is gone, and the plan is of another file": {
    ...hooks({ gone: ["/opt/a"] }),
    ...plan({ action: "change", shown: LOCAL, kind: "settings" }),
  },
  "a program is gone, and the plan is blocked": { ...hooks({ gone: ["/opt/a"] }), plan: null },
  "programs of other versions": probes(
    { program: { version: "0.9.0", path: "/q", node: "/n" } },
    { program: { version: "0.9.0", path: "/q", node: "/n" }, occasion: "manual" },
    { program: { version: "0.9.0", path: "/r", node: "/n" } },
    { program: { version: "1.0.0", path: "/s", node: "/n" } },
    { program: null },
  ),
  "a native program is used": { native: { path: "/p/dist/native/context-0", problem: null } },
  "a native program is not used": { native: { path: "/p/dist/native/context-0", problem: "is of another build" } },

  "a command does not end": probes({ exitCode: null, timedOut: true, limitMs: 5040, stderr: "waiting\n" }),
  "a command is not found": probes({ exitCode: 127, stderr: "\n sh: 1: context: not found \nmore\n" }),
  "a command is not found, and the plan would mend it": { ...probes({ exitCode: 126 }), plan: TO_WRITE },
  "a command is not found, where a person wrote the line": {
    ...probes({ exitCode: 126, entry: { ...ENTRY, plain: false } }),
    plan: TO_WRITE,
  },
  "a command is not found, and the plan is blocked": { ...probes({ exitCode: 127 }), plan: null },
  "a command stops the compaction": probes({ exitCode: 2, stderr: `${"x".repeat(100)}\n` }),
  "a command ends with 2 at another event": probes({ ...BEGIN, exitCode: 2, stderr: `${"x".repeat(101)}\r\n` }),
  "a command is killed": probes({ exitCode: null }),
  "a program refuses": { ...probes({ stderr: REFUSED }), plan: TO_WRITE },
  "a program refuses, and the plan is blocked": { ...probes({ stderr: `x\n${REFUSED}` }), plan: null },
  "a program reports a fault": probes({ stderr: "context: a fault of ours, please report it: x\n" }),
  "a program speaks of another's fault": probes({ stderr: "note: context: a fault of ours\n" }),
  "a script finds no program": { ...probes({ ...UNFOUND }), plan: TO_WRITE },
  "a script finds no program, and the plan is blocked": {
    ...probes({ program: null, stderr: "env: 'context': No such file or directory\n" }),
    plan: null,
  },
  "a shell finds no program": probes({ program: null, stderr: "context: not found\n" }),
  "a shell speaks of what is not found": probes({ program: null, stderr: "context: not found it\n" }),
  "a script misses another program": probes({ stderr: "hook.sh: 8: jq: not found\n" }),
  "an answer of JSON where text is taken": probes({ stdout: " [1] " }),
  "an answer of nothing": probes({ stdout: " {}\n" }),
  "an answer that only holds a brace": probes({ stdout: "a {" }),
  "an answer that is too long for the summariser": probes({ stdout: "x".repeat(2001) }),
  "an answer that is no JSON": started("loaded\n{}"),
  "an answer of another shape": started("{}"),
  "an answer of no object": started("[]"),
  "an answer for another event": started(output({ hookEventName: "Stop", additionalContext: "x" })),
  "an answer for no event": started(output({ additionalContext: "x" })),
  "an answer without a text": started(output({ hookEventName: "SessionStart" })),
  "an answer with a decision": probes({
    entry: { ...ENTRY, event: "PreToolUse" },
    stdout: output({ hookEventName: "PreToolUse", permissionDecision: "deny" }),
  }),
  "an answer as long as the client passes on": started(document(10_000)),
  "an answer that is too long": started(document(10_001)),
  "an answer after half of the time": started(document(1), { ms: 5000 }),
  "an answer after more than half of the time": started(document(1), { ms: 5051 }),
  "the same fault at two occasions and two entries": probes(
    { ms: 2600 },
    { ms: 2700, occasion: "manual" },
    { ms: 2800, entry: { ...ENTRY, place: { ...ENTRY.place, column: 12 } } },
    { ms: 2900, entry: { ...ENTRY, place: { ...ENTRY.place, line: 7 } } },
    { exitCode: 1 },
  ),
  "a start says nothing": probes(said(""), said("context: there is nothing to say\nmore\n"), said("second\n")),
  "a start says nothing, without a word": probes(BEGIN, { ...BEGIN, entry: { ...START, place: at(LOCAL, 3) } }),
  "a start says nothing but blanks": probes({ ...BEGIN, stdout: " \n", stderr: " \n" }),
  "a start says nothing, and another speaks of its fault": probes(said("note: context: a fault of ours\n")),
  "a start says nothing, as it is switched off": { ...probes(BEGIN), disabledByEnv: true },
  "a start says nothing in one part": probes(BEGIN, { ...BEGIN, stdout: document(3) }),
  "a start says nothing and fails": probes(BEGIN, { ...BEGIN, exitCode: 1 }),
  "a start says nothing and refuses": probes(BEGIN, { ...BEGIN, stderr: REFUSED }),
  "a start says nothing and has a fault": probes(BEGIN, { ...BEGIN, stderr: "x\ncontext: a fault of ours\n" }),
  "a start says nothing, as there is no program": probes(BEGIN, { ...BEGIN, ...UNFOUND }),
  "a start says nothing, as there is no file": probes({ ...BEGIN, program: null, stderr: "No such file" }),
  "a start says nothing, and lacks another program": probes(said("hook.sh: 8: jq: not found\n")),
  "a start says nothing after a compaction": probes({ ...BEGIN, occasion: "compact" }),

  "hooks have not fired for a day": sessions({
    newestStart: newest(NOON + DAY),
    lastRun: NOON,
    registeredAt: NOON - DAY,
  }),
  "hooks have not fired for longer": sessions({
    ...{ newestStart: newest(NOON + DAY + 1), lastRun: NOON, registeredAt: NOON - DAY },
  }),
  "hooks have not fired since they were registered": sessions({
    ...{ newestStart: newest(NOON + 2 * DAY), lastRun: NOON - 1, registeredAt: NOON },
  }),
  "hooks have never fired": sessions({ newestStart: newest(NOON + 2 * DAY), lastRun: null, registeredAt: NOON }),
  "hooks are not registered, and sessions began": sessions({
    newestStart: newest(NOON),
    lastRun: 1,
    registeredAt: null,
  }),
  "no session began": sessions({ lastRun: null, registeredAt: NOON }),
  "a run failed": sessions({ runs: [run({ outcome: "failed", text: null })] }),
  "a run failed at a time that is not known": sessions({ runs: [run({ outcome: "failed", text: null, at: null })] }),
  "a run failed, and a later one did not": sessions({
    runs: [run({ at: NOON + 1 }), run({ outcome: "failed" }), run({ outcome: "failed", at: null })],
  }),
  "a run failed at a time that is not known, and one did not": sessions({
    runs: [run({ outcome: "failed", at: null }), run({})],
  }),
  "runs at times that are not known: the last one failed": sessions({
    runs: [run({ at: null }), run({ outcome: "failed", at: null })],
  }),
  "a run was well, and a later one failed": sessions({
    runs: [run({}), run({ outcome: "failed", transcript: "/t/b.jsonl" }), run({ at: NOON - 1 })],
  }),
  "runs of two commands failed": sessions({
    runs: [run({ outcome: "failed" }), run({ outcome: "failed", command: "context other", transcript: "/t/b.jsonl" })],
  }),
  "a text was not seen, and another was cut": sessions({
    runs: [
      run({ seen: "none" }),
      run({ seen: "cut", name: "SessionStart:startup" }),
      run({ seen: "none", text: null, name: "x" }),
    ],
  }),
  "texts were not seen after compactions": sessions({ unseenCompactions: ["/t/a.jsonl", "/t/b.jsonl"] }),
  "compaction follows compaction": sessions({ loop: { transcript: "/t/a.jsonl", compactions: 4, minutes: 9 } }),
  "it follows within a minute": sessions({ loop: { transcript: "/t/a.jsonl", compactions: 3, minutes: 1 } }),

  "the store's address is none": trouble("address"),
  "the project has no name in the store": trouble("unnamed"),
  "the store's library is missing": trouble("library"),
  "the store's certificate is not trusted": trouble("certificate"),
  "the store refuses": trouble("refused"),
  "the store does not answer": { store: { ...(trouble("unreachable").store ?? HEALTHY.store), waiting: [NOTE] } },
  "a note waits for the store": store({ waiting: [NOTE] }),
  "notes wait, and no store is named": store({ named: false, waiting: [NOTE, `${NOTE}2`] }),
  "another project is in the store": store({
    foreign: [
      { role: "dev", commit: "0123456789abcdef" },
      { role: "qa", commit: "fedcba9876543210" },
    ],
  }),
  "the store may forget": store({ evicts: "allkeys-lru", forgets: true }),

  "a file was set aside": state({ setAside: ["session/dev.json.broken"] }),
  "a lock is stale": state({ staleLocks: [{ shown: "session/dev.lock", owner: "process 7" }] }),
  "a writer left a file": state({ leftovers: ["session/dev.json.tmp"] }),
  "a folder cannot be written": state({
    unwritable: [{ shown: "session/.cache/", message: "It is read-only.", way: RIGHTS }],
  }),
  "two folders cannot be written": state({
    unwritable: ["session/agents/", "session/.cache/"].map((shown) => ({
      shown,
      message: "It is read-only.",
      way: RIGHTS,
    })),
  }),
  "a disk is full": state({
    unwritable: [
      { shown: "session/.cache/", message: "It is on a disk with 0 bytes left.", way: "Free space on the disk of %" },
    ],
  }),
  "a file stands in a folder's place, and another folder cannot be written": state({
    unwritable: [
      { shown: "session/.cache/", message: "It is a file, expected a folder.", way: "Move session/.cache away" },
      { shown: "session/agents/", message: "It is read-only.", way: RIGHTS },
    ],
  }),
  "a machine may not be read": machine({ problem: "cannot be read", way: "Give this user the rights to it." }),
  "a machine cannot be read": machine({ problem: "is not JSON", stuck: STUCK, hasContext: false }),
  "the settings name a role that is not there": {
    role: { file: LOCAL, message: "The role dev has no context file.", hint: "Write it." },
  },
  "the environment names no role": { role: { file: null, message: "It is none.", hint: "Name one." } },
  "a role is stuck": machine({ stuck: STUCK }),
  "a role has no context file": machine({ hasContext: false }),
  "the state of the compaction cannot be read": state({
    precompact: { shown: "session/.cache/precompact.json", message: "is no JSON object" },
  }),
  "the configuration is wrong": state({ config: ["The key x is not known."] }),
  "the configuration is wrong in three places": state({ config: ["The key x is not known.", "b", "c"] }),
  "one context file has errors": state({ invalidContexts: ["a.md"], contexts: 1 }),
  "two context files have errors": state({ invalidContexts: ["a.md", "b.md"], contexts: 5 }),
  "files would be taken along by git": state({
    unignored: [
      { shown: "session/.cache/", kind: "cache" },
      { shown: LOCAL, kind: "local" },
    ],
  }),
  "context files are left out of commits": state({
    ignored: {
      ...{ shown: "session/agents/dev.md", place: { file: ".gitignore", line: 2, column: null } },
      ...{ pattern: "session/", instead: ["session/.cache/"] },
    },
  }),
};
