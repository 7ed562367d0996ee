import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CATALOGUE } from "../../src/doctor/catalogue.ts";
import { FINDING_CODES } from "../../src/doctor/docs-findings.ts";
import { assertDoctorReport } from "../../src/doctor/report-schema.ts";
import { addSession, makeAcme } from "../helpers/acme-project.ts";
import { INVALID_TEXTS } from "../helpers/context-text.ts";
import { git } from "../helpers/git-repository.ts";
import { copiedLauncher, copyProgram, LAUNCHER, PROGRAM_ROOT, sharedLauncher } from "../helpers/program-under-test.ts";
import { removeFolder } from "../helpers/remove-folder.ts";
import { serveAlso } from "../helpers/resident.ts";
import { BARE_ENV, type Ran, runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { MACHINES, machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const SHARED = ".claude/settings.json";
const LOCAL = ".claude/settings.local.json";
const SESSION = "5e551041-0000-4000-8000-000000000001";

interface Project extends Workspace {
  readonly home: Workspace;
  readonly doctor: (words?: string, env?: Readonly<Record<string, string>>) => Ran;
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly place: { file: string; line: number | null; column: number | null } | null;
  readonly message: string;
  readonly fixable: boolean;
}

/** What `init` makes of an empty folder, for each number of parts that was asked for: the same for all that begin there. */
const initialised = new Map<number | null, string>();
afterAll(() => {
  for (const folder of initialised.values()) removeFolder(folder);
});

function asInitLeavesIt(parts: number | null): string {
  const known = initialised.get(parts);
  if (known !== undefined) return known;
  const workspace = makeWorkspace();
  if (parts !== null) workspace.write("context.yaml", `delivery:\n  parts: ${parts}\n`);
  initialise(workspace, makeWorkspace());
  const folder = mkdtempSync(join(tmpdir(), "as init leaves it "));
  // But for the link to the launcher, which each has of its own.
  cpSync(workspace.root, folder, { recursive: true, filter: (path) => path !== workspace.path("context") });
  initialised.set(parts, folder);
  return folder;
}

function initialise(workspace: Workspace, home: Workspace): void {
  git(workspace.root, "init", "--quiet");
  expect(workspace.context("init --yes", { env: { HOME: home.root } }).code).toBe(0);
}

let known: string | null = null;

/**
 * The launcher of a copy of the program that says at once who it is where a hook is asked for that in an empty project: it always
 * says the same, and these starts are half of what a look costs. What is asked of the project itself is run.
 */
function knownLauncher(): string {
  if (known !== null) return known;
  const launcher = copiedLauncher();
  // For the store's library.
  symlinkSync(join(PROGRAM_ROOT, "node_modules"), join(dirname(launcher), "node_modules"));
  const empty = makeWorkspace();
  const env = { CONTEXT_PROBE: "1", CONTEXT_ROOT: empty.root, CLAUDE_PROJECT_DIR: empty.root };
  const { stderr } = runProgram(launcher, ["session-start", "--part", "1/1"], { cwd: empty.root, env, input: "{}" });
  expect(stderr).toMatch(/^context-probe: [^']*\n$/);
  const usual = `[ "\${CONTEXT_PROBE:-}:$PATH:\${CONTEXT_NODE:-}" = '1:${BARE_ENV.PATH}:' ]`;
  const lines = ["session-start\\ --part\\ [1-4]/4", "session-start\\ --part\\ 1/1", "pre-compact\\ --guidance"];
  const inEmpty = lines.map((line) => `${line}:/*/context-doctor-*/project`).join(" | ");
  const answer = `${usual} && case "$*:\${CONTEXT_ROOT:-}" in ${inEmpty}) echo '${stderr.trimEnd()}' >&2; exit 0 ;; esac\n`;
  const text = readFileSync(launcher, "utf8");
  writeFileSync(
    launcher,
    text.replace("\n", () => `\n${answer}`),
  );
  serveAlso(launcher);
  known = launcher;
  return launcher;
}

/**
 * A project with its hooks installed, and the home folder of whoever works on it. In one part, where nobody asks for more: each
 * look runs every installed line twice.
 */
function makeProject(own?: Workspace, parts: number | null = 1, launcher = knownLauncher()): Project {
  const workspace = own ?? makeWorkspace();
  const home = makeWorkspace();
  if (launcher !== LAUNCHER) {
    rmSync(workspace.path("context"));
    symlinkSync(launcher, workspace.path("context"));
  }
  const context: Workspace["context"] = (words, options = {}) =>
    runProgram(launcher, typeof words === "string" ? words.split(" ") : words, { cwd: workspace.root, ...options });
  const doctor = (words = "", env: Readonly<Record<string, string>> = {}): Ran => {
    const all = ["doctor", "--managed-settings", home.path("managed.json"), ...words.split(" ").filter(Boolean)];
    const options = { cwd: workspace.root, env: { HOME: home.root, ...env } };
    // The launcher itself needs a node on the PATH.
    return "PATH" in env
      ? runProgram(process.execPath, [join(dirname(launcher), "bin", "context.js"), ...all], options)
      : runProgram(launcher, all, options);
  };
  if (own !== undefined) initialise(own, home);
  else cpSync(asInitLeavesIt(parts), workspace.root, { recursive: true });
  return { ...workspace, home, doctor, context };
}

function look(project: Project, words = "", env: Readonly<Record<string, string>> = {}): readonly Found[] {
  const ran = project.doctor(`--json ${words}`, env);
  const report: { findings: Found[] } = JSON.parse(ran.stdout);
  assertDoctorReport(report);
  expect(ran.code).toBe(report.findings.some(({ severity }) => severity === "fail") ? 1 : 0);
  return report.findings;
}

function codes(found: readonly Found[]): readonly string[] {
  return [...new Set(found.map(({ code }) => code))].sort();
}

/** The settings as a value, changed and written back. */
function change(project: Project, edit: (text: string) => string, file = SHARED): void {
  const before = project.read(file);
  const after = edit(before);
  expect(after).not.toBe(before);
  project.write(file, after);
}

const SCRIPT = ".claude/hooks/session-start.sh";
const BEFORE = ".claude/hooks/pre-compact.sh";
const ENTRY = (command: string, more: object = {}) =>
  JSON.stringify(
    { hooks: { SessionStart: [{ hooks: [{ type: "command", command, timeout: 10, ...more }] }] } },
    null,
    2,
  );

function drop(event: string, text: string): string {
  const value: { hooks: Record<string, unknown> } = JSON.parse(text);
  delete value.hooks[event];
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A session of the project in the client's folder. */
function session(project: Project, text: string, id = SESSION): string {
  return project.home.write(`.claude/projects/-some-name/${id}.jsonl`, text);
}

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

function log(project: Project, days: number): SessionLog {
  return new SessionLog(project.root).add({
    type: "user",
    timestamp: day(days),
    version: "2.1.332",
    message: { role: "user", content: "hello" },
  });
}

const RUN = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/session-start.sh --part 1/4';
const hookRow = (type: string, more: object, at: string) => ({
  attachment: { type, hookName: "SessionStart:compact", hookEvent: "SessionStart", command: RUN, ...more },
  type: "attachment",
  timestamp: at,
});
const said = (text: string): object => ({
  stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } }),
  exitCode: 0,
  durationMs: 80,
});

const DEAD = JSON.stringify({ pid: 1, started: "1", boot: "0", host: "HOST", token: "1-a-1" });

interface Case {
  readonly code: string;
  readonly plant: (project: Project) => Readonly<Record<string, string>> | undefined;
  /** Findings that follow from it. */
  readonly also?: readonly string[];
  /** Whether `--fix` leaves the project without a finding. */
  readonly mends?: true;
  /** Planted in one project with all others that say the same: they have nothing to do with one another. */
  readonly among?: string;
  /** Parts of session-start that are registered, where one does not do; null for as many as there are by default. */
  readonly parts?: number | null;
}

const nothing = undefined;

const CASES: readonly Case[] = [
  {
    code: "settings-broken",
    plant: (project) => {
      project.write(LOCAL, '{\n  "model": nope\n}\n');
      return nothing;
    },
  },
  {
    code: "settings-dropped",
    plant: (project) => {
      change(project, (text) => text.replace("{", "{ // hooks\n"));
      return nothing;
    },
  },
  {
    // A value of another kind than the setting has.
    code: "settings-dropped",
    plant: (project) => {
      project.write(LOCAL, '{ "disableAllHooks": "true" }\n');
      return nothing;
    },
  },
  {
    code: "hook-left-out",
    among: "hooks that are left out",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace('"timeout": 5', '"timeout": 0'));
      return nothing;
    },
  },
  {
    code: "hook-left-out",
    among: "hooks that are left out",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace(/"SessionStart": \[\s+\{/, (found) => `${found} "matcher": 5,`));
      return nothing;
    },
  },
  {
    code: "hook-left-out",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace('"type": "command",', ""));
      return nothing;
    },
  },
  {
    code: "other-left-out",
    among: "what is not",
    plant: (project) => {
      change(project, (text) => text.replace('"PreCompact"', '"Stop": [{ "hooks": "lint.sh" }],\n    "PreCompact"'));
      return nothing;
    },
  },
  {
    code: "event-unknown",
    among: "what is not",
    plant: (project) => {
      change(project, (text) => text.replace('"PreCompact"', '"PostCompact": [],\n    "PreCompact"'));
      return nothing;
    },
  },
  {
    code: "hooks-disabled",
    plant: (project) => {
      project.home.write(".claude/settings.json", '{ "disableAllHooks": true }');
      return nothing;
    },
  },
  {
    code: "managed-hooks-only",
    plant: (project) => {
      project.home.write("managed.json", '{ "allowManagedHooksOnly": true }');
      return nothing;
    },
  },
  {
    code: "managed-hooks-only",
    plant: (project) => {
      // A hidden one is no file of the client's.
      project.home.write("managed-settings.d/.09.json", '{ "disableAllHooks": true }');
      project.home.write("managed-settings.d/10-hooks.json", '{ "allowManagedHooksOnly": true }');
      return nothing;
    },
  },
  {
    code: "untrusted",
    plant: (project) => {
      project.home.write(
        ".claude.json",
        JSON.stringify({ projects: { [project.root]: { hasTrustDialogAccepted: false } } }),
      );
      return nothing;
    },
  },
  {
    code: "plugin-missing",
    also: ["registered-twice"],
    plant: (project) => {
      project.home.write(".claude/settings.json", '{ "enabledPlugins": { "agent-context@here": true } }');
      change(project, () => "{}\n");
      return nothing;
    },
  },
  { code: "switched-off", plant: () => ({ CONTEXT_DISABLED: "1" }) },
  {
    code: "switched-off",
    plant: (project) => {
      project.write(LOCAL, '{ "env": { "CONTEXT_DISABLED": 1 } }');
      return nothing;
    },
  },
  {
    code: "not-registered",
    mends: true,
    plant: (project) => {
      change(project, (text) => drop("SessionStart", text));
      return nothing;
    },
  },
  {
    code: "registered-twice",
    mends: true,
    plant: (project) => {
      project.write(LOCAL, ENTRY(`CONTEXT_PROGRAM='${LAUNCHER}' ${RUN.replace("1/4", "1/4")}`));
      return nothing;
    },
    also: ["parts-differ", "local-not-ignored"],
  },
  {
    code: "registered-again",
    among: "what is mended, of four parts",
    parts: null,
    mends: true,
    plant: (project) => {
      project.write(LOCAL, ENTRY(RUN));
      return nothing;
    },
    also: ["parts-differ"],
  },
  {
    code: "matcher-narrow",
    among: "what is not",
    plant: (project) => {
      change(project, (text) => text.replace(/"PreCompact": \[\s+\{/, (found) => `${found} "matcher": "manual",`));
      return nothing;
    },
  },
  {
    code: "answer-unheard",
    among: "what is not",
    plant: (project) => {
      change(project, (text) => text.replace('"timeout": 10', '"timeout": 10, "async": true'));
      return nothing;
    },
  },
  {
    code: "timeout-missing",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace(/,\s+"timeout": 5/, ""));
      return nothing;
    },
  },
  {
    code: "timeout-short",
    among: "scripts that a person changed",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace('"timeout": 5', '"timeout": 2'));
      return nothing;
    },
  },
  {
    code: "timeout-long",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace('"timeout": 10', '"timeout": 600'));
      return nothing;
    },
  },
  {
    code: "parts-differ",
    among: "what is mended, of four parts",
    parts: null,
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace("--part 3/4", "--part 3/3"));
      return nothing;
    },
  },
  {
    code: "guidance-missing",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace(" --guidance", ""));
      return nothing;
    },
  },
  {
    code: "misplaced",
    mends: true,
    plant: (project) => {
      change(project, (text) => {
        const { hooks } = JSON.parse(text);
        return JSON.stringify({ hooks: { ...hooks, Stop: hooks.PreCompact } });
      });
      return nothing;
    },
  },
  {
    code: "machine-path-shared",
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replaceAll('"command": "', `"command": "CONTEXT_PROGRAM='${LAUNCHER}' `));
      return nothing;
    },
  },
  {
    code: "unknown-verb",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      project.write(LOCAL, ENTRY("context remember-all"));
      return nothing;
    },
  },
  {
    code: "registration-old",
    parts: null,
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace("--part 2/4", "--part 2/4 --quiet"));
      return nothing;
    },
  },
  {
    code: "script-missing",
    among: "scripts that cannot run",
    also: ["hook-not-found"],
    mends: true,
    plant: (project) => {
      rmSync(project.path(SCRIPT));
      return nothing;
    },
  },
  {
    code: "script-not-runnable",
    among: "scripts that cannot run",
    also: ["hook-not-found"],
    mends: true,
    plant: (project) => {
      chmodSync(project.path(BEFORE), 0o644);
      return nothing;
    },
  },
  {
    code: "script-stale",
    among: "scripts that a person changed",
    mends: true,
    plant: (project) => {
      project.write(SCRIPT, project.read(SCRIPT).replace("exit 0", "# mine\nexit 0"));
      return nothing;
    },
  },
  {
    // A person put a line before the comments.
    code: "script-stale",
    among: "scripts that a person changed",
    mends: true,
    plant: (project) => {
      project.write(BEFORE, project.read(BEFORE).replace("\n", "\nset -x\n"));
      return nothing;
    },
  },
  {
    code: "script-twice",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      project.write(".claude/hooks/context-session-start.sh", project.read(SCRIPT));
      return nothing;
    },
  },
  {
    // A person changed the comment that says what it is for.
    code: "script-stale",
    mends: true,
    plant: (project) => {
      project.write(SCRIPT, project.read(SCRIPT).replace(/^# .*$/m, "# tells the agent where it was"));
      return nothing;
    },
  },
  {
    code: "program-gone",
    also: ["machine-path-shared"],
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replaceAll('"command": "', `"command": "CONTEXT_PROGRAM='/gone/bin/context' `));
      return nothing;
    },
  },
  {
    code: "node-missing",
    plant: (project) => {
      const folder = project.home.path("bin");
      mkdirSync(folder);
      for (const tool of ["sh", "dirname", "readlink", "git", "cat"]) symlinkSync(toolPath(tool), join(folder, tool));
      return { PATH: folder, CONTEXT_NODE: join(folder, "node") };
    },
  },
  {
    code: "node-old",
    plant: (project) => {
      const old = `#!/bin/sh\n[ "$1" = --version ] && echo v18.1.0 && exit 0\nexec '${process.execPath}' "$@"\n`;
      chmodSync(project.home.write("bin/node", old), 0o755);
      return { PATH: `${project.home.path("bin")}:${BARE_ENV.PATH}` };
    },
  },
  {
    // What init cannot write is said before it begins, with the way out.
    code: "setup-blocked",
    also: ["hook-not-found"],
    plant: (project) => {
      rmSync(project.path(".claude/hooks"), { recursive: true });
      project.write(".claude/hooks", "notes\n");
      return nothing;
    },
  },
  {
    code: "setup-blocked",
    also: ["hook-not-found"],
    plant: (project) => {
      rmSync(project.path(SCRIPT));
      symlinkSync("nowhere.sh", project.path(SCRIPT));
      return nothing;
    },
  },
  {
    code: "setup-blocked",
    plant: (project) => {
      const other = "#!/bin/sh\n# somebody else's\n";
      project.write(".claude/hooks/context-pre-compact.sh", other);
      project.write(".claude/hooks/pre-compact.sh", other);
      return nothing;
    },
    also: ["not-registered"],
  },
  {
    code: "hook-exit",
    plant: (project) => {
      chmodSync(project.write("bin/context", "#!/bin/sh\nexit 3\n"), 0o755);
      project.write(LOCAL, ENTRY(`"$CLAUDE_PROJECT_DIR"/bin/context session-start --part 1/4`));
      return nothing;
    },
    also: ["parts-differ", "registered-twice"],
  },
  {
    code: "hook-timed-out",
    plant: (project) => {
      chmodSync(project.write("bin/context", "#!/bin/sh\nsleep 30\n"), 0o755);
      project.write(LOCAL, ENTRY(`"$CLAUDE_PROJECT_DIR"/bin/context session-start --part 1/4`, { timeout: 1 }));
      return nothing;
    },
    also: ["parts-differ", "registered-twice", "timeout-short"],
  },
  {
    code: "hook-slow",
    plant: (project) => {
      chmodSync(project.write("bin/context", "#!/bin/sh\nsleep 1.2\n"), 0o755);
      project.write(LOCAL, ENTRY(`"$CLAUDE_PROJECT_DIR"/bin/context session-start --part 1/4`, { timeout: 2 }));
      return nothing;
    },
    also: ["hook-silent", "parts-differ", "registered-twice", "timeout-short"],
  },
  {
    code: "hook-did-nothing",
    among: "what is mended, of four parts",
    parts: null,
    mends: true,
    plant: (project) => {
      change(project, (text) => text.replace("--part 4/4", "--piece 4/4"));
      return nothing;
    },
    also: ["parts-differ"],
  },
  {
    code: "hook-silent",
    plant: (project) => {
      change(project, (text) => drop("SessionStart", text));
      chmodSync(project.write("bin/context", "#!/bin/sh\nexit 0\n"), 0o755);
      project.home.write(
        ".claude/settings.json",
        ENTRY(`${project.path("bin/context").replaceAll(" ", "\\ ")} session-start --part 1/4`),
      );
      return nothing;
    },
    also: ["parts-differ", "registration-old"],
  },
  {
    code: "answer-broken",
    among: "scripts that say too much",
    mends: true,
    plant: (project) => {
      project.write(SCRIPT, project.read(SCRIPT).replace("unset NODE", "echo hello\nunset NODE"));
      return nothing;
    },
    also: ["script-stale"],
  },
  {
    code: "answer-too-long",
    mends: true,
    plant: (project) => {
      const line = `node -e 'console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"SessionStart",additionalContext:"x".repeat(10001)}}))'`;
      project.write(
        SCRIPT,
        project.read(SCRIPT).replace(/^CLAUDE_PROJECT_DIR=.*"\$@"/m, () => line),
      );
      return nothing;
    },
    also: ["script-stale"],
  },
  {
    code: "other-version",
    among: "scripts that say too much",
    mends: true,
    plant: (project) => {
      const says = 'context-probe: {"version":"0.0.9","program":"/old/context","node":"node"}';
      project.write(BEFORE, project.read(BEFORE).replace("unset NODE", `echo '${says}' >&2\nunset NODE`));
      return nothing;
    },
    also: ["script-stale"],
  },
  {
    code: "not-fired",
    plant: (project) => {
      session(project, log(project, 0).text());
      for (const name of [SHARED]) utimesSync(project.path(name), new Date(day(-9)), new Date(day(-9)));
      project.write("session/.cache/session-start.json", "{}");
      utimesSync(project.path("session/.cache/session-start.json"), new Date(day(-5)), new Date(day(-5)));
      return nothing;
    },
  },
  {
    code: "not-fired",
    among: "a session that was picked from the client's list, and left a newer file that names no place",
    plant: (project) => {
      session(project, log(project, 0).text());
      session(
        project,
        '{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}\n',
        "0",
      );
      utimesSync(project.path(SHARED), new Date(day(-9)), new Date(day(-9)));
      project.write("session/.cache/session-start.json", "{}");
      utimesSync(project.path("session/.cache/session-start.json"), new Date(day(-5)), new Date(day(-5)));
      return nothing;
    },
  },
  {
    code: "failed-in-session",
    plant: (project) => {
      session(
        project,
        log(project, 0)
          .add(hookRow("hook_cancelled", {}, day(0)))
          .text(),
      );
      return nothing;
    },
  },
  {
    code: "text-not-seen",
    plant: (project) => {
      session(
        project,
        log(project, 0)
          .add(hookRow("hook_success", said("<nexus-context a='1'/>"), day(0)))
          .text(),
      );
      return nothing;
    },
  },
  {
    code: "text-cut",
    among: "what is not",
    plant: (project) => {
      const text = `<nexus-context>${"x".repeat(11_000)}</nexus-context>`;
      const passed = { content: [`Output too large. Preview:\n${text.slice(0, 2000)}`], command: undefined };
      const rows = log(project, 0).add(hookRow("hook_success", said(text), day(0)));
      session(project, rows.add(hookRow("hook_additional_context", passed, day(0))).text(), "s3");
      return nothing;
    },
  },
  {
    code: "compaction-loop",
    among: "what is not",
    plant: (project) => {
      session(project, log(project, 0).compacted().compacted().compacted().says("again").text(), "s2");
      return nothing;
    },
  },
  {
    code: "set-aside",
    among: "what is not",
    plant: (project) => {
      project.write(`${machineFile("oosh-expert")}.corrupt-20260103T141500Z`, "?");
      return nothing;
    },
  },
  {
    code: "machine-unreadable",
    among: "what is not",
    plant: (project) => {
      project.role("oosh-expert");
      project.write(machineFile("oosh-expert"), "STATE=reviewing\n");
      return nothing;
    },
  },
  {
    code: "state-unreadable",
    among: "what is not",
    plant: (project) => {
      project.write("session/.cache/precompact_state.json", '{"a":1}}');
      return nothing;
    },
  },
  {
    code: "stale-lock",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      const dead = project.context("lifecycle.init oosh-expert");
      expect(dead.code).toBe(0);
      project.role("oosh-expert");
      const lock = project.write(`${machineFile("oosh-expert")}.lock`, DEAD.replace("HOST", hostName()));
      // Before this machine was started: else it may be another one's of the same name.
      utimesSync(lock, 1, 1);
      return nothing;
    },
  },
  {
    code: "leftovers",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      const path = project.write(`${MACHINES}/.oosh_expert.states.env.999999-a-1b.tmp`, "half");
      utimesSync(path, new Date(day(-1)), new Date(day(-1)));
      return nothing;
    },
  },
  {
    code: "role-stuck",
    among: "what is not",
    plant: (project) => {
      project.role("tester");
      project.context("lifecycle.init tester");
      project.setState("tester", { CURRENT: "saving", SINCE: "2026-01-03T14:00:00.000Z" });
      return nothing;
    },
  },
  {
    code: "cache-not-ignored",
    among: "what is mended",
    mends: true,
    plant: (project) => {
      project.write("session/.cache/session-start.xml", `<file path="${project.root}/a.md"/>`);
      return nothing;
    },
  },
  {
    code: "local-not-ignored",
    among: "what is not",
    plant: (project) => {
      project.write(LOCAL, JSON.stringify({ model: project.root }));
      return nothing;
    },
  },
  {
    // The program lies outside of the project and the home folder.
    code: "local-not-ignored",
    plant: (project) => {
      project.write(LOCAL, JSON.stringify({ model: "CONTEXT_PROGRAM='/opt/agent-context/context'" }));
      return nothing;
    },
  },
  {
    code: "contexts-ignored",
    among: "what is not",
    plant: (project) => {
      project.write(".gitignore", "# ours\nsession/agents/*\n!session/agents/notes.md\n");
      return nothing;
    },
  },
  {
    code: "config-invalid",
    parts: null,
    plant: (project) => {
      project.write("context.yaml", "delivry:\n  parts: 4\n");
      return nothing;
    },
  },
  {
    // A pattern that is refused hides nothing.
    code: "config-invalid",
    parts: null,
    plant: (project) => {
      project.write("context.yaml", 'redact: ["(a+)+$"]\n');
      return nothing;
    },
  },
  {
    code: "context-files-invalid",
    among: "what is not",
    plant: (project) => {
      project.role("reviewer", INVALID_TEXTS.title);
      return nothing;
    },
  },
  {
    code: "role-unknown",
    among: "what is not",
    plant: (project) => {
      project.role("oosh-expert");
      change(project, (text) => text.replace("{", '{ "env": { "HIVEMIND_ROLE": "oosh-exprt" },'));
      return nothing;
    },
  },
  { code: "role-unknown", plant: () => ({ HIVEMIND_ROLE: "Oosh Expert" }) },
  {
    code: "recover-impossible",
    among: "what is not",
    plant: (project) => {
      project.context("lifecycle.init writer");
      return nothing;
    },
  },
  {
    code: "store-address",
    plant: () => ({ CONTEXT_STORE: "http://127.0.0.1" }),
  },
  {
    code: "store-unnamed",
    plant: () => ({ CONTEXT_STORE: "redis://127.0.0.1:1" }),
  },
  {
    code: "store-certificate",
    plant: () => ({ CONTEXT_STORE: "rediss://127.0.0.1:1", CONTEXT_STORE_CA: "no-such.pem" }),
  },
  {
    code: "store-unreachable",
    plant: () => ({ CONTEXT_STORE: "redis://127.0.0.1:1", CONTEXT_STORE_PREFIX: "p" }),
  },
  {
    code: "agents-folder-missing",
    mends: true,
    plant: (project) => {
      rmSync(project.path("session"), { recursive: true });
      return nothing;
    },
  },
];

