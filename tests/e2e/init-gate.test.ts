import { chmodSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { applyPatch } from "diff";
import { describe, expect, test } from "vitest";
import { makeCompacted, PASSES, PENDING, PLAN, reasonOf, SESSION } from "../gate/session.ts";
import { LAUNCHER } from "../helpers/program-under-test.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const SHARED = ".claude/settings.json";
const USER_SCRIPT = ".claude/hooks/agent-context.sh";
const LOCAL = ".claude/settings.local.json";
const SCRIPT = ".claude/hooks/gate.sh";
const COMMAND = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/gate.sh';

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly { readonly command: string; readonly timeout: number }[];
}

function groupsIn(text: string): Readonly<Record<string, readonly Group[]>> {
  const settings: { hooks?: Record<string, Group[]> } = JSON.parse(text);
  return settings.hooks ?? {};
}

interface Project extends Workspace {
  readonly home: Workspace;
  readonly init: (words?: string) => Ran;
}

function makeProject(workspace: Workspace = makeWorkspace()): Project {
  const home = makeWorkspace();
  const init = (words = "") =>
    workspace.context(["init", ...words.split(" ").filter((word) => word !== "")], { env: { HOME: home.root } });
  return { ...workspace, home, init };
}

/** Runs what the settings register for a tool's call, as the client does. */
function fire({ root, read, home }: Project, place: string, payload: Readonly<Record<string, unknown>>): Ran[] {
  const groups = groupsIn(read(place))[String(payload.hook_event_name)] ?? [];
  const tool = String(payload.tool_name);
  return groups
    .filter(({ matcher }) => matcher === undefined || new RegExp(`^(?:${matcher})$`).test(tool))
    .flatMap(({ hooks }) => hooks)
    .map(({ command }) =>
      runProgram("sh", ["-c", command], {
        cwd: tmpdir(),
        env: { CLAUDE_PROJECT_DIR: root, HOME: home.root, CLAUDE_CONFIG_DIR: home.path(".claude") },
        input: JSON.stringify({ session_id: SESSION, cwd: root, ...payload }),
      }),
    );
}

