import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { HOOK_SCRIPTS, type HookScript, hookScript } from "../../src/install/hook-scripts.ts";
import { pluginHookScript } from "../../src/install/plugin-files.ts";
import { BARE_ENV, type Ran, runProgram } from "../helpers/run-program.ts";
import { SHELLS } from "../helpers/shells.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const NO_PROGRAM = "the hook did nothing: agent-context is neither in this project nor on the PATH.";

const PAYLOAD = JSON.stringify({ session_id: "s", trigger: "auto", source: "startup" });

/** A project with the scripts in it, and a program that only says how it was called. */
function project(): Workspace {
  const workspace = makeWorkspace();
  rmSync(workspace.path("context"));
  rmSync(workspace.path("session"), { recursive: true });
  const program = `#!/bin/sh\necho "ran $*, certificates \${NODE_EXTRA_CA_CERTS-none}, options \${NODE_OPTIONS-none}, got $(cat | wc -c | tr -d ' ') bytes"\nexit 3\n`;
  chmodSync(workspace.write("context", program), 0o755);
  for (const hook of HOOK_SCRIPTS) workspace.write(`.claude/hooks/${hook}.sh`, hookScript(hook));
  return workspace;
}

interface Call {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function fire(
  shell: readonly string[],
  workspace: Workspace,
  hook: HookScript,
  { words = [], env = {} }: Call = {},
): Ran {
  const [file = "", ...first] = shell;
  return runProgram(file, [...first, workspace.path(`.claude/hooks/${hook}.sh`), ...words], {
    cwd: "/",
    env: { CLAUDE_PROJECT_DIR: workspace.root, NODE_EXTRA_CA_CERTS: "/none", NODE_OPTIONS: "--require /none", ...env },
    input: PAYLOAD,
  });
}

const ran = (words: string): Partial<Ran> => ({
  code: 0,
  stdout: `ran ${words}, certificates none, options none, got ${PAYLOAD.length} bytes\n`,
  stderr: "",
});
const SILENT: Partial<Ran> = { code: 0, stdout: "", stderr: "" };
const NOTHING_SAVED: Partial<Ran> = { code: 0, stdout: "{}\n", stderr: "" };

test("there are shells to try the scripts in", () => {
  expect(SHELLS.length).toBeGreaterThan(0);
});

describe.each(SHELLS.map((shell) => [shell.join(" "), shell] as const))("in %s", (_, shell) => {
  test("a program that needs Node gets one that is not on the PATH, and one that lies beside that Node is found", () => {
    const workspace = project();
    const bin = "a home/.nvm/versions/node/v22.1.0/bin";
    chmodSync(workspace.write(`${bin}/node`, '#!/bin/sh\necho "node ran $*"\n'), 0o755);
    chmodSync(workspace.write("context", "#!/bin/sh\nnode a program\n"), 0o755);
    workspace.write("context.yaml", "");
    const [file = "", ...first] = shell;
    const program = runProgram("sh", ["-c", `command -v ${file}`], { cwd: "/" }).stdout.trim();
    const env = { PATH: workspace.path("nothing"), HOME: workspace.path("a home") };
    const found = () => fire([program, ...first], workspace, "pre-compact", { env }).stdout;
    symlinkSync("/bin/sh", workspace.path(`${bin}/sh`));
    expect(found()).toBe("node ran a program\n");
    rmSync(workspace.path("context"));
    chmodSync(workspace.write(`${bin}/context`, '#!/bin/sh\necho "context ran $*"\n'), 0o755);
    expect(found()).toBe("context ran pre-compact\n");
  });

  test("a script finds what npm installed for all projects where the PATH lacks it, also beside another Node than it takes", () => {
    const workspace = project();
    rmSync(workspace.path("context"));
    workspace.write("context.yaml", "");
    const [file = "", ...first] = shell;
    const program = runProgram("sh", ["-c", `command -v ${file}`], { cwd: "/" }).stdout.trim();
    for (const name of ["node", "sh"]) symlinkSync("/bin/sh", workspace.path(name));
    const env = { PATH: workspace.root, HOME: workspace.path("a home") };
    const found = () => fire([program, ...first], workspace, "pre-compact", { env });
    // TeX has a program of that name.
    chmodSync(workspace.write("a home/.local/bin/context", "#!/bin/sh\necho TeX\n"), 0o755);
    expect(found()).toMatchObject({ stdout: "", stderr: `context: ${NO_PROGRAM}\n` });
    for (const prefix of [".npm-global", ".nvm/versions/node/v20.20.2"]) {
      const path = `a home/${prefix}/lib/node_modules/agent-context/bin/context.js`;
      chmodSync(workspace.write(path, `#!/bin/sh\necho "${prefix} ran $*"\n`), 0o755);
      mkdirSync(workspace.path(`a home/${prefix}/bin`));
      expect(found()).toMatchObject({ stdout: `${prefix} ran pre-compact\n`, stderr: "" });
    }
    chmodSync(workspace.write("a home/.nvm/versions/node/v22.1.0/bin/node", "#!/bin/sh\n"), 0o755);
    rmSync(workspace.path("node"));
    expect(found()).toMatchObject({ stdout: ".nvm/versions/node/v20.20.2 ran pre-compact\n", stderr: "" });
  });

  test("a script finds the project's program, hands it all that it was given, and never fails", () => {
    const workspace = project();
    workspace.write("session/.cache/gate.pending", "");
    workspace.write("context.yaml", "");
    const words = ["--part", "1/4", "a b"];
    for (const hook of HOOK_SCRIPTS) {
      expect(fire(shell, workspace, hook, { words })).toMatchObject(ran(`${hook} ${words.join(" ")}`));
      expect(fire(shell, workspace, hook)).toMatchObject(ran(hook));
      // From its own place, where the client says nothing of the project.
      expect(fire(shell, workspace, hook, { env: { CLAUDE_PROJECT_DIR: "" } })).toMatchObject(ran(hook));
    }
  });

  test("the program of that name that TeX has is passed over, for ours further on or for none", () => {
    const workspace = project();
    rmSync(workspace.path("context"));
    const folders = ["tex", "folder", "text", "ours"].map((name) => workspace.path(name));
    const PATH = [...folders, BARE_ENV.PATH].join(":");
    workspace.write("folder/context/a.md", "");
    workspace.write("text/context", "");
    const place = (file: string) => chmodSync(workspace.write(file, `#!/bin/sh\necho "${file} $*"\n`), 0o755);
    place("tex/context");
    const found = (more: Readonly<Record<string, string>> = {}) =>
      fire(shell, workspace, "session-start", { env: { PATH, HOME: workspace.path("home"), ...more } });
    expect(found().stdout).toBe("tex/context session-start\n");
    place("tex/mtxrun");
    expect(found()).toMatchObject({ code: 0, stdout: "", stderr: `context: ${NO_PROGRAM}\n` });
    const node = "home/.nvm/versions/node/v22.1.0";
    mkdirSync(workspace.path(`${node}/bin`), { recursive: true });
    place(`${node}/lib/node_modules/agent-context/bin/context.js`);
    expect(found().stdout).toBe(`${node}/lib/node_modules/agent-context/bin/context.js session-start\n`);
    place("ours/context");
    for (const more of [{}, { CONTEXT_PROGRAM: "of-no-such-name" }])
      expect(found(more)).toMatchObject({ code: 0, stdout: "ours/context session-start\n", stderr: "" });
    // A name with such a sign is a folder's own, and no pattern.
    const like = `${workspace.path("tex")}:${workspace.path("o?rs")}:${BARE_ENV.PATH}`;
    expect(found({ PATH: like, HOME: "" })).toMatchObject({ stdout: "" });
  });

  test("a script that is registered for another project finds the program of its own, after that project's", () => {
    const workspace = project();
    const other = makeWorkspace();
    rmSync(other.path("context"));
    for (const path of ["session/.cache/gate.pending", "context.yaml"]) other.write(path, "");
    const env = { CLAUDE_PROJECT_DIR: other.root };
    for (const hook of HOOK_SCRIPTS) expect(fire(shell, workspace, hook, { env })).toMatchObject(ran(hook));
    mkdirSync(workspace.path("node_modules/.bin"), { recursive: true });
    renameSync(workspace.path("context"), workspace.path("node_modules/.bin/context"));
    for (const hook of HOOK_SCRIPTS) expect(fire(shell, workspace, hook, { env })).toMatchObject(ran(hook));
    chmodSync(other.write("context", "#!/bin/sh\necho the other\n"), 0o755);
    for (const hook of HOOK_SCRIPTS) expect(fire(shell, workspace, hook, { env }).stdout).toBe("the other\n");
  });

  test("a script that is started through links, or by its bare name, finds the program of its own project too", () => {
    const workspace = project();
    const other = makeWorkspace();
    rmSync(other.path("context"));
    for (const path of ["session/.cache/gate.pending", "context.yaml"]) other.write(path, "");
    const [file = "", ...first] = shell;
    const run = (cwd: string, script: string) =>
      runProgram(file, [...first, script], { cwd, env: { CLAUDE_PROJECT_DIR: other.root }, input: PAYLOAD });
    other.write("a bin/links/x", "");
    for (const hook of HOOK_SCRIPTS) {
      const script = `${hook}.sh`;
      const found = { code: 0, stdout: expect.stringContaining(`ran ${hook}, `), stderr: "" };
      symlinkSync(workspace.path(`.claude/hooks/${script}`), other.path(`a bin/links/${script}`));
      symlinkSync(`links/${script}`, other.path(`a bin/${script}`));
      expect(run("/", other.path(`a bin/${script}`))).toMatchObject(found);
      expect(run(other.path("a bin"), script)).toMatchObject(found);
      expect(run(workspace.path(".claude/hooks"), script)).toMatchObject(found);
    }
  });

  test("a script that is run by hand finds the program that the lines of init name, where that can be run", () => {
    const workspace = project();
    for (const path of ["session/.cache/gate.pending", "context.yaml"]) workspace.write(path, "");
    renameSync(workspace.path("context"), workspace.path("a program"));
    const named = (program: string) => `CONTEXT_PROGRAM='${program}' "$CLAUDE_PROJECT_DIR"/.claude/hooks/gate.sh`;
    const settings = (...programs: string[]) =>
      workspace.write(
        ".claude/settings.local.json",
        JSON.stringify({ hooks: { PreToolUse: programs.map((program) => ({ command: named(program) })) } }),
      );
    settings(workspace.path("a program"), "/none");
    for (const hook of HOOK_SCRIPTS) expect(fire(shell, workspace, hook)).toMatchObject(ran(hook));
    for (const program of ["/none", workspace.path("session"), "context"]) {
      settings(program);
      for (const hook of HOOK_SCRIPTS) {
        expect(fire(shell, workspace, hook)).toMatchObject({ code: 0, stdout: "", stderr: `context: ${NO_PROGRAM}\n` });
      }
    }
    // All in one line, as another tool may write it.
    const hooks = { PreToolUse: [{ command: named(workspace.path("a program")) }] };
    workspace.write(
      ".claude/settings.local.json",
      JSON.stringify({ permissions: { allow: ["x".repeat(1e6)] }, hooks }),
    );
    const start = performance.now();
    expect(fire(shell, workspace, "pre-compact")).toMatchObject(ran("pre-compact"));
    expect(performance.now() - start).toBeLessThan(5000);
    rmSync(workspace.path(".claude/settings.local.json"));
    mkdirSync(workspace.path(".claude/settings.local.json"));
    for (const hook of HOOK_SCRIPTS) expect(fire(shell, workspace, hook).stderr).toBe(`context: ${NO_PROGRAM}\n`);
  });

  test("a script that finds no program says so in its own words, and takes the payload", () => {
    const workspace = project();
    rmSync(workspace.path("context"));
    workspace.write("session/.cache/gate.pending", "");
    workspace.write("context.yaml", "");
    // More than a pipe holds: whoever writes to one that is closed unread is ended.
    const line = '{ head -c 300000 /dev/zero || echo closed unread >&2; } | "$@"';
    for (const hook of HOOK_SCRIPTS) {
      const left = runProgram("sh", ["-c", line, "sh", ...shell, workspace.path(`.claude/hooks/${hook}.sh`)], {
        cwd: "/",
        env: { CLAUDE_PROJECT_DIR: workspace.root },
      });
      expect(left).toMatchObject({ code: 0, stdout: "", stderr: `context: ${NO_PROGRAM}\n` });
    }
  });

  test("a script that does nothing reads no input for ever that has no end", () => {
    const workspace = project();
    for (const hook of HOOK_SCRIPTS) {
      const line = 'yes | CONTEXT_DISABLED=1 "$@"';
      const script = workspace.path(`.claude/hooks/${hook}.sh`);
      expect(runProgram("sh", ["-c", line, "sh", ...shell, script], { cwd: "/" })).toMatchObject({ code: 0 });
    }
  });

  test("a folder and a file that nobody may run are no program, whatever they are called", () => {
    const workspace = project();
    workspace.write("context.yaml", "");
    const program = workspace.path("bin/context");
    mkdirSync(workspace.path("bin"));
    renameSync(workspace.path("context"), program);
    const env = {
      CONTEXT_PROGRAM: workspace.write("notes", "some notes\n"),
      PATH: `${workspace.path("bin")}:${BARE_ENV.PATH}`,
    };
    for (const make of [() => workspace.write("context", "some notes\n"), () => mkdirSync(workspace.path("context"))]) {
      make();
      expect(fire(shell, workspace, "pre-compact", { env })).toMatchObject(ran("pre-compact"));
      rmSync(workspace.path("context"), { recursive: true });
    }
    // Named without a folder, it is looked for on the PATH.
    renameSync(program, workspace.path("bin/my-context"));
    const named = { ...env, CONTEXT_PROGRAM: "my-context" };
    expect(fire(shell, workspace, "pre-compact", { env: named })).toMatchObject(ran("pre-compact"));
  });

  test("CONTEXT_DISABLED=1 ends each script before the program starts, and a probe does not", () => {
    const workspace = project();
    workspace.write("session/.cache/gate.pending", "");
    workspace.write("context.yaml", "");
    for (const hook of HOOK_SCRIPTS) {
      for (const words of [[], ["--guidance"]]) {
        expect(fire(shell, workspace, hook, { words, env: { CONTEXT_DISABLED: "1" } })).toMatchObject(SILENT);
      }
      expect(fire(shell, workspace, hook, { env: { CONTEXT_DISABLED: "0" } })).toMatchObject(ran(hook));
      const probe = { CONTEXT_DISABLED: "1", CONTEXT_PROBE: "1" };
      expect(fire(shell, workspace, hook, { env: probe })).toMatchObject(ran(hook));
    }
  });

  test("pre-compact answers for a project that has nothing to save, and leaves no file behind", () => {
    const workspace = project();
    expect(fire(shell, workspace, "pre-compact")).toMatchObject(NOTHING_SAVED);
    // A role's folder is nothing to save where the session has no role.
    workspace.write("session/agents/oosh-expert.context.md", "");
    expect(fire(shell, workspace, "pre-compact")).toMatchObject(NOTHING_SAVED);
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test.each([
    ["settings", (workspace: Workspace) => workspace.write("context.yaml", "")],
    ["settings by a link to nowhere", (workspace: Workspace) => symlinkSync("none", workspace.path("context.yaml"))],
    ["projects", (workspace: Workspace) => mkdirSync(workspace.path(DEFAULT_CONFIG.layout.projects))],
    ["a system folder", (workspace: Workspace) => mkdirSync(workspace.path(DEFAULT_CONFIG.layout.system))],
    ["an earlier state", (workspace: Workspace) => workspace.write("session/.cache/precompact_state.json", "")],
    ["a used state", (workspace: Workspace) => workspace.write("session/.cache/precompact_state.used.json", "")],
  ])("pre-compact starts the program where there is %s", (_name, plant) => {
    const workspace = project();
    plant(workspace);
    expect(fire(shell, workspace, "pre-compact")).toMatchObject(ran("pre-compact"));
  });

  test.each([
    ["a role", { env: { HIVEMIND_ROLE: "oosh-expert" } }],
    ["text for the summariser", { words: ["--guidance"] }],
    ["another root", { env: { CONTEXT_ROOT: "/" } }],
    ["a probe", { env: { CONTEXT_PROBE: "1" } }],
  ] as const)("pre-compact starts the program for %s", (_name, call) => {
    const words = ["pre-compact", ...("words" in call ? call.words : [])].join(" ");
    expect(fire(shell, project(), "pre-compact", call)).toMatchObject(ran(words));
  });

  test("pre-compact starts the program where the named project is no folder, for it says so", () => {
    const workspace = project();
    const env = { CLAUDE_PROJECT_DIR: workspace.path("none"), CONTEXT_PROGRAM: workspace.path("context") };
    expect(fire(shell, workspace, "pre-compact", { env })).toMatchObject(ran("pre-compact"));
  });

  test("the gate starts the program only while a session has files to read", () => {
    const workspace = project();
    expect(fire(shell, workspace, "gate")).toMatchObject(SILENT);
    workspace.write("session/.cache/gate.pending", "");
    expect(fire(shell, workspace, "gate")).toMatchObject(ran("gate"));
  });

  test("the plugin's script and the launcher are silent with CONTEXT_DISABLED=1, and still show their help", () => {
    const workspace = project();
    workspace.write("context.yaml", "");
    const [file = "", ...first] = shell;
    const run = (script: string, words: readonly string[], env: Readonly<Record<string, string>>): Ran =>
      runProgram(file, [...first, resolve(script), ...words], { cwd: workspace.root, env, input: PAYLOAD });
    const off = { CONTEXT_DISABLED: "1", PATH: "/usr/bin:/bin", CLAUDE_PROJECT_DIR: workspace.root };
    for (const hook of HOOK_SCRIPTS) {
      for (const script of ["plugin/hooks/run.sh", "context"]) expect(run(script, [hook], off)).toMatchObject(SILENT);
    }
    const help = { ...off, PATH: process.env.PATH ?? "" };
    expect(run("context", ["pre-compact", "--help"], help).stdout).toContain("Usage: context pre-compact");
    expect(run("context", ["lifecycle.status", "--json"], help).stdout).toContain("schema_version");
  });
});

/** Those that end with 2 of themselves, which the client takes for a veto; bash tries again for fifteen seconds, and zsh is nobody's sh. */
const GIVING_UP = SHELLS.filter(([file = ""]) => ["dash", "busybox"].includes(file));
const canLimit = process.getuid?.() === 0 && runProgram("sh", ["-c", "command -v prlimit"], { cwd: "/" }).code === 0;

test.skipIf(!canLimit)("where no process can be started any more, no script stops a compaction or an edit", () => {
  const workspace = project();
  workspace.write("session/.cache/gate.pending", "");
  workspace.write("run.sh", pluginHookScript(["session"]));
  const scripts = [...HOOK_SCRIPTS.map((hook) => `.claude/hooks/${hook}.sh`), "run.sh"];
  for (const shell of GIVING_UP) {
    for (const script of scripts) {
      for (const env of [{}, { CONTEXT_DISABLED: "1" }]) {
        const words = ["--nproc=1", ...shell, workspace.path(script), "gate"];
        const options = { cwd: "/", env: { CLAUDE_PROJECT_DIR: workspace.root, ...env }, as: 54_322, input: PAYLOAD };
        const { code, stdout } = runProgram("prlimit", words, options);
        expect({ shell, script, env, code, stdout }).toEqual({ shell, script, env, code: 0, stdout: "" });
      }
    }
  }
});

test("what a script answers without the program is what the program answers", () => {
  const scripts = makeWorkspace();
  const program = makeWorkspace();
  for (const workspace of [scripts, program]) rmSync(workspace.path("session"), { recursive: true });
  scripts.write("p.sh", hookScript("pre-compact"));
  const transcript = program.path("rubbish.jsonl");
  mkdirSync(transcript);
  for (const more of [{}, { CONTEXT_DISABLED: "1" }]) {
    const input = JSON.stringify({ session_id: "s", trigger: "auto", transcript_path: transcript });
    const env = { CLAUDE_PROJECT_DIR: scripts.root, ...more };
    const fast = runProgram("sh", [scripts.path("p.sh")], { cwd: scripts.root, env, input });
    expect(fast).toEqual(program.context("pre-compact", { env: more, input }));
  }
  expect([scripts.list("."), program.list(".")]).toEqual([
    ["context", "p.sh"],
    ["context", basename(transcript)],
  ]);
});

test("the standard folders that a script looks for are the layout's", () => {
  const script = readFileSync(join(".claude", "hooks", "pre-compact.sh"), "utf8");
  for (const folder of [DEFAULT_CONFIG.layout.projects, DEFAULT_CONFIG.layout.system]) {
    expect(script).toContain(`! [ -e "$root/${folder}" ]`);
  }
});