interface Planted {
  readonly cases: readonly Case[];
  readonly parts: number | null;
}

/** A look runs every hook, which takes half a second: faults that say so are looked at together. */
function planted(): readonly (readonly [names: string, Planted])[] {
  const alone = CASES.filter(({ among }) => among === undefined).map((row) => [row]);
  const names = new Set(CASES.map(({ among }) => among).filter((name) => name !== undefined));
  const groups = [...names].map((name) => CASES.filter(({ among }) => among === name));
  return [...alone, ...groups].map((cases) => {
    const [{ parts = 1 } = {}] = cases;
    return [cases.map(({ code }) => code).join(", "), { cases, parts }];
  });
}

function toolPath(name: string): string {
  for (const folder of (BARE_ENV.PATH ?? "").split(":")) {
    if (statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()) return join(folder, name);
  }
  throw new Error(`${name} is not on the PATH`);
}

function hostName(): string {
  return hostname();
}

describe("a planted fault", () => {
  test("stands in this table, for every kind of finding", () => {
    // The store's in store-client.test.ts and, with a server, in doctor-store.test.ts; that nothing can be run in scratch-folders.test.ts.
    const elsewhere = [
      "folder-unwritable",
      "hook-not-found",
      "hook-not-run",
      "native-unused",
      "store-forgets",
      "store-library-missing",
      "store-notes-wait",
      "store-other-project",
      "store-refused",
    ];
    expect(FINDING_CODES.filter((code) => !CASES.some((row) => row.code === code)).sort()).toEqual(elsewhere);
  });

  test.each(planted())("%s is found", (_names, { cases, parts }) => {
    // Each part is started twice: where the fault has nothing to do with them, one is enough.
    const project = makeProject(undefined, parts);
    const env = Object.assign({}, ...cases.map(({ plant }) => plant(project) ?? {}));
    const found = look(project, "", env);
    for (const { code } of cases) {
      const own = found.filter((each) => each.code === code);
      const planted = cases.filter((each) => each.code === code);
      expect(own.length, `${code}: ${JSON.stringify(found, null, 1)}`).toBeGreaterThanOrEqual(planted.length);
      const severity = Object.entries(CATALOGUE).find(([name]) => name === code)?.[1].severity;
      expect(own.map((each) => each.severity)).toEqual(own.map(() => severity));
    }
    const known = cases.flatMap(({ code, also = [] }) => [code, ...also]);
    expect(codes(found).filter((other) => !known.includes(other))).toEqual([]);
    if (cases.some(({ mends }) => mends === undefined)) return;
    for (const { code, also = [] } of cases) {
      expect(found.some((each) => each.fixable && [code, ...also].includes(each.code))).toBe(true);
    }
    // It looks anew after what it mends.
    expect(look(project, "--fix", env)).toEqual([]);
  });
});