describe("init --gate", () => {
  test("registers the gate for edits and reads beside the rest, and a second run changes nothing", () => {
    const project = makeProject();
    expect(project.init().code).toBe(0);
    expect(project.exists(SCRIPT)).toBe(false);
    const plain = project.read(SHARED);

    const missing = project.init("--gate --check");
    expect(missing.code).toBe(1);
    expect(missing.stdout).toContain(`to create ${SCRIPT}\nto change ${SHARED}\n`);
    expect(missing.stderr).toContain("init --gate");
    expect(project.read(SHARED)).toBe(plain);

    expect(project.init("--gate").code).toBe(0);
    expect(statSync(project.path(SCRIPT)).mode & 0o777).toBe(0o755);
    const groups = groupsIn(project.read(SHARED));
    const hooks = [{ type: "command", command: COMMAND, timeout: 5 }];
    expect(groups.PreToolUse).toEqual([{ matcher: "Edit|Write|MultiEdit|NotebookEdit", hooks }]);
    expect(groups.PostToolUse).toEqual([{ matcher: "Read", hooks }]);
    expect(groups.SessionStart?.[0]?.hooks).toHaveLength(4);

    const registered = project.read(SHARED);
    for (const words of ["--gate", "", "--gate --check", "--check"]) {
      expect([words, project.init(words).code]).toEqual([words, 0]);
      expect(project.read(SHARED)).toBe(registered);
    }
    expect(JSON.parse(project.init("--json").stdout)).toMatchObject({ gate: true, changes: [] });
  });

  test("shows in a dry run what it does", () => {
    const project = makeProject();
    project.write(SHARED, '{\n\t"hooks": {"PreToolUse": []}\n}');
    const planned = project.init("--gate --dry-run");
    expect(project.exists(SCRIPT)).toBe(false);
    const before = project.read(SHARED);
    const done: { changes: { path: string; diff: string | null }[] } = JSON.parse(project.init("--gate --json").stdout);
    const diff = done.changes.find(({ path }) => path === SHARED)?.diff ?? "";
    expect(planned.stdout).toContain(diff);
    expect(applyPatch(before, diff)).toBe(project.read(SHARED));
    expect(project.init("--remove").code).toBe(0);
    expect(project.read(SHARED)).toBe(before);
  });

  test("mends a gate that is there in part or old without being asked for it", () => {
    const project = makeProject();
    project.init("--gate");
    const whole = project.read(SHARED);
    const settings: { hooks: Record<string, Group[]> } = JSON.parse(whole);
    delete settings.hooks.PostToolUse;
    project.write(SHARED, JSON.stringify(settings));
    project.write(SCRIPT, project.read(SCRIPT).replace("exit 0\n", ""));
    const check = project.init("--check");
    expect(check.code).toBe(1);
    expect(check.stdout).toContain(`to change ${SCRIPT}\nto change ${SHARED}\n`);
    expect(project.init().code).toBe(0);
    expect(JSON.parse(project.read(SHARED))).toEqual(JSON.parse(whole));
    expect(project.read(SCRIPT)).toMatch(/exit 0\n$/);
  });

  test("--remove takes it away with the rest; with --gate it alone, and only what is ours", () => {
    const project = makeProject();
    project.init();
    const plain = project.list(".claude/hooks");
    const settings = project.read(SHARED);
    project.init("--gate");
    expect(project.init("--remove --gate").stdout).toContain(`deleted ${SCRIPT}\n`);
    expect(project.list(".claude/hooks")).toEqual(plain);
    expect(project.read(SHARED)).toBe(settings);
    expect(project.init("--remove --gate").stdout).toContain("No gate is installed here.");
    project.init("--gate");
    project.init("--remove");
    expect(project.exists(".claude")).toBe(false);
  });

  test("a gate of a person's own stays as it is, and so does another script of that name", () => {
    const project = makeProject();
    const custom = { hooks: { PreToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: COMMAND }] }] } };
    project.write(LOCAL, JSON.stringify(custom));
    expect(project.init().stderr).toContain(`${LOCAL}:1:52 runs a hook of context at PreToolUse for "Edit" only`);
    expect(JSON.parse(project.read(LOCAL))).toEqual(custom);
    expect(groupsIn(project.read(SHARED)).PreToolUse).toBeUndefined();

    const other = makeProject();
    other.write(SCRIPT, "#!/bin/sh\necho theirs\n");
    const theirs = { PreToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: COMMAND }] }] };
    other.write(SHARED, JSON.stringify({ hooks: theirs }));
    expect(other.init().stderr).not.toContain("gate");
    expect(other.init("--gate").stderr).toContain("ours is context-gate.sh");
    expect(groupsIn(other.read(SHARED)).PreToolUse).toHaveLength(2);
    expect(other.read(SHARED)).toContain("context-gate.sh");
    other.init("--remove");
    expect(JSON.parse(other.read(SHARED))).toEqual({ hooks: theirs });
    expect(other.list(".claude/hooks")).toEqual(["gate.sh"]);
  });

  test("a plugin registers the rest and not the gate: the settings register it alone", () => {
    const project = makeProject();
    project.home.write(".claude/settings.json", '{"enabledPlugins": {"agent-context@some-market": true}}');
    const ran = project.init("--gate");
    expect(ran.stdout).toContain(
      "the plugin agent-context@some-market registers them, so the settings register the gate alone",
    );
    expect(Object.keys(groupsIn(project.read(SHARED)))).toEqual(["PreToolUse", "PostToolUse"]);
    expect(project.list(".claude/hooks")).toEqual(["gate.sh"]);
    for (const words of ["--check", "--gate --check"])
      expect(project.init(words)).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(project.init("--json").stdout)).toMatchObject({ registered_twice: [], changes: [] });
    project.init("--remove");
    expect(project.exists(".claude")).toBe(false);
  });

  test("scripts in the user's own hooks folder are not taken for ours by their names", () => {
    const project = makeProject();
    const names = ["gate", "session-start"];
    for (const name of names) project.home.write(`.claude/hooks/${name}.sh`, "#!/bin/sh\necho theirs\n");
    const line = (name: string) => [
      { hooks: [{ type: "command", command: `~/.claude/hooks/${name}.sh`, timeout: 5 }] },
    ];
    const settings = JSON.stringify({ hooks: { PreToolUse: line("gate"), SessionStart: line("session-start") } });
    project.home.write(SHARED, settings);
    expect(project.init("--user --gate").code).toBe(0);
    for (const name of names) expect(project.home.read(SHARED)).toContain(`~/.claude/hooks/${name}.sh`);
    expect(project.init("--user --remove").code).toBe(0);
    expect(project.home.read(SHARED)).toBe(settings);
    expect(project.init().stderr).not.toContain("one is enough");
  });

  test("moves with the rest to the file that a machine's path belongs in", () => {
    const project = makeProject();
    runProgram("rm", [project.path("context")], { cwd: "/" });
    const env = { HOME: project.home.root };
    expect(runProgram(LAUNCHER, ["init", "--gate"], { cwd: project.root, env }).code).toBe(0);
    expect(project.exists(SHARED)).toBe(false);
    expect(Object.keys(groupsIn(project.read(LOCAL)))).toEqual([
      "PreCompact",
      "SessionStart",
      "PreToolUse",
      "PostToolUse",
    ]);
    symlinkSync(LAUNCHER, project.path("context"));
    project.init();
    expect(project.exists(LOCAL)).toBe(false);
    expect(Object.keys(groupsIn(project.read(SHARED)))).toHaveLength(4);
  });
});

