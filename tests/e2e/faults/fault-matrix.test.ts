import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { makeAcme } from "../../helpers/acme-project.ts";
import { LAUNCHER } from "../../helpers/program-under-test.ts";
import { type Ran, runProgram } from "../../helpers/run-program.ts";
import { runStart } from "../../helpers/session-start.ts";
import { machineFile, type Workspace } from "../../helpers/workspace.ts";
import { COMMANDS, type Command, expectManners, makeProject, ROLE } from "./commands.ts";
import { buildShim, type FaultCall, type FaultName, faultEnv } from "./fault.ts";
import { expectWhole, filesBelow, leftovers } from "./files.ts";

const shim = buildShim();
afterAll(() => shim?.remove());

/** Killed after so many changes to files; a long run goes on until the command ends by itself: FAULT_KILLS=60. */
const KILLS = Number(process.env.FAULT_KILLS || 2);

/** Temporary files of the killed become old enough to be removed. */
function age(workspace: Workspace): void {
  const past = new Date(Date.now() - 120_000);
  for (const path of leftovers(filesBelow(workspace.root))) utimesSync(workspace.path(path), past, past);
}

function run(workspace: Workspace, command: Command, env: Readonly<Record<string, string>> = {}): Ran {
  const input = command.input?.(workspace) ?? "";
  const role = command.hook === undefined ? {} : { HIVEMIND_ROLE: ROLE };
  const all = { ...role, ...env, CONTEXT_STDIN_IDLE_MS: "2000" };
  // By its own path: a link in the project would be below the folder where the calls fail.
  return runProgram(LAUNCHER, command.words, { cwd: workspace.root, input, env: all });
}

/** The next run is not kept from anything, and clears away what the last one left. */
function expectNextRun(workspace: Workspace, command: Command, what: string): void {
  age(workspace);
  command.prepare?.(workspace);
  const next = run(workspace, { ...command, words: command.again ?? command.words });
  expectManners(next, command, `${what}, then again`);
  expect(next.code, `${what}, then again: ${next.stderr}`).not.toBe(4);
  // Drafts of a lock are swept when a dead owner's lock is taken over, and now and then: never are they in the way.
  const left = leftovers(filesBelow(workspace.root)).filter((path) => !/\.lock\.[0-9]+-[^/]+\.tmp$/.test(path));
  expect(left, `${what}, then again: ${left.join(" ")}`).toEqual([]);
}

const CALLS: readonly (readonly [FaultCall, FaultName])[] = [
  ["write", "ENOSPC"],
  ["change", "EROFS"],
  ["change", "EACCES"],
  ["open", "EMFILE"],
  ["read", "EIO"],
  ["write", "EIO"],
  ["fsync", "EIO"],
  ["rename", "EIO"],
  ["link", "EIO"],
  ["unlink", "EIO"],
];

describe.skipIf(shim === null)("where the system refuses", () => {
  test.each(Object.entries(COMMANDS))("%s keeps its manners and every file whole", (_name, command) => {
    const workspace = makeProject(command);
    for (const [call, name] of CALLS) {
      for (const at of call === "change" || call === "open" ? [1, 3] : [1]) {
        const what = `${name} at ${call} ${at}`;
        const before = filesBelow(workspace.root);
        const ran = run(workspace, command, faultEnv(shim?.path ?? "", workspace.root, { call, name, at }));
        expectManners(ran, command, what);
        expectWhole(before, filesBelow(workspace.root), what);
      }
    }
    expectNextRun(workspace, command, "refused");
  });

  test.each(Object.entries(COMMANDS))(
    "%s, killed between any two changes, leaves whole files and nothing in the way",
    (_name, command) => {
      const workspace = makeProject(command);
      for (let at = 1; at <= KILLS; at += 1) {
        const before = filesBelow(workspace.root);
        const env = faultEnv(shim?.path ?? "", workspace.root, { call: "change", name: "killed", at });
        const ran = run(workspace, command, env);
        expectWhole(before, filesBelow(workspace.root), `killed at change ${at}`);
        if (ran.signal === null && ran.code !== 137) break;
      }
      expectNextRun(workspace, command, "killed");
    },
  );

  test("a clock that goes back a year changes no answer", () => {
    for (const command of Object.values(COMMANDS)) {
      const workspace = makeProject(command);
      const before = filesBelow(workspace.root);
      const ran = run(workspace, command, { LD_PRELOAD: shim?.path ?? "", FAULT_CLOCK: "-31536000" });
      expectManners(ran, command, command.words.join(" "));
      expectWhole(before, filesBelow(workspace.root), command.words.join(" "));
      expectNextRun(workspace, command, command.words.join(" "));
    }
  });
});