/** Every file of the project with its bytes, but for git's own. */
function filesOf(project: Project): Readonly<Record<string, string>> {
  const listed = runProgram("find", [".", "-name", ".git", "-prune", "-o", "-type", "f", "-print"], {
    cwd: project.root,
  });
  const names = listed.stdout.split("\n").filter((name) => name !== "");
  return Object.fromEntries(names.sort().map((name) => [name, project.read(name)]));
}

describe("a project as init leaves it", () => {
  test("has no finding, in a path with a blank and an é, and through the launcher", () => {
    const project = makeProject(undefined, null, LAUNCHER);
    expect(look(project)).toEqual([]);
    const ran = project.context("doctor", { env: { HOME: project.home.root }, cwd: project.path("session") });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("Next: nothing, all is as it should be.\n");
    expect(ran.stdout).toContain("none is recorded yet");
  });

  test("is left as it is: no state, no cache, no role's machine is touched by the probes", () => {
    const project = makeProject(makeAcme(), null, LAUNCHER);
    const path = addSession(project, "manual-compact");
    session(project, project.read(path.slice(project.root.length + 1)), "s1");
    project.role("oosh-expert");
    project.context("lifecycle.save oosh-expert");
    const state = `{"active_project_id":"27-xml-context","confidence":"high","detection_method":"transcript","timestamp":"${day(0)}","session_id":"other"}`;
    project.write("00-system/.cache/precompact_state.json", state);
    project.write("00-system/.cache/precompact_state.used.json", state);
    const before = filesOf(project);
    const ran = project.doctor("--json", { HIVEMIND_ROLE: "oosh-expert" });
    const report: { probes: { occasion: string; exit_code: number }[] } = JSON.parse(ran.stdout);
    expect(report.probes.map(({ occasion }) => occasion).sort()).toEqual([
      "auto",
      ...Array(4).fill("compact"),
      ...Array(4).fill("startup"),
    ]);
    expect(report.probes.every(({ exit_code }) => exit_code === 0)).toBe(true);
    expect(filesOf(project)).toEqual(before);
  });
});