describe("the gate that init registered", () => {
  const EDIT = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: "/x" } };

  function compacted(words: string, place: string) {
    const made = makeCompacted();
    const project = makeProject(made.workspace);
    // A program of the project's own is none that the user's settings start.
    if (words.includes("--user")) {
      runProgram("rm", [project.path("context")], { cwd: "/" });
      runProgram(LAUNCHER, ["init", "--gate", "--user"], { cwd: project.root, env: { HOME: project.home.root } });
    } else expect(project.init(words).code).toBe(0);
    const whole = words.includes("--user") ? { ...project, read: project.home.read } : project;
    const call = (payload: Readonly<Record<string, unknown>>): Ran => {
      const [ran, ...more] = fire(whole, place, { transcript_path: made.transcript, ...payload });
      expect(more).toEqual([]);
      if (ran === undefined) throw new Error("nothing is registered for this call");
      return ran;
    };
    return { ...made, project, call };
  }

  test.each(["--gate", "--gate --user"])("%s: holds edits back until what is left to read was read", (words) => {
    const { workspace, call } = compacted(words, SHARED);
    const reason = reasonOf(call(EDIT));
    expect(reason).toContain(`- ${workspace.path(PLAN)}\n`);
    expect(reason).toContain("denial 1 of at most 3");
    reasonOf(call({ ...EDIT, tool_name: "Write" }));
    const read = { hook_event_name: "PostToolUse", tool_name: "Read", tool_input: { file_path: workspace.path(PLAN) } };
    expect(call(read)).toMatchObject(PASSES);
    expect(workspace.exists(PENDING)).toBe(false);
    expect(call(EDIT)).toMatchObject(PASSES);
  });

  test.each(["--gate", "--gate --user"])("%s: lets go after three denials, with a note", (words) => {
    const { call } = compacted(words, SHARED);
    for (const tool_name of ["Edit", "MultiEdit", "NotebookEdit"]) reasonOf(call({ ...EDIT, tool_name }));
    const fourth = call(EDIT);
    expect(fourth).toMatchObject({ code: 0, stdout: "" });
    expect(fourth.stderr).toContain("the gate lets go after 3 denials");
    expect(call(EDIT)).toMatchObject(PASSES);
  });

  test("opens for a person's prompt, and for gate --skip", () => {
    const prompted = compacted("--gate", SHARED);
    reasonOf(prompted.call(EDIT));
    prompted.append((log) => log.prompt("skip the gate"));
    expect(prompted.call(EDIT).stdout).toBe("");
    expect(prompted.call(EDIT)).toMatchObject(PASSES);

    const skipped = compacted("--gate", SHARED);
    reasonOf(skipped.call(EDIT));
    skipped.workspace.context("gate --skip", { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(skipped.call(EDIT)).toMatchObject(PASSES);
  });

  test("starts nothing for other tools, and no program while nothing is pending", () => {
    const project = makeProject();
    project.init("--gate");
    for (const tool_name of ["Bash", "Grep", "Task", "TodoWrite", "ReadMcpResource"]) {
      for (const hook_event_name of ["PreToolUse", "PostToolUse"]) {
        expect(fire(project, SHARED, { hook_event_name, tool_name })).toEqual([]);
      }
    }
    const stub = project.home.write(
      "bin/context",
      `#!/bin/sh\necho "$@" > "${project.path("started")}"\ncat >/dev/null\n`,
    );
    chmodSync(stub, 0o755);
    runProgram("rm", [project.path("context")], { cwd: "/" });
    symlinkSync(stub, project.path("context"));
    // The user's own script names the program, so theirs has to be the stub.
    const guarded = `${dirname(stub)}:${process.env.PATH}`;
    runProgram(LAUNCHER, ["init", "--gate", "--user"], { cwd: project.root, env: { HOME: project.home.root } });
    const text = project.home.read(USER_SCRIPT).replace(`'${LAUNCHER}' context`, "context");
    project.home.write(USER_SCRIPT, text);
    for (const [place, read] of [
      [SHARED, project.read],
      [SHARED, project.home.read],
    ] as const) {
      const [{ command = "" } = {}] = groupsIn(read(place)).PreToolUse?.[0]?.hooks ?? [];
      const run = () =>
        runProgram("sh", ["-c", command], {
          cwd: tmpdir(),
          env: { CLAUDE_PROJECT_DIR: project.root, PATH: guarded },
          input: JSON.stringify(EDIT),
        });
      expect(run()).toMatchObject(PASSES);
      expect(project.exists("started")).toBe(false);
      project.write(`${PENDING}/${SESSION}`, "");
      expect(run()).toMatchObject({ code: 0 });
      expect(project.read("started")).toBe("gate\n");
      runProgram("rm", ["-r", project.path(PENDING), project.path("started")], { cwd: "/" });
    }
  });
});