describe.skipIf(shim === null)("on a mount", () => {
  const look = (command: Command, call?: FaultCall, name: FaultName = "EPERM") => {
    const workspace = makeProject(command);
    const env = call === undefined ? {} : faultEnv(shim?.path ?? "", workspace.root, { call, name });
    const { code, stderr } = run(workspace, command, env);
    const files = [...filesBelow(workspace.root).keys()].filter((path) => !path.includes("/deliveries/."));
    return { code, stderr: stderr.replaceAll(workspace.root, "ROOT"), files };
  };
  /** What each command does elsewhere: looked at once, for every kind of mount. */
  const elsewhere = new Map<Command, ReturnType<typeof look>>();

  test.each([
    ["whose files have one name alone", "link", "EPERM"],
    ["that keeps no permission bits", "chmod", "EPERM"],
    ["that can flush no file", "fsync", "EINVAL"],
  ] as const)("%s every command does what it does elsewhere", (_what, call, name) => {
    for (const command of Object.values(COMMANDS)) {
      const plain = elsewhere.get(command) ?? look(command);
      elsewhere.set(command, plain);
      const there = look(command, call, name);
      expect(there, command.words.join(" ")).toEqual(plain);
    }
  });

  test("whose files have one name alone a start is told once, though a plugin and the settings run the hook", () => {
    const workspace = makeAcme();
    const env = faultEnv(shim?.path ?? "", workspace.root, { call: "link", name: "EPERM" });
    expect(runStart(workspace, { run: { env } }).stdout).toContain("<nexus-context");
    const plugin = { env: { ...env, CLAUDE_PLUGIN_ROOT: "/plugins/context" } };
    expect(runStart(workspace, { run: plugin })).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});

test("the shim bites: without room a save fails and says so", { skip: shim === null }, () => {
  const command = { words: ["lifecycle.save", ROLE] };
  const workspace = makeProject(command);
  const env = faultEnv(shim?.path ?? "", workspace.root, { call: "write", name: "ENOSPC" });
  expect(run(workspace, command, env)).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOSPC") });
});

const STATE_FILES = [
  machineFile(ROLE),
  `${machineFile(ROLE)}.lock`,
  "session/stateMachines/oosh_expert.history.jsonl",
  `session/agents/${ROLE}.context.md`,
  "session/.cache/precompact_state.json",
  "session/.cache/session-start.json",
  "02-projects/24-demo/01-planning/resume-context.md",
  ".claude/settings.json",
  "context.yaml",
];

const PLACED: Readonly<Record<string, (path: string) => void>> = {
  "a folder": (path) => mkdirSync(path, { recursive: true }),
  "a pipe": (path) => spawnSync("mkfifo", [path]),
  "a link to nowhere": (path) => symlinkSync("/nowhere/at/all", path),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
};

describe.each(Object.entries(PLACED))("%s in place of each file", (_what, place) => {
  test.each(Object.entries(COMMANDS))("%s does not wait, crash or write through it", (_name, command) => {
    const workspace = makeProject(command);
    for (const file of STATE_FILES) {
      mkdirSync(workspace.path(file.slice(0, file.lastIndexOf("/") + 1) || "."), { recursive: true });
      rmSync(workspace.path(file), { recursive: true, force: true });
      place(workspace.path(file));
    }
    expectManners(run(workspace, command), command, "all of them");
  });
});

test.each(["session", "session/agents", "session/stateMachines", "02-projects", ".claude", "client"])(
  "without %s every command keeps its manners",
  (folder) => {
    for (const command of Object.values(COMMANDS)) {
      const workspace = makeProject(command);
      rmSync(workspace.path(folder), { recursive: true, force: true });
      expectManners(run(workspace, command), command, command.words.join(" "));
    }
  },
);