describe("--fix", () => {
  test("leaves every byte that is not ours, and other people's hooks, where they are", () => {
    const project = makeProject();
    const foreign = `    "Stop": [ { "hooks": [ { "type": "command", "command": "touch ran; notify" } ] } ],\n`;
    change(project, (text) => text.replace('    "PreCompact"', () => `${foreign}    "PreCompact"`));
    const want = project.read(SHARED);
    change(project, (text) => text.replace('"timeout": 5', '"timeout": 1').replace('"timeout": 10', '"timeout": 900'));
    const ran = project.doctor("--fix");
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`Mended:\n  changed ${SHARED}\n`);
    expect(project.read(SHARED)).toBe(want);
    expect(project.exists("ran")).toBe(false);
    // A fault of a foreign hook is nobody's business here.
    expect(look(project)).toEqual([]);
  });

  test("neither runs nor judges nor takes out a person's own scripts of our names, in the home folder or the project", () => {
    const project = makeProject();
    const theirs = '#!/bin/sh\ntouch "$HOME/ran"\nexit 1\n';
    for (const name of ["pre-compact", "session-start"]) {
      chmodSync(project.home.write(`.claude/hooks/${name}.sh`, theirs), 0o755);
    }
    const group = (command: string) => [{ hooks: [{ type: "command", command, timeout: 900 }] }];
    const hooks = {
      PreCompact: group("~/.claude/hooks/pre-compact.sh"),
      SessionStart: group("~/.claude/hooks/session-start.sh"),
    };
    const settings = JSON.stringify({ hooks });
    project.home.write(SHARED, settings);
    const failed = hookRow("hook_cancelled", { command: "~/.claude/hooks/session-start.sh" }, day(0));
    session(project, log(project, 0).add(failed).text());
    expect(look(project)).toEqual([]);
    // A script of theirs in the project as well: ours has another name there.
    change(project, (text) => text.replaceAll("hooks/session-start.sh", "hooks/context-session-start.sh"));
    renameSync(project.path(".claude/hooks/session-start.sh"), project.path(".claude/hooks/context-session-start.sh"));
    chmodSync(project.write(".claude/hooks/session-start.sh", theirs), 0o755);
    expect(look(project)).toEqual([]);

    // What --fix does about the user's settings, where there is something of ours to do.
    const folder = ".claude/plugins/agent-context";
    project.home.write(`${folder}/hooks/hooks.json`, '{ "hooks": {} }');
    const installed = { plugins: { "agent-context@here": { installPath: project.home.path(folder) } } };
    project.home.write(".claude/plugins/installed_plugins.json", JSON.stringify(installed));
    project.home.write(SHARED, JSON.stringify({ hooks, enabledPlugins: { "agent-context@here": true } }));
    change(project, (text) => text.replace('"timeout": 5', '"timeout": 1'));
    const before = project.home.read(SHARED);
    expect(project.doctor("--fix").stdout).toContain(`  changed ${SHARED}\n`);
    expect(project.home.read(SHARED)).toBe(before);
    expect(project.home.exists("ran")).toBe(false);
  });

  test("takes out no line that only names a folder called context, and none that names the project first", () => {
    const project = makeProject();
    const lines = ["git -C /srv/context pull", 'context -C "$CLAUDE_PROJECT_DIR" lifecycle.save oosh-expert'];
    const hooks = lines.map((command) => ({ type: "command", command, timeout: 5 }));
    const theirs = JSON.stringify({ hooks: { Stop: [{ hooks }] } });
    project.write(LOCAL, theirs);
    expect(look(project)).toEqual([]);
    change(project, (text) => text.replace("lifecycle.save", "lifecycle.sav"), LOCAL);
    expect(codes(look(project))).toEqual(["unknown-verb"]);
    expect(project.doctor("--fix").code).toBe(0);
    expect(project.read(LOCAL)).toBe(JSON.stringify({ hooks: { Stop: [{ hooks: hooks.slice(0, 1) }] } }));
  });

  test("deletes what killed writers left, in every folder that is written to", () => {
    const project = makeProject();
    const folders = ["session/agents", MACHINES, "02-projects/24-demo/01-planning", ".claude", ".claude/hooks"];
    for (const name of ["", "/gate", "/deliveries", "/pending-transitions"]) folders.push(`session/.cache${name}`);
    const left = folders.map((folder) => `${folder}/.a.999999-a-1b.tmp`);
    for (const path of left) utimesSync(project.write(path, "half"), new Date(day(-1)), new Date(day(-1)));
    expect(look(project).filter(({ code }) => code === "leftovers")).toHaveLength(left.length);
    expect(project.doctor("--fix").code).toBe(0);
    expect(left.filter((path) => project.exists(path))).toEqual([]);
  });

  test("releases a lock of each kind that a dead process left, and no file of others that is called one", () => {
    const project = makeProject();
    const planning = "02-projects/24-demo/01-planning";
    const ours = [
      `${machineFile("oosh-expert")}.lock`,
      "session/.cache/gate/one.json.lock",
      `${planning}/.resume-context.md.lock`,
      ".context-init.lock",
    ];
    const folders = ["", ".claude/", "session/agents/", "session/.cache/", `${planning}/`];
    const others = folders.flatMap((folder) => [`${folder}yarn.lock`, `${folder}package.json.lock`]);
    for (const [index, path] of [...ours, ...others].entries()) {
      // Some are empty: a power loss leaves ours so, and others begin so.
      utimesSync(project.write(path, index % 2 === 0 ? "" : "# yarn lockfile v1\n"), 1, 1);
    }
    const told = look(project).filter(({ code }) => code === "stale-lock");
    expect(told.map(({ place }) => place?.file).sort()).toEqual(ours.toSorted());
    expect(project.doctor("--fix").code).toBe(0);
    expect(ours.filter((path) => project.exists(path))).toEqual([]);
    expect(others.filter((path) => !project.exists(path))).toEqual([]);
  });

  test("says what it could not delete", () => {
    const project = makeProject();
    const left = `${MACHINES}/.oosh_expert.states.env.999999-a-1b.tmp`;
    mkdirSync(project.path(left), { recursive: true });
    utimesSync(project.path(left), new Date(day(-1)), new Date(day(-1)));
    const ran = project.doctor("--fix");
    expect(ran.stdout + ran.stderr).toContain(`${left} cannot be deleted`);
  });

  test("names the rights that it lacked as what is to be done next, and not itself once more", () => {
    const project = makeProject(undefined, 1, LAUNCHER);
    project.write(SCRIPT, `${project.read(SCRIPT)}# mine\n`);
    for (const name of ["session/stateMachines", "session/.cache"]) mkdirSync(project.path(name), { recursive: true });
    for (const name of ["session", "session/agents", "session/stateMachines", "session/.cache"])
      chmodSync(project.path(name), 0o777);
    chmodSync(project.path(".claude/hooks"), 0o555);
    const { stdout } = runProgram(sharedLauncher(), ["doctor", "--fix"], {
      cwd: project.root,
      env: { HOME: project.home.root },
      as: process.getuid?.() === 0 ? 65_534 : undefined,
    });
    expect(stdout).toMatch(
      /^Next: .*session-start\.sh cannot be written: .*\. Give this user the rights to write there, and run .* doctor --fix\.$/m,
    );
  });

  test("names a history and folders of caches that this user may not write: sudo had once left them", () => {
    const project = makeProject(undefined, 1, LAUNCHER);
    project.role("oosh-expert");
    const env = { HOME: project.home.root };
    expect(project.context("lifecycle.save oosh-expert", { env }).code).toBe(0);
    const rights: Record<string, number> = { [`${MACHINES}/oosh_expert.history.jsonl`]: 0o444 };
    for (const name of ["gate", "deliveries"]) {
      mkdirSync(project.path(`session/.cache/${name}`), { recursive: true });
      rights[`session/.cache/${name}`] = 0o555;
    }
    for (const name of ["session", "session/agents", MACHINES, "session/.cache"]) chmodSync(project.path(name), 0o777);
    chmodSync(project.path(machineFile("oosh-expert")), 0o644);
    for (const [name, mode] of Object.entries(rights)) chmodSync(project.path(name), mode);
    const { stdout } = runProgram(sharedLauncher(), ["doctor"], {
      cwd: project.root,
      env,
      as: process.getuid?.() === 0 ? 65_534 : undefined,
    });
    for (const name of ["gate/", "deliveries/"]) {
      expect(stdout).toContain(`folder-unwritable: session/.cache/${name}: It cannot be written: permission denied`);
    }
    expect(stdout).toMatch(
      /^Next: Give this user the rights to write to .*, session\/stateMachines\/oosh_expert\.history\.jsonl\.$/m,
    );
  });

  test.each([
    ["a folder in place of a role's history", "history.jsonl", mkdirSync, /: It is a folder, expected a file\./],
    ["a folder in place of its lock", "states.env.lock", mkdirSync, /: It is a folder, expected a file\./],
    [
      "a history that is a link out of the project",
      "history.jsonl",
      (path: string) => symlinkSync("/etc/hosts", path),
      /: It is a link that leads out of/,
    ],
  ])("names %s: no save can be done, and all was told to be well", (_, name, put, said) => {
    const project = makeProject();
    project.role("oosh-expert");
    const env = { HOME: project.home.root };
    const save = () => project.context("lifecycle.save oosh-expert", { env }).code;
    const doctor = () => project.context("doctor", { env });
    expect(save()).toBe(0);
    const path = `${MACHINES}/oosh_expert.${name}`;
    rmSync(project.path(path), { force: true });
    put(project.path(path));
    expect(save()).not.toBe(0);
    const { code, stdout } = doctor();
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(said) });
    expect(stdout).toMatch(new RegExp(`^Next: (?:Move|Replace) ${path} `, "m"));
    rmSync(project.path(path), { recursive: true });
    expect(doctor().code).toBe(0);
    expect(save()).toBe(0);
  });

  test("takes the hooks out of this machine's settings where the plugin registers them, and says why not of shared ones", () => {
    const project = makeProject();
    const hooks = project
      .read(SHARED)
      .replaceAll('\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/', `\\"\${CLAUDE_PLUGIN_ROOT}\\"/hooks/`);
    const folder = ".claude/plugins/cache/here/agent-context/0.1.0";
    project.home.write(`${folder}/hooks/hooks.json`, hooks);
    for (const name of ["pre-compact.sh", "session-start.sh"]) {
      chmodSync(project.home.write(`${folder}/hooks/${name}`, project.read(`.claude/hooks/${name}`)), 0o755);
    }
    const installPath = project.home.path(folder);
    project.home.write(
      ".claude/plugins/installed_plugins.json",
      JSON.stringify({
        version: 2,
        plugins: { "agent-context@here": [{ scope: "user", installPath, version: "0.1.0" }] },
      }),
    );
    project.home.write(".claude/settings.json", '{ "enabledPlugins": { "agent-context@here": true } }');
    const twice = look(project).filter(({ code }) => code === "registered-twice");
    expect(twice.length).toBe(2);
    expect(twice[0]?.message).toContain("hooks/hooks.json");
    expect(twice[0]?.message).toContain(SHARED);
    expect(twice.every(({ fixable }) => !fixable)).toBe(true);

    project.write(LOCAL, project.read(SHARED));
    rmSync(project.path(SHARED));
    expect(codes(look(project))).toContain("registered-twice");
    expect(codes(look(project, "--fix"))).toEqual([]);
    expect(project.exists(LOCAL)).toBe(false);
  });
});

test("a plugin that is switched on beside the project's own hooks is told with both places, wherever its files are", () => {
  const project = makeProject();
  project.home.write(".claude/settings.json", '{ "enabledPlugins": { "agent-context@here": true } }');
  const twice = look(project).filter(({ code }) => code === "registered-twice");
  expect(twice.map(({ message }) => message.split(" ", 1)[0])).toEqual(["pre-compact", "session-start"]);
  for (const { message } of twice) {
    expect(message).toContain(SHARED);
    expect(message).toContain(project.home.path(".claude/settings.json"));
  }
});

describe("doctor looks", () => {
  test("at settings behind a link out of the project, as the client does", () => {
    const project = makeProject();
    const outside = makeWorkspace();
    renameSync(project.path(".claude"), outside.path("claude"));
    symlinkSync(outside.path("claude"), project.path(".claude"));
    expect(look(project)).toEqual([]);
    outside.write("claude/settings.json", drop("SessionStart", outside.read("claude/settings.json")));
    const found = look(project, "--fix");
    expect(codes(found)).toEqual(["not-registered", "setup-blocked"]);
    expect(found.map(({ message }) => message).join("\n")).toContain(".claude is a link that leads out of ");
    expect(outside.read("claude/settings.json")).not.toContain("SessionStart");
  });

  test("at a checkout of a narrow umask without complaint: whoever may read a script may run it", () => {
    const project = makeProject();
    for (const name of readdirSync(project.path(".claude/hooks"))) {
      chmodSync(project.path(`.claude/hooks/${name}`), 0o700);
    }
    expect(look(project)).toEqual([]);
    chmodSync(project.path(SCRIPT), 0o640);
    expect(look(project, "--fix")).toEqual([]);
    expect(statSync(project.path(SCRIPT)).mode & 0o777).toBe(0o750);
  });

  test("at all that it can where TMPDIR names no folder", () => {
    const project = makeProject();
    expect(look(project, "", { TMPDIR: project.path("gone") })).toEqual([]);
  });

  test("for the program, and tells what it dies of once for each hook, not for each of its parts", () => {
    const project = makeProject(undefined, null);
    const broken = "#!/bin/sh\necho 'node:internal/x:1' >&2\necho \"Error: Cannot find module 'x'\" >&2\nexit 1\n";
    rmSync(project.path("context"));
    chmodSync(project.write("context", broken), 0o755);
    const found = look(project).filter(({ code }) => code === "hook-did-nothing");
    expect(found).toHaveLength(2);
    for (const { message } of found) expect(message).toContain("It says: Error: Cannot find module 'x'");
  });

  test("at lines for all projects: those of an earlier version are made as now, and a program that is gone is told", () => {
    const project = makeProject();
    expect(project.context("init --remove --yes", { env: { HOME: project.home.root } }).code).toBe(0);
    project.write("session/agents/.keep", "");
    const early = { type: "command", command: "context pre-compact --guidance", timeout: 5 };
    const settings = { hooks: { PreCompact: [{ hooks: [early] }] } };
    project.home.write(".claude/settings.json", JSON.stringify(settings));
    rmSync(project.path("context"));
    const found = look(project, "--fix");
    expect(found).toEqual([]);
    const registered = project.home.read(".claude/settings.json");
    expect(registered).toContain("&& command -v ");
    const script = project.home.path(".claude/hooks/agent-context.sh");
    rmSync(script);
    const gone = look(project);
    expect(codes(gone)).toEqual(["hook-not-found", "program-gone", "script-missing"]);
    const named = gone.find(({ code }) => code === "program-gone");
    expect(named?.message).toBe(`The command names ${script}, and there is nothing.`);
    expect(look(project, "--fix")).toEqual([]);
  });

  test("at lines for all projects, whose program stays theirs while it is there, whoever asks", () => {
    const project = makeProject(undefined, 1, LAUNCHER);
    const env = { HOME: project.home.root };
    for (const words of ["init --remove --yes", "init --user --yes"])
      expect(project.context(words, { env }).code).toBe(0);
    project.write("session/agents/.keep", "");
    const script = project.home.path(".claude/hooks/agent-context.sh");
    const installed = readFileSync(script, "utf8");
    // Such as that of a project's package: hooks of other projects are not to start what lies in this one.
    copyProgram("dist", project.path("node_modules/agent-context"));
    for (const name of ["bin", "package.json"]) copyProgram(name, project.path("node_modules/agent-context"));
    const other = project.path("node_modules/agent-context/bin/context.js");
    const ask = (words: string) => runProgram(other, words.split(" "), { cwd: project.root, env });
    expect(ask("doctor").stdout).toMatch(/^Next: nothing/m);
    chmodSync(script, 0o644);
    expect(ask("doctor --fix").stdout).toContain("made runnable");
    expect(readFileSync(script, "utf8")).toBe(installed);
    // One that starts what is gone is set up anew.
    writeFileSync(script, installed.replace(PROGRAM_ROOT, `${PROGRAM_ROOT}/gone`));
    expect(ask("doctor --fix").stdout).toContain("changed ");
    expect(readFileSync(script, "utf8")).toContain(other);
  });

  test("at lines for all projects, and names the command that writes them: init alone registers a second set", () => {
    const project = makeProject();
    const env = { HOME: project.home.root };
    for (const words of ["init --remove --yes", "init --user --yes"])
      expect(project.context(words, { env }).code).toBe(0);
    project.write("session/agents/.keep", "");
    const settings = project.home.read(SHARED);
    project.home.write(SHARED, settings.replace(" --guidance", ""));
    expect(project.doctor().stdout).toMatch(/ {6}Run .*context init --user\. \(--fix does it\)\n/);
    expect(project.context("init --user --yes", { env }).code).toBe(0);
    expect(look(project)).toEqual([]);
  });

  test("for what stands in a folder's place, and at a home that is none", () => {
    const project = makeProject();
    project.write("session/.cache", "notes\n");
    expect(look(project).map(({ code, message }) => [code, message])).toEqual([
      ["folder-unwritable", "It is a file, expected a folder."],
    ]);
    rmSync(project.path("session/.cache"));
    expect(look(project, "", { HOME: project.path("package.json") })).toEqual([]);
    project.home.write(".claude", "a file\n");
    expect(look(project)).toEqual([]);
  });

  test.each(["session/agents", "session/stateMachines", "session/.cache"])(
    "at %s behind a link out of the project",
    (name) => {
      const project = makeProject();
      rmSync(project.path(name), { recursive: true, force: true });
      symlinkSync(project.home.root, project.path(name));
      const found = look(project).find(({ code }) => code === "folder-unwritable");
      expect(found?.message).toBe(`It is a link that leads out of ${project.root}: what lies there is not changed.`);
      expect(project.doctor().stdout).toContain(`\nNext: ${name}/: Replace ${name} by one of the project's own`);
    },
  );

  test("at a file where CONFIG_PATH says", () => {
    const project = makeProject();
    const env = { CONFIG_PATH: project.write("file", "x") };
    expect(look(project, "", env).map(({ message }) => message)).toEqual([
      "It cannot be written: file is a file, expected a folder.",
    ]);
  });

  test("at a plugin in a project that holds nothing for it without alarm, and says that it has nothing to do", () => {
    const project = makeProject(undefined, null);
    expect(project.context("init --remove --yes", { env: { HOME: project.home.root } }).code).toBe(0);
    const folder = project.home.path(".claude/plugins/a plugin");
    cpSync(join(PROGRAM_ROOT, "plugin"), folder, { recursive: true });
    const installed = { plugins: { "agent-context@here": { installPath: folder } } };
    project.home.write(".claude/plugins/installed_plugins.json", JSON.stringify(installed));
    project.home.write(".claude/settings.json", '{ "enabledPlugins": { "agent-context@here": true } }');
    expect(codes(look(project))).toEqual(["agents-folder-missing"]);
    expect(project.doctor().stderr).toContain("The plugin's hooks end at once in this project");
  });

  test("for a node before all that fails without it, with its own words", () => {
    const project = makeProject();
    const shim = "#!/bin/sh\necho 'Volta error: Node is not available.' >&2\nexit 126\n";
    chmodSync(project.home.write("bin/node", shim), 0o755);
    const found = look(project, "", { PATH: `${project.home.path("bin")}:${BARE_ENV.PATH}` });
    expect(codes(found)).toEqual(["node-old"]);
    expect(found[0]?.message).toContain("bin/node says no version: Volta error: Node is not available.");
  });

  test("and takes Bun's node, which runs as one and knows no --version, for one", () => {
    const project = makeProject();
    const error = "error: Missing script to execute. Bun's provided 'node' cli wrapper does not support a repl.";
    const shim = `#!/bin/sh\n[ "$1" = --version ] && echo "${error}" >&2 && exit 1\nexec '${process.execPath}' "$@"\n`;
    chmodSync(project.home.write("bin/node", shim), 0o755);
    expect(codes(look(project, "", { PATH: `${project.home.path("bin")}:${BARE_ENV.PATH}` }))).toEqual([]);
  });

  test("where the hooks that everybody shares find no program here: to install it is the way out, not a second set", () => {
    const project = makeProject();
    const shared = project.read(SHARED);
    rmSync(project.path("context"));
    const found = look(project, "--fix");
    expect(codes(found)).toEqual(["hook-not-found", "setup-blocked"]);
    expect(project.read(SHARED)).toBe(shared);
    expect(project.exists(LOCAL)).toBe(false);
    const next = project.doctor().stdout.trimEnd().split("\n").at(-1);
    expect(next).toBe("Next: Install agent-context in the project or globally.");
  });

  test("at an event that is not theirs: setting up takes the line out there, and nothing else need be looked for", () => {
    const project = makeProject();
    const before = project.read(SHARED);
    change(project, (text) => {
      const { hooks } = JSON.parse(text);
      return JSON.stringify({ hooks: { ...hooks, Stop: hooks.SessionStart } });
    });
    expect(look(project).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "misplaced: session-start is registered at Stop, where it is of no use.",
    ]);
    expect(look(project, "--fix")).toEqual([]);
    expect(JSON.parse(project.read(SHARED))).toEqual(JSON.parse(before));
  });

  test("where they find another program of that name in the project: to install ours again does not help", () => {
    const project = makeProject();
    rmSync(project.path("context"));
    chmodSync(project.write("context", "#!/bin/sh\necho stranger\n"), 0o755);
    const found = look(project);
    expect(codes(found)).toEqual(["answer-broken", "setup-blocked"]);
    expect(project.doctor().stdout).toMatch(/^Next: Rename \.\/context\.$/m);
  });
});

describe("the report", () => {
  test("always has the times that the client wrote down, and those of each command with --perf", () => {
    const project = makeProject();
    const rows = log(project, 0);
    for (const durationMs of [10, 20, 30, 40, 400]) {
      const run = { ...said("<nexus-context/>"), durationMs };
      rows.add(hookRow("hook_success", run, day(0)));
      rows.add(hookRow("hook_additional_context", { content: ["<nexus-context/>"], command: undefined }, day(0)));
    }
    rows.add(hookRow("hook_success", { ...said("other"), command: "other-tool", durationMs: 9000 }, day(0)));
    session(project, rows.text());
    const report: { timings: { hooks: unknown[] } } = JSON.parse(project.doctor("--json").stdout);
    const times = { hook: "SessionStart:compact", count: 5, median: 30, p95: 400, max: 400 };
    expect(report.timings.hooks).toEqual([{ ...times, command: null }]);
    const perf: { timings: { hooks: unknown[] } } = JSON.parse(project.doctor("--json --perf").stdout);
    expect(perf.timings.hooks).toContainEqual({ ...times, command: RUN });
    expect(project.doctor().stdout).toMatch(/SessionStart:compact +5 +30 +400 +400\n/);
  });

  test("names the place of a file that does not parse, and one next action", () => {
    const project = makeProject();
    project.write(SHARED, '{\n  "hooks": nope\n}\n');
    const ran = project.doctor();
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(`fail settings-broken: ${SHARED}:2:12: `);
    expect(ran.stdout.match(/^Next: /gm)).toHaveLength(1);
    // Nor is every hook said to be registered where none is found.
    expect(ran.stdout).toContain("No other settings file registers pre-compact at PreCompact.");
  });

  test("names the rights to a folder before what nobody could mend without them", () => {
    const project = makeProject();
    rmSync(project.path(SHARED));
    project.write("session/.cache", "in a folder's place\n");
    const next = (words: string) => /^Next: (.*)$/m.exec(project.doctor(words).stdout)?.[1];
    expect(next("")).toMatch(/session\/\.cache/);
    rmSync(project.path("session/.cache"));
    expect(next("")).toMatch(/^run .* doctor --fix\.$/);
  });

  test("the next action can be told from itself: a command, or the place where something is to be done", () => {
    const project = makeProject();
    const next = () => /^Next: (.*)$/m.exec(project.doctor().stdout)?.[1];
    const aside = `${MACHINES}/tester.states.env.corrupt-20260203T121500Z`;
    // What only an older client drops comes last.
    change(project, (text) => text.replace('"PreCompact"', '"PostCompact": [],\n    "PreCompact"'));
    expect(next()).toMatch(
      /^\.claude\/settings\.json:\d+:5: Where one of those is used, .*; else nothing is to be done\.$/,
    );
    project.write(aside, "?");
    expect(next()).toBe(`${aside}: Look into it, and delete it.`);
    project.role("tester");
    project.write(machineFile("tester"), "?");
    expect(next()).toMatch(/^run .* lifecycle\.recover tester: it sets the file aside/);
    project.write(SHARED, '{\n  "hooks": nope\n}\n');
    expect(next()).toContain(`${SHARED}:2:12`);
  });

  test("settings of another CLAUDE_CONFIG_DIR are the ones that count", () => {
    const project = makeProject();
    project.home.write("elsewhere/settings.json", '{ "disableAllHooks": true }');
    expect(codes(look(project, "", { CLAUDE_CONFIG_DIR: project.home.path("elsewhere") }))).toEqual(["hooks-disabled"]);
  });

  test("a later level that switches the hooks on again has the last word", () => {
    const project = makeProject();
    project.home.write(".claude/settings.json", '{ "disableAllHooks": true }');
    project.write(LOCAL, '{ "disableAllHooks": false }');
    expect(look(project)).toEqual([]);
  });

  test("the settings' own environment is that of the hooks, and its last level has the last word", () => {
    const project = makeProject();
    project.write(
      SHARED,
      project.read(SHARED).replace("{", '{ "env": { "CONTEXT_DISABLED": "1", "CONTEXT_NODE": "/no\\u0000ne" },'),
    );
    const said = project.doctor().stdout;
    expect(said).toContain(`warn switched-off: ${SHARED}: CONTEXT_DISABLED=1 is set`);
    expect(said).toContain(`Next: ${SHARED}: Take CONTEXT_DISABLED out there.`);
    project.write(LOCAL, '{ "env": { "CONTEXT_DISABLED": 0 } }');
    expect(look(project, "", { CONTEXT_DISABLED: "1" })).toEqual([]);
    const old = project.write("old/node", "#!/bin/sh\necho v18.20.4\n");
    chmodSync(old, 0o755);
    project.write(LOCAL, JSON.stringify({ env: { CONTEXT_DISABLED: "", CONTEXT_NODE: old } }));
    expect(codes(look(project))).toContain("node-old");
  });

  test("a hook is run whatever its matcher is, and whatever stands before it with the same command", () => {
    const project = makeProject();
    const run = "$CLAUDE_PROJECT_DIR/nowhere/context session-start";
    const group = (matcher: string) => ({ matcher, hooks: [{ type: "command", command: run, timeout: 10 }] });
    for (const matchers of [[".*"], ["resume", "startup|compact"]]) {
      const hooks = { ...JSON.parse(project.read(SHARED)).hooks, SessionStart: matchers.map(group) };
      project.write(SHARED, JSON.stringify({ hooks }));
      expect([matchers, codes(look(project))]).toEqual([matchers, ["hook-not-found", "parts-differ"]]);
    }
  });

  test("a line that does more than start a hook of ours is said to be there, and not run", () => {
    const project = makeProject(undefined, null);
    change(project, (text) => text.replace("--part 4/4", "--part 4/4; touch ran"));
    const ran = project.doctor();
    expect(ran.stderr).toContain("in a line of your own: it is not run here");
    expect(project.exists("ran")).toBe(false);
  });

  test("hooks of a folder that is not trusted are not run", () => {
    const project = makeProject();
    project.write(SCRIPT, project.read(SCRIPT).replace("exit 0", "touch ran\nexit 0"));
    project.home.write(
      ".claude.json",
      JSON.stringify({ projects: { [project.root]: { hasTrustDialogAccepted: false } } }),
    );
    expect(codes(look(project))).toEqual(["script-stale", "untrusted"]);
    expect(project.exists("ran")).toBe(false);
  });

  test("a folder is trusted as the client of today takes it: within its repository, or with the one that it is a worktree of", () => {
    const project = makeProject();
    const trusted = (...folders: readonly string[]): boolean => {
      const projects = Object.fromEntries(folders.map((folder) => [folder, { hasTrustDialogAccepted: true }]));
      project.home.write(".claude.json", JSON.stringify({ projects }));
      return !codes(look(project)).includes("untrusted");
    };
    expect(trusted(dirname(project.root))).toBe(false);
    expect(trusted("/elsewhere", project.root)).toBe(true);
    // Where this is there, the client goes by it alone.
    const own = project.home.write(".claude/.config.json", "{}");
    expect(trusted(project.root)).toBe(false);
    renameSync(project.home.path(".claude.json"), own);
    expect(codes(look(project))).not.toContain("untrusted");
    rmSync(own);
    const main = makeWorkspace();
    git(main.root, "init", "--quiet");
    git(
      main.root,
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.org",
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "one",
    );
    git(main.root, "worktree", "add", "--quiet", main.path("wt"));
    rmSync(project.path(".git"), { recursive: true });
    renameSync(main.path("wt/.git"), project.path(".git"));
    git(main.root, "worktree", "repair", project.root);
    expect(trusted(main.root)).toBe(true);
    project.home.write(".claude.json", '{ "hasCompletedOnboarding": true }');
    expect(codes(look(project))).toContain("untrusted");
  });
});
