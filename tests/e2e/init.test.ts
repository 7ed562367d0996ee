import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch } from "diff";
import { describe, expect, test } from "vitest";
import { withLock } from "../../src/platform/lock.ts";
import { ownProcess } from "../../src/platform/process-identity.ts";
import { git } from "../helpers/git-repository.ts";
import { copyProgram, LAUNCHER, PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { BARE_ENV, type Ran, runProgram, startProgram } from "../helpers/run-program.ts";
import { HAS_TERMINAL, onTerminal } from "../helpers/terminal.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const NO_PROGRAM = "the hook did nothing: agent-context is neither in this project nor on the PATH.";
const SHARED = ".claude/settings.json";
const LOCAL = ".claude/settings.local.json";
const BIN = join(PROGRAM_ROOT, "bin", "context.js");

interface Project extends Workspace {
  /** The home folder of whoever works on it. */
  readonly home: Workspace;
  readonly init: (words?: string, options?: { cwd?: string; env?: Readonly<Record<string, string>> }) => Ran;
}

type Installed = "clone" | "package" | "global" | "global off the PATH" | "launcher";

/** A git repository with a blank and an é in its path, and the program where such an installation has it. */
function makeProject(installed: Installed): Project {
  const workspace = makeWorkspace();
  const home = makeWorkspace();
  rmSync(home.path("session"), { recursive: true });
  git(workspace.root, "init", "--quiet");
  rmSync(workspace.path("session"), { recursive: true });
  if (installed !== "launcher") rmSync(workspace.path("context"));
  let file = LAUNCHER;
  const env: Record<string, string> = { HOME: home.root, PATH: BARE_ENV.PATH ?? "" };
  if (installed === "package") {
    const folder = workspace.path("node_modules/agent-context");
    for (const name of ["package.json", "bin", "dist/bundle"]) {
      copyProgram(name, folder);
    }
    file = link(workspace.path("node_modules/.bin/context"), "../agent-context/bin/context.js");
  }
  if (installed === "global") {
    file = link(home.path("bin/context"), BIN);
    env.PATH = `${dirname(file)}:${env.PATH}`;
  }
  if (installed === "global off the PATH") {
    const version = home.path(".nvm/versions/node/v22.1.0");
    mkdirSync(join(version, "bin"), { recursive: true });
    file = join(link(join(version, "lib/node_modules/agent-context"), PROGRAM_ROOT), "bin/context.js");
  }
  if (installed === "launcher") file = workspace.path("context");
  return {
    ...workspace,
    home,
    init: (words = "", options = {}) =>
      runProgram(file, ["init", ...words.split(" ").filter((word) => word !== "")], {
        cwd: workspace.root,
        ...options,
        env: { ...env, ...options.env },
      }),
  };
}

function link(path: string, target: string): string {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  return path;
}

interface Hook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

function hooksIn(text: string): readonly Hook[] {
  const settings: { hooks?: Record<string, { hooks: Omit<Hook, "event">[] }[]> } = JSON.parse(text);
  return Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map((hook) => ({ ...hook, event }))),
  );
}

/** As the client runs it: a shell, from wherever the agent has gone, with the project in the environment. */
function fire(project: Project, { event, command }: Hook, env: Readonly<Record<string, string>> = {}): Ran {
  const payload = {
    session_id: "5e551041-0000-4000-8000-000000000001",
    cwd: tmpdir(),
    hook_event_name: event,
    ...(event === "PreCompact" ? { trigger: "manual", custom_instructions: null } : { source: "startup" }),
  };
  return runProgram("sh", ["-c", command], {
    cwd: tmpdir(),
    env: { HOME: project.home.root, CLAUDE_PROJECT_DIR: project.root, HIVEMIND_ROLE: "oosh-expert", ...env },
    input: JSON.stringify(payload),
  });
}

/** Every file of the project with its text, but for what git and the packages hold. */
function filesOf(project: Project): Record<string, string> {
  const list = runProgram(
    "find",
    [".", "-name", ".git", "-prune", "-o", "-name", "node_modules", "-prune", "-o", "-type", "f", "-print"],
    {
      cwd: project.root,
    },
  );
  const names = list.stdout.split("\n").filter((name) => name !== "");
  return Object.fromEntries(names.sort().map((name) => [name, project.read(name)]));
}

describe("a fresh project", () => {
  test.each([
    ["package", SHARED, {}],
    ["launcher", SHARED, {}],
    ["global", SHARED, { PATH: "global" }],
    ["global off the PATH", SHARED, {}],
    ["clone", LOCAL, {}],
  ] as const)("with the program as a %s has hooks in %s that the client can run", (installed, place, wantedEnv) => {
    const project = makeProject(installed);
    const ran = project.init();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`Hooks: ${place}: `);
    expect(project.exists(place === SHARED ? LOCAL : SHARED)).toBe(false);
    expect(project.list("session/agents")).toEqual([]);
    expect(project.exists("session/agents")).toBe(true);
    for (const name of ["pre-compact", "session-start"]) {
      expect(statSync(project.path(`.claude/hooks/${name}.sh`)).mode & 0o777).toBe(0o755);
    }

    const hooks = hooksIn(project.read(place));
    expect(hooks.map(({ event }) => event)).toEqual(["PreCompact", ...Array(4).fill("SessionStart")]);
    expect(hooks.every(({ timeout }) => timeout > 0 && timeout <= 10)).toBe(true);
    // What is shared holds no path of this machine.
    const shared = Object.entries(filesOf(project)).filter(([name]) => name !== `./${LOCAL}`);
    for (const [, text] of shared) expect(text).not.toMatch(new RegExp(`${tmpdir()}|${PROGRAM_ROOT}`));
    if (place === LOCAL) expect(hooks.every(({ command }) => command.includes(PROGRAM_ROOT))).toBe(true);

    project.role("oosh-expert");
    const env = "PATH" in wantedEnv ? { PATH: `${project.home.path("bin")}:${BARE_ENV.PATH}` } : {};
    const answers = hooks.map((hook) => fire(project, hook, env));
    for (const answer of answers) expect(answer).toMatchObject({ code: 0, signal: null });
    expect(answers[0]?.stdout).toContain("oosh-expert");
    const documents = answers
      .slice(1)
      .map(({ stdout }) => stdout)
      .filter((text) => text !== "");
    expect(documents.length).toBeGreaterThan(0);
    for (const text of documents) {
      expect(JSON.parse(text)).toMatchObject({
        hookSpecificOutput: {
          hookEventName: "SessionStart",
          additionalContext: expect.stringContaining("<nexus-context "),
        },
      });
    }
    // The answer was about this project and no other.
    expect(project.list("session/stateMachines")).toContain("oosh_expert.states.env");

    const before = filesOf(project);
    expect(project.init("--check")).toMatchObject({ code: 0, stderr: "" });
    expect(project.init().stdout).toContain("Nothing to change");
    expect(filesOf(project)).toEqual(before);
  });

  test("is as it was after --remove", () => {
    for (const installed of ["package", "clone"] as const) {
      const project = makeProject(installed);
      const before = project.list("");
      project.init();
      expect(project.init("--remove").code).toBe(0);
      expect(project.list("")).toEqual(before);
      expect(project.init("--remove").stdout).toContain("Nothing of context is installed here.");
    }
  });

  test("is found from a folder below, and keeps what a role has written on --remove", () => {
    const project = makeProject("package");
    project.write("src/deep/x", "");
    expect(project.init("", { cwd: project.path("src/deep") }).stdout).toContain(`Project: ${project.root}\n`);
    expect(project.exists("src/deep/.claude")).toBe(false);
    const role = project.role("oosh-expert");
    project.write(".claude/hooks/mine.sh", "");
    expect(project.init("--remove", { cwd: project.path("src/deep") }).code).toBe(0);
    expect(project.exists(role.slice(project.root.length + 1))).toBe(true);
    expect(project.list(".claude")).toEqual(["hooks"]);
    expect(project.list(".claude/hooks")).toEqual(["mine.sh"]);
  });

  test("is as it was where .claude is a link within it: --remove leaves the link", () => {
    const project = makeProject("package");
    project.write("conf/claude/x", "");
    rmSync(project.path("conf/claude/x"));
    symlinkSync("conf/claude", project.path(".claude"));
    const before = project.list("");
    expect(project.init().code).toBe(0);
    expect(project.init("--remove")).toMatchObject({ code: 0, stderr: "" });
    expect(project.list("")).toEqual(before);
    expect(project.list("conf/claude")).toEqual([]);
  });

  test("says on --remove what its hooks have kept, and leaves that alone", () => {
    const project = makeProject("package");
    project.init();
    const [start] = hooksIn(project.read(SHARED)).filter(({ event }) => event === "SessionStart");
    fire(project, start ?? { event: "", command: "", timeout: 0 });
    const kept = project.list("session/.cache");
    expect(kept).not.toEqual([]);
    expect(project.init("--remove")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("session/.cache stays: hooks kept there what a next start needs."),
    });
    expect(project.list("session/.cache")).toEqual(kept);
    expect(project.init("--remove").stderr).not.toContain("session/.cache");
  });

  test("splits the document as context.yaml says", () => {
    const project = makeProject("package");
    project.write("context.yaml", "delivery: {parts: 2}\n");
    project.init();
    expect(hooksIn(project.read(SHARED)).map(({ command }) => command.slice(-3))).toEqual(["nce", "1/2", "2/2"]);
    project.write("context.yaml", "delivery: {parts: 1}\n");
    expect(project.init("--check").code).toBe(1);
    project.init();
    expect(hooksIn(project.read(SHARED))).toHaveLength(2);
  });
});

test("a line that is to stop a compaction while the role is not saved is left as a person wrote it", () => {
  const project = makeProject("global");
  project.init();
  const before = project
    .read(SHARED)
    .replace(/"[^"\n]*(?:\\"[^"\n]*)*--guidance"/, '"context pre-compact --guidance --require-saved"');
  expect(before).toContain("--require-saved");
  project.write(SHARED, before);
  expect(project.init("--check")).toMatchObject({ code: 0, stderr: expect.stringContaining("a line of your own") });
  expect(project.init("--remove").code).toBe(0);
  expect(hooksIn(project.read(SHARED)).map(({ command }) => command)).toEqual([
    "context pre-compact --guidance --require-saved",
  ]);
});

describe("a script of our name in another folder", () => {
  const settings = (lines: readonly string[]) =>
    JSON.stringify({
      hooks: { PreCompact: [{ hooks: lines.map((command) => ({ type: "command", command, timeout: 5 })) }] },
    });
  const ours = (project: Project) => hooksIn(project.read(SHARED)).filter(({ command }) => /--guidance$/.test(command));

  test("is its owner's: their line stays beside ours, and --remove leaves it", () => {
    const project = makeProject("package");
    project.home.write(".claude/hooks/pre-compact.sh", "#!/bin/sh\necho theirs\n");
    const script = "/.claude/hooks/pre-compact.sh";
    const lines = [
      `$HOME${script}`,
      `~${script}`,
      `"\${HOME}"${script}`,
      `"${project.home.root}"${script}`,
      `/opt/tool${script}`,
    ];
    const before = settings(lines);
    project.write(SHARED, before);
    expect(project.init().code).toBe(0);
    expect(hooksIn(project.read(SHARED)).map(({ command }) => command)).toEqual(expect.arrayContaining(lines));
    expect(ours(project)).toHaveLength(1);
    expect(project.init("--check").code).toBe(0);
    expect(project.init("--remove").code).toBe(0);
    expect(project.read(SHARED)).toBe(before);
  });

  test("is ours where it says so, and where it is gone and its line has our options", () => {
    const project = makeProject("package");
    project.init();
    const script = ".claude/hooks/pre-compact.sh";
    const there = project.home.write(script, project.read(script));
    project.write(
      SHARED,
      settings([`"${there}"`, `"${project.home.root}"/gone/${script} --guidance`, `"${project.root}/${script}"`]),
    );
    expect(project.init().code).toBe(0);
    expect(hooksIn(project.read(SHARED)).filter(({ event }) => event === "PreCompact")).toEqual(ours(project));
    expect(ours(project)).toHaveLength(1);
  });
});

describe("what is shown is what is done", () => {
  const ODD =
    '\uFEFF{\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./mine.sh"}]}]},\r\n\t"model": "é x"\r\n}\r\n';

  test("the printed difference, applied to the old files, gives the new ones", () => {
    const project = makeProject("package");
    project.write(SHARED, ODD);
    project.write(".claude/hooks/pre-compact.sh", oldScript());
    const before = filesOf(project);
    const planned = project.init("--dry-run");
    expect(planned.code).toBe(0);
    expect(filesOf(project)).toEqual(before);

    const done = project.init("--json");
    const report: { changes: { path: string; action: string; done: boolean; diff: string | null }[] } = JSON.parse(
      done.stdout,
    );
    const after = filesOf(project);
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    const told = report.changes.filter(({ diff }) => diff !== null);
    expect(told.map(({ path }) => `./${path}`).sort()).toEqual(changed);
    expect(report.changes.every(({ done }) => done)).toBe(true);
    for (const { path, diff } of told) {
      expect(applyPatch(before[`./${path}`] ?? "", diff ?? "")).toBe(after[`./${path}`]);
      expect(planned.stdout).toContain(diff);
    }

    // The page that a person sees is a patch that git takes.
    const copy = makeProject("clone");
    copy.write(SHARED, ODD);
    copy.write(".claude/hooks/pre-compact.sh", oldScript());
    const applied = runProgram("git", ["apply", "--whitespace=nowarn", "-"], { cwd: copy.root, input: planned.stdout });
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    expect(filesOf(copy)).toEqual(after);
  });

  test("everything that was in the settings stays, and comes back without ours", () => {
    const project = makeProject("package");
    project.write(SHARED, ODD);
    project.init();
    for (const part of ["./mine.sh", "é x", "session-start.sh --part 4/4"])
      expect(project.read(SHARED)).toContain(part);
    project.init("--remove");
    expect(project.read(SHARED)).toBe(ODD);
  });

  test("what a person wrote among ours since then stays as well, a comment and a comma included", () => {
    const project = makeProject("package");
    const commented = (text: string) => text.replace('"é x"', '"é x", // mine');
    project.write(SHARED, ODD);
    project.init();
    project.write(SHARED, commented(project.read(SHARED)));
    const ran = project.init("--remove");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Found a trailing comma") });
    expect(project.read(SHARED)).toBe(commented(ODD));
  });

  test("the file's own mode stays", () => {
    const project = makeProject("package");
    chmodSync(project.write(SHARED, "{}"), 0o600);
    project.init();
    expect(statSync(project.path(SHARED)).mode & 0o777).toBe(0o600);
  });

  test("--check names what is missing or old, and changes nothing", () => {
    const project = makeProject("package");
    const fresh = project.init("--check");
    expect(fresh.code).toBe(1);
    expect(fresh.stdout).toContain(`to create ${SHARED}\n`);
    expect(fresh.stderr).toContain("4 things of the setup are missing or old.");
    expect(project.list("")).toEqual([".git", "node_modules"]);
    project.init();
    chmodSync(project.path(".claude/hooks/pre-compact.sh"), 0o644);
    const lame = project.init("--check");
    expect(lame.code).toBe(1);
    expect(lame.stdout).toContain("to make runnable .claude/hooks/pre-compact.sh\n");
    project.init();
    expect(project.init("--check").code).toBe(0);
  });

  test("where no run bit is kept, none is told to be set, and hooks that need none are named", () => {
    const project = makeProject("package");
    const preload = fileURLToPath(new URL("./fixtures/no-run-bits.cjs", import.meta.url));
    const told = (): void => {
      const ran = project.init("", { env: { NODE_OPTIONS: `--require "${preload}"` } });
      expect(ran.code).toBe(1);
      expect(ran.stdout).not.toContain("made runnable");
      expect(ran.stderr).toContain("pre-compact.sh cannot be made runnable: its file system keeps no run bits.");
      expect(ran.stderr).toMatch(/Run .*init --remove and .*init --user: those hooks need no script here/);
    };
    told();
    expect(project.exists(SHARED)).toBe(false);
    project.init();
    chmodSync(project.path(".claude/hooks/pre-compact.sh"), 0o644);
    told();
  });

  test.each(["--check --remove", "--check --dry-run"])("%s is a usage error", (words) => {
    expect(makeProject("package").init(words).code).toBe(2);
  });
});

/** A script as the first version wrote it. */
function oldScript(): string {
  return [
    "#!/bin/sh",
    "# PreCompact: saves what can be saved before the client forgets. Never stops a compaction.",
    "exec ./context pre-compact",
    "",
  ].join("\n");
}

describe("what is refused", () => {
  test.each([
    ['{\n  "a": 1\n  "b": 2\n}\n', `${SHARED}:3:3 Not JSON: found """, expected "," or "}".`],
    ["[]", `${SHARED}:1:1 Found an array, expected an object.`],
    ['{"hooks": []}', `${SHARED}:1:11 Found an array under "hooks", expected an object.`],
  ])("settings that hold %j stay, and nothing is written", (text, message) => {
    const project = makeProject("package");
    project.write(SHARED, text);
    const before = filesOf(project);
    for (const words of ["", "--remove", "--dry-run", "--check"]) {
      const ran = project.init(words);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(message);
    }
    expect(filesOf(project)).toEqual(before);
    const json: unknown = JSON.parse(project.init("--json").stdout);
    expect(json).toMatchObject({ ok: false, line: expect.any(Number), column: expect.any(Number) });
  });

  test.each([
    ['{\n  "model": "x",\n}\n', `${SHARED}:2:15 Found a trailing comma, expected plain JSON: Claude Code drops`],
    ['{\n  // mine\n  "model": "x"\n}\n', `${SHARED}:2:3 Found a comment, expected plain JSON: Claude Code drops`],
  ])("settings that the client drops, as %j, get no hooks that would never run", (text, message) => {
    const project = makeProject("package");
    project.write(SHARED, text);
    const before = filesOf(project);
    for (const words of ["", "--dry-run", "--check", "--gate"]) {
      expect(project.init(words)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
    }
    expect(filesOf(project)).toEqual(before);
    const json: unknown = JSON.parse(project.init("--json").stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "settings-dropped" }, line: 2, column: expect.any(Number) });
  });

  test.each([[SHARED], [".claude/settings.local.json"]])(
    "of the project's two settings files %s alone is enough, wherever the hooks would go",
    (name) => {
      for (const kind of ["package", "clone"] as const) {
        const project = makeProject(kind);
        project.write(name, '{"model": "x",}');
        const before = filesOf(project);
        expect(project.init()).toMatchObject({
          code: 1,
          stdout: "",
          stderr: expect.stringContaining(`${name}:1:14 Found a trailing comma`),
        });
        expect(filesOf(project)).toEqual(before);
      }
    },
  );

  test("a link out of the project is not written through", () => {
    const project = makeProject("package");
    const outside = makeWorkspace();
    symlinkSync(outside.root, project.path(".claude"));
    const ran = project.init();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("leads out of");
    expect(outside.list("")).toEqual(["context", "session"]);
    expect(project.exists("session")).toBe(false);
  });

  test("the home folder is no project: its settings hold for all", () => {
    const project = makeProject("clone");
    project.home.write(".claude/settings.json", "{}");
    const ran = project.init("", { cwd: project.home.root });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("--user");
    expect(project.home.list(".claude")).toEqual(["settings.json"]);
  });

  test.each([
    ["npx", ".npm/_npx/0123456789abcdef"],
    ["pnpm dlx", ".cache/pnpm/dlx/k3cft5pmat6m/1a228e9e6db-647b"],
    ["yarn dlx", "tmp/xfs-1234abcd/dlx-4711"],
    ["bunx", "tmp/bunx-0-agent-context@latest"],
  ])("the cache of %s is no place to run hooks from", (_, cache) => {
    const project = makeProject("clone");
    const folder = project.home.path(`${cache}/node_modules/agent-context`);
    for (const name of ["package.json", "bin", "dist/bundle"]) {
      copyProgram(name, folder);
    }
    const ran = runProgram(join(folder, "bin/context.js"), ["init"], {
      cwd: project.root,
      env: { HOME: project.home.root },
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("it runs from a cache that is emptied");
    expect(filesOf(project)).toEqual({});
  });

  test("where Yarn plugs packages in, hooks name the folder that it unpacks, and not the one that goes with the run", () => {
    const project = makeProject("clone");
    const folder = project.path(".yarn/unplugged/agent-context-virtual-17cf/node_modules/agent-context");
    for (const name of ["package.json", "bin", "dist/bundle"]) copyProgram(name, folder);
    const program = join(folder, "bin/context.js");
    const starter = project.home.path("tmp/xfs-1234abcd");
    mkdirSync(starter, { recursive: true });
    const text = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
    writeFileSync(join(starter, "context"), text, { mode: 0o755 });
    const env = { HOME: project.home.root, PATH: `${starter}:${process.env.PATH}` };
    const ran = runProgram(join(starter, "context"), ["init"], { cwd: project.root, env });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(`then write a role's file: '${program}' new <role>`);
    expect(project.exists(SHARED)).toBe(false);
    expect(project.read(LOCAL)).toContain(`CONTEXT_PROGRAM='${program}'`);
  });

  test("a package that Yarn keeps in an archive is no place to run hooks from", () => {
    const project = makeProject("clone");
    const folder = project.home.path("agent-context-10c0.zip/node_modules/agent-context");
    for (const name of ["package.json", "bin", "dist/bundle"]) copyProgram(name, folder);
    const ran = runProgram(join(folder, "bin/context.js"), ["init"], {
      cwd: project.root,
      env: { HOME: project.home.root },
    });
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain("yarn unplug agent-context takes it out");
    expect(filesOf(project)).toEqual({});
  });

  test("what is done is told from what is not, where a file cannot be written", () => {
    const project = makeProject("package");
    const ran = runProgram("sh", ["-c", `ulimit -f 1; exec "$0" init`, project.path("node_modules/.bin/context")], {
      cwd: project.root,
      env: { HOME: project.home.root },
    });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^created session\/agents\/$/m);
    expect(ran.stdout).not.toMatch(/^created \.claude/m);
    expect(ran.stderr).toContain(".claude/hooks/pre-compact.sh cannot be written: ");
    expect(project.exists(SHARED)).toBe(false);
  });

  test.each<readonly [string, (project: Project) => void, RegExp]>([
    [
      "a file where a folder has to be",
      (project) => project.write(".claude/hooks", "notes"),
      /^context: \.claude\/hooks is a file, expected a folder\.\n {2}Move \.claude\/hooks away, and run .* init\.$/m,
    ],
    [
      "a link to nothing",
      (project) => {
        mkdirSync(project.path(".claude/hooks"), { recursive: true });
        symlinkSync("nowhere", project.path(".claude/hooks/session-start.sh"));
      },
      /^context: \.claude\/hooks\/session-start\.sh is a link to nothing\.\n {2}Delete the link .*session-start\.sh, and run .* init\.$/m,
    ],
    [
      "a file in place of the roles' folder",
      (project) => project.write("session", "notes"),
      /^context: session is a file, expected a folder\.\n {2}Move session away, and run .* init\.$/m,
    ],
  ])("what would stop it halfway is said before it begins: %s", (_name, plant, said) => {
    const project = makeProject("package");
    plant(project);
    const before = filesOf(project);
    const ran = project.init();
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(said);
    expect(filesOf(project)).toEqual(before);
    expect(project.exists("session/agents")).toBe(false);
  });

  test("hooks that everybody shares are not registered a second time for a machine on which they find no program", () => {
    const project = makeProject("package");
    project.init();
    const shared = project.read(SHARED);
    rmSync(project.path("node_modules"), { recursive: true });
    const ran = runProgram(LAUNCHER, ["init"], { cwd: project.root, env: { HOME: project.home.root } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("registers the hooks for every machine, and on this one they find no program");
    expect(ran.stderr).toContain("Install agent-context in the project or globally.");
    expect(project.read(SHARED)).toBe(shared);
    expect(project.exists(LOCAL)).toBe(false);
    const removed = runProgram(LAUNCHER, ["init", "--remove"], { cwd: project.root, env: { HOME: project.home.root } });
    expect(removed.code).toBe(0);
    expect(project.exists(".claude")).toBe(false);
  });

  test("settings and scripts behind a link out of the project are taken as they are, and not changed", () => {
    const project = makeProject("package");
    project.init();
    const outside = makeWorkspace();
    renameSync(project.path(".claude"), outside.path("claude"));
    symlinkSync(outside.path("claude"), project.path(".claude"));
    expect(project.init("--check").code).toBe(0);
    outside.write("claude/settings.json", "{}\n");
    const ran = project.init();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/\.claude is a link that leads out of .*: what lies there is not changed\.$/m);
    const removed = project.init("--remove");
    expect(removed.code).toBe(1);
    expect(outside.exists("claude/hooks/session-start.sh")).toBe(true);
    expect(outside.read("claude/settings.json")).toBe("{}\n");
  });
});

test("a folder of the roles behind a link out of the project is not said to be set up: none could be saved there", () => {
  const project = makeProject("package");
  project.write("session/notes.md", "");
  symlinkSync(makeWorkspace().root, project.path("session/agents"));
  const ran = project.init();
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/session\/agents is a link that leads out of .*: what lies there is not changed\.$/m);
  expect(project.exists(SHARED)).toBe(false);
});

describe("a project with a life of its own", () => {
  test("scripts of the same names stay, and ours take others that work", () => {
    const project = makeProject("package");
    const theirs = "#!/bin/sh\necho theirs\n";
    project.write(".claude/hooks/session-start.sh", theirs);
    const settings = `${JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: ".claude/hooks/session-start.sh" }] }] } }, null, 4)}\n`;
    project.write(SHARED, settings);
    expect(project.init().stderr).toContain("ours is context-session-start.sh");
    expect(project.read(".claude/hooks/session-start.sh")).toBe(theirs);
    const ours = hooksIn(project.read(SHARED)).filter(({ command }) => command.includes("context-session-start.sh"));
    expect(ours).toHaveLength(4);
    expect(fire(project, ours[0] ?? { event: "", command: "", timeout: 0 }).stdout).toContain("nexus-context");
    expect(project.init("--check").code).toBe(0);
    project.init("--remove");
    expect(project.read(SHARED)).toBe(settings);
    expect(project.list(".claude/hooks")).toEqual(["session-start.sh"]);
  });

  test("a folder context/ is no program, and another ./context is not run by the hooks", () => {
    const project = makeProject("package");
    mkdirSync(project.path("context"));
    project.init();
    const [first] = hooksIn(project.read(SHARED));
    project.role("oosh-expert");
    expect(fire(project, first ?? { event: "", command: "", timeout: 0 })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("oosh-expert"),
    });

    const other = makeProject("package");
    chmodSync(other.write("context", "#!/bin/sh\necho another program\n"), 0o755);
    expect(other.init().stdout).toContain(`Hooks: ${LOCAL}: `);
    const [hook] = hooksIn(other.read(LOCAL));
    expect(fire(other, hook ?? { event: "", command: "", timeout: 0 }).stdout).not.toContain("another program");
  });

  test("another package's program of our name among the project's is not run by the hooks", () => {
    const project = makeProject("global");
    chmodSync(project.write("node_modules/.bin/context", "#!/bin/sh\necho another program\n"), 0o755);
    expect(project.init().stdout).toContain("since node_modules/.bin/context is another one.");
    const [hook] = hooksIn(project.read(LOCAL));
    project.role("oosh-expert");
    expect(fire(project, hook ?? { event: "", command: "", timeout: 0 }).stdout).toContain("oosh-expert");
  });

  test("a machine's path moves to where it belongs, and goes when it is needed no more", () => {
    const project = makeProject("clone");
    const machine = {
      hooks: { PreCompact: [{ hooks: [{ type: "command", command: `'${LAUNCHER}' pre-compact`, timeout: 5 }] }] },
    };
    project.write(SHARED, JSON.stringify({ ...machine, model: "x" }, null, 2));
    const ran = project.init();
    expect(JSON.parse(project.read(SHARED))).toEqual({ model: "x" });
    const own = [LOCAL, "session/stateMachines/", "session/.cache/"];
    expect(ran.stderr).toBe(`${own.join(", ")} are not ignored by git: add them to .gitignore.\n`);
    project.write(".gitignore", own.map((line) => `${line}\n`).join(""));
    expect(hooksIn(project.read(LOCAL))).toHaveLength(5);

    symlinkSync(LAUNCHER, project.path("context"));
    expect(project.init()).toMatchObject({ code: 0, stderr: "" });
    expect(project.exists(LOCAL)).toBe(false);
    expect(hooksIn(project.read(SHARED))).toHaveLength(5);
  });

  test("scripts that git leaves behind are told of where it takes along the settings that start them", () => {
    const said = (...ignore: readonly string[]) => {
      const project = makeProject("clone");
      symlinkSync(LAUNCHER, project.path("context"));
      project.write(".gitignore", ["session/", ...ignore, ""].join("\n"));
      return project.init().stderr;
    };
    const left =
      "Git ignores .claude/hooks/pre-compact.sh, .claude/hooks/session-start.sh and takes along .claude/settings.json, " +
      "whose hooks then fail in every other clone: let .gitignore spare .claude/hooks/.\n";
    expect(said(".claude/*", "!.claude/settings.json")).toBe(left);
    expect(said("hooks/")).toBe(left);
    for (const fine of [[], [".claude/"], [".claude/*", "!.claude/settings.json", "!.claude/hooks/"]])
      expect(said(...fine)).toBe("");
  });

  test("where nothing of the program is left, a hook says so and hurts nobody", () => {
    const project = makeProject("package");
    project.init();
    rmSync(project.path("node_modules"), { recursive: true });
    for (const hook of hooksIn(project.read(SHARED))) {
      const ran = fire(project, hook);
      expect(ran).toMatchObject({ code: 0, stdout: "" });
      expect(ran.stderr).toBe(`context: ${NO_PROGRAM}\n`);
    }
  });

  test("a plugin that registers the same hooks is noticed: none is added", () => {
    const project = makeProject("package");
    project.home.write(".claude/settings.json", '{"enabledPlugins": {"agent-context@some-market": true}}');
    const ran = project.init();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("the plugin agent-context@some-market registers them");
    expect(project.exists(".claude")).toBe(false);
    expect(project.init("--check").code).toBe(0);

    project.write(LOCAL, '{"enabledPlugins": {"agent-context@some-market": false}}');
    project.init();
    expect(hooksIn(project.read(SHARED))).toHaveLength(5);
    rmSync(project.path(LOCAL));
    const twice = project.init("--check");
    expect(twice.code).toBe(1);
    expect(twice.stdout).toContain(`Registered twice: by the plugin, and in ${SHARED}.`);
    expect(JSON.parse(project.init("--json").stdout)).toMatchObject({ registered_twice: [SHARED] });
    // Once they are, nothing else is said of them: the gate is none of the plugin's, and what is every project's goes by --user.
    const way = (...scopes: string[]) =>
      `Switch the plugin off, or run ${scopes.map((scope) => `\\S+ init --remove${scope}`).join(" and ")}\\.\n`;
    expect(project.init().stdout).toMatch(new RegExp(`\nNothing was changed\\. ${way("")}$`));
    expect(project.init("--gate").stdout).toMatch(new RegExp(`\n${way("")}Next: `));
    expect(project.init("--check --gate").stderr).toMatch(new RegExp(`  ${way("")}$`));
    const start = { type: "command", command: "context session-start", timeout: 10 };
    const both = { enabledPlugins: { "agent-context@m": true }, hooks: { SessionStart: [{ hooks: [start] }] } };
    project.home.write(".claude/settings.json", JSON.stringify(both));
    expect(project.init("--check").stderr).toMatch(new RegExp(`  ${way(" --user", "")}$`));
    expect(project.init("--remove").code).toBe(0);
    expect(project.exists(".claude")).toBe(false);
  });
});

describe("all projects of a user", () => {
  test.each(["global", "clone"] as const)(
    "are registered in the user's settings, with the program as a %s",
    (installed) => {
      const project = makeProject(installed);
      const config = project.home.path("config é");
      const settings = "config é/settings.json";
      project.home.write(settings, '{\n    "model": "x"\n}\n');
      const env = { CLAUDE_CONFIG_DIR: config };
      const ran = project.init("--user", { env });
      expect(ran.code).toBe(0);
      expect(filesOf(project)).toEqual({});
      const hooks = hooksIn(project.home.read(settings));
      expect(hooks).toHaveLength(5);
      project.role("oosh-expert");
      const path = { PATH: `${project.home.path("bin")}:${BARE_ENV.PATH}` };
      // A project's own files are not to be run before the person trusts it.
      chmodSync(project.write("context", "#!/bin/sh\necho stranger\n"), 0o755);
      for (const hook of hooks) {
        const answer = fire(project, hook, { ...path, ...env });
        expect(answer.code).toBe(0);
        expect(answer.stdout).not.toContain("stranger");
        if (hook.event === "PreCompact") expect(answer.stdout).toContain("oosh-expert");
      }
      expect(project.init("--user --check", { env }).code).toBe(0);
      project.init("--user --remove", { env });
      expect(project.home.read(settings)).toBe('{\n    "model": "x"\n}\n');
    },
  );
});

test.each(["", "--user"])("init %s three times at once fails nowhere, and --remove leaves nothing", async (scope) => {
  const project = makeProject("launcher");
  const words = ["init", ...scope.split(" ").filter(Boolean)];
  const preload = fileURLToPath(new URL("./fixtures/slow-folders.cjs", import.meta.url));
  const env = { HOME: project.home.root, NODE_OPTIONS: `--require "${preload}"` };
  const started = [1, 2, 3].map(() => startProgram(project.path("context"), words, { cwd: project.root, env }));
  for (const { ended } of started) expect(await ended).toMatchObject({ code: 0 });
  expect(project.init(`${scope} --check`).code).toBe(0);
  expect(project.init(`${scope} --remove`).code).toBe(0);
  expect(readdirSync(project.home.root)).toEqual(["context"]);
  expect(readdirSync(project.root).sort()).toEqual([".git", "context"]);
});

test("init says which file holds it off: nobody can tell whether a process of another host lives", () => {
  const project = makeProject("launcher");
  project.write(".context-init.lock", JSON.stringify({ ...ownProcess(), host: "laptop-of-old", token: "t" }));
  expect(project.init()).toMatchObject({
    ...{ code: 4, stdout: "" },
    stderr:
      `context: Another init is at work here: process ${process.pid} on laptop-of-old.\n` +
      "  Nothing was changed. Run it again; if no such process exists, remove .context-init.lock.\n",
  });
});

test("init beside another one that does not end says whose it is, and has changed nothing; what changes nothing waits for none", () => {
  const project = makeProject("launcher");
  const lock = project.path(".context-init.lock");
  const held = withLock(lock, { waitMs: 0, folderMode: 0o777 }, () => {
    const before = filesOf(project);
    expect(project.init("--dry-run").code).toBe(0);
    expect(project.init("--check").code).toBe(1);
    expect(project.init("--remove")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing of context is"),
    });
    const ran = project.init("--json");
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      error: {
        code: "locked",
        message: `Another init is at work here: process ${process.pid} on ${hostname()}.`,
        hint: "Nothing was changed. Run it again; if no such process exists, remove .context-init.lock.",
      },
    });
    expect(filesOf(project)).toEqual(before);
    // That of all projects writes elsewhere.
    expect(project.init("--user").code).toBe(0);
    return existsSync(lock);
  });
  expect(held).toEqual({ ok: true, value: true });
  expect(project.init("--user --remove").code).toBe(0);
  expect(project.init()).toMatchObject({ code: 0 });
  expect(existsSync(lock)).toBe(false);
});

describe("a project whose hooks the settings of all projects register", () => {
  const doctor = (project: Project) => {
    const ran = runProgram(LAUNCHER, ["doctor", "--json"], { cwd: project.root, env: { HOME: project.home.root } });
    const { findings }: { findings: { code: string }[] } = JSON.parse(ran.stdout);
    return findings.map(({ code }) => code);
  };

  test("gets none of its own, and is told what it does get", () => {
    const project = makeProject("launcher");
    expect(project.init("--user")).toMatchObject({ code: 0 });
    const check = project.init("--check");
    expect(check).toMatchObject({ code: 1 });
    expect(check.stdout).toContain(`Hooks: ${project.home.path(SHARED)} registers them for all your projects`);
    const ran = project.init();
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/\ncreated session\/agents\/\nNext: write a role's file: \S+ new <role>\n$/);
    expect(filesOf(project)).toEqual({});
    expect(project.init("--check")).toMatchObject({ code: 0 });
    expect(JSON.parse(project.init("--json").stdout)).toMatchObject({
      for_all_projects: project.home.path(SHARED),
      settings: null,
      changes: [],
    });
    expect(doctor(project)).toEqual([]);
  });

  test("is told that none of them runs, where the script is gone that they start", () => {
    const project = makeProject("launcher");
    project.init("--user");
    rmSync(project.home.path(".claude/hooks"), { recursive: true });
    for (const words of ["", "--check", "--gate"]) {
      const ran = project.init(words);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toContain("the script that they start is gone: none of them runs.");
      expect(ran.stderr).toMatch(/ init --user, which writes a new one\.\n$/);
    }
    expect(filesOf(project)).toEqual({});
    expect(doctor(project)).toContain("hook-not-found");
    expect(project.init("--user")).toMatchObject({ code: 0 });
    expect(project.init()).toMatchObject({ code: 0 });
  });

  test("is told so by what their lines name, wherever that is", () => {
    const project = makeProject("launcher");
    project.init("--user");
    const [folder, elsewhere] = [".claude/hooks", "tools/hooks"].map((each) => project.home.path(each));
    const settings = project.home.read(SHARED).replaceAll(folder ?? "", elsewhere ?? "");
    project.home.write(SHARED, settings);
    expect(project.init("--check").stderr).toContain("the script that they start is gone: none of them runs.");
    mkdirSync(dirname(elsewhere ?? ""), { recursive: true });
    renameSync(folder ?? "", elsewhere ?? "");
    expect(project.init()).toMatchObject({ code: 0, stderr: "" });
    expect(doctor(project)).toEqual(["registration-old"]);
  });

  test("is told what keeps those from running", () => {
    const project = makeProject("launcher");
    project.init("--user");
    const settings = JSON.parse(project.home.read(SHARED));
    project.home.write(SHARED, JSON.stringify({ ...settings, disableAllHooks: true }));
    const disabled = project.init();
    expect(disabled).toMatchObject({ code: 0 });
    expect(disabled.stderr).toBe(`${project.home.path(SHARED)} sets disableAllHooks: no hook runs.\n`);
    project.home.write(SHARED, JSON.stringify({ ...settings, model: 4 }));
    const dropped = project.init("--check");
    expect(dropped).toMatchObject({ code: 1, stdout: "" });
    expect(dropped.stderr).toContain("Claude Code drops the whole file.");
  });

  test("gets the gate that it asks for, where that is not registered for all", () => {
    const project = makeProject("launcher");
    project.init("--user");
    expect(project.init("--gate")).toMatchObject({ code: 0 });
    expect(hooksIn(project.read(SHARED)).map(({ event }) => event)).toEqual(["PreToolUse", "PostToolUse"]);
    expect(project.init("--check").code).toBe(0);
    expect(doctor(project)).not.toContain("registered-twice");
    project.init("--remove");
    project.init("--user --gate");
    project.init("--gate");
    expect(filesOf(project)).toEqual({});
  });

  test("has its own where it registers some, or where those for all are not all of them", () => {
    const project = makeProject("launcher");
    project.init();
    project.init("--user");
    const both = project.init("--check");
    expect(both.code).toBe(0);
    expect(both.stderr).toContain("registers hooks of context for all projects too: both run, and one is enough.");
    project.init("--remove");
    const start = { type: "command", command: "context session-start", timeout: 10 };
    project.home.write(SHARED, JSON.stringify({ hooks: { SessionStart: [{ hooks: [start] }] } }));
    project.init();
    expect(hooksIn(project.read(SHARED))).toHaveLength(5);
  });
});

test.each([
  ["", '"$CLAUDE_PROJECT_DIR"/.claude/hooks/session-start.sh', true],
  ["", ".claude/hooks/session-start.sh", true],
  ["", "'ROOT/.claude/hooks/session-start.sh'", true],
  ["", "/elsewhere/.claude/hooks/session-start.sh --part 1/4", false],
  ["", "context session-start", false],
  ["--user", "~/.claude/hooks/agent-context.sh session-start", true],
  ["--user", "context session-start", false],
])(
  "a line of a person's own that starts what --remove %s takes away is said to find nothing: %s",
  (scope, start, isGone) => {
    const project = makeProject("launcher");
    project.init(scope);
    const settings = scope === "" ? project : project.home;
    const { hooks } = JSON.parse(settings.read(SHARED));
    hooks.SessionStart.push({
      hooks: [{ type: "command", command: `date; ${start.replace("ROOT", project.root)}`, timeout: 9 }],
    });
    settings.write(SHARED, JSON.stringify({ hooks }));
    for (const words of [`${scope} --remove`, `${scope} --remove`]) {
      const { code, stderr } = project.init(words);
      expect(code).toBe(0);
      expect(stderr).toMatch(/at SessionStart in a line of your own: it is left as it is[.,]/);
      expect(stderr.includes(", and there is no such script any more: take it out.")).toBe(isGone);
    }
    expect(hooksIn(settings.read(SHARED))).toHaveLength(1);
  },
);

describe("settings for all projects that lie elsewhere, with a person's other files,", () => {
  const TEXT = '{"model": "opus"}\n';
  const AWAY: readonly [what: string, place: (home: Workspace, away: Workspace) => string][] = [
    [
      "are written through the link that the file is",
      (home, away) => {
        mkdirSync(home.path(".claude"));
        symlinkSync(away.path("settings.json"), home.path(".claude/settings.json"));
        return ".claude/settings.json";
      },
    ],
    [
      "are written through the link that the client's folder is",
      (home, away) => {
        symlinkSync(away.root, home.path(".claude"));
        return ".claude";
      },
    ],
  ];

  test.each(AWAY)("%s, and are as they were after --remove", (_, place) => {
    const project = makeProject("global");
    const away = makeWorkspace();
    away.write("settings.json", TEXT);
    const link = place(project.home, away);
    expect(project.init("--user")).toMatchObject({ code: 0, stderr: "" });
    expect(hooksIn(away.read("settings.json"))).toHaveLength(5);
    expect(project.init("--user --check").code).toBe(0);
    expect(project.init("--user --remove")).toMatchObject({ code: 0, stderr: "" });
    expect(away.read("settings.json")).toBe(TEXT);
    expect(lstatSync(project.home.path(link)).isSymbolicLink()).toBe(true);
  });

  test("are written where the home folder itself is reached by a link", () => {
    const project = makeProject("global");
    project.home.write(".claude/settings.json", TEXT);
    const way = makeWorkspace().path("home");
    symlinkSync(project.home.root, way);
    const env = { HOME: way };
    expect(project.init("--user", { env })).toMatchObject({ code: 0, stderr: "" });
    expect(hooksIn(project.home.read(".claude/settings.json"))).toHaveLength(5);
    expect(project.init("--user --remove", { env })).toMatchObject({ code: 0, stderr: "" });
    expect(project.home.read(".claude/settings.json")).toBe(TEXT);
  });
});

test("lines for all projects say nothing and leave nothing in one that holds nothing for them", () => {
  const project = makeProject("global");
  runProgram("git", ["init", "--quiet"], { cwd: project.root });
  expect(project.init("--user")).toMatchObject({ code: 0, stderr: "" });
  const hooks = hooksIn(project.home.read(".claude/settings.json"));
  const path = `${project.home.path("bin")}:${BARE_ENV.PATH}`;
  const answers = (role: string) => hooks.map((hook) => fire(project, hook, { PATH: path, HIVEMIND_ROLE: role }));
  const said = (role: string) =>
    answers(role)
      .map(({ stdout }) => stdout)
      .join("");
  for (const answer of answers("")) expect(answer).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(filesOf(project)).toEqual({});
  expect(said("oosh-expert")).toContain("nexus-context");
  project.write("context.yaml", "tone: plain\n");
  expect(said("")).toContain("nexus-context");
  expect(project.init("--user --check").code).toBe(0);
});

test("lines for all projects end well in each of them where the program is gone, and an earlier version's are replaced", () => {
  const project = makeProject("global");
  const settings = ".claude/settings.json";
  const start = { type: "command", command: "context session-start", timeout: 10 };
  project.home.write(settings, JSON.stringify({ hooks: { SessionStart: [{ hooks: [start] }] } }));
  expect(project.init("--user --gate").code).toBe(0);
  const hooks = hooksIn(project.home.read(settings));
  expect(hooks).toHaveLength(7);
  project.write("session/.cache/gate.pending", "");
  const said = "context: the hook did nothing: agent-context is neither where it was nor on the PATH.\n";
  for (const hook of hooks)
    expect(fire(project, hook, {}), hook.command).toMatchObject({ code: 0, stdout: "", stderr: said });
  // Without the Node that it runs on, but where that one is kept otherwise.
  const bin = project.home.path("bin");
  for (const tool of ["sh", "env", "cat", "head"]) symlinkSync(`/bin/${tool}`, join(bin, tool));
  for (const hook of hooks) expect(fire(project, hook, { PATH: bin }), hook.command).toMatchObject({ code: 0 });
});

describe("the script that starts them in all projects", () => {
  const SCRIPT = ".claude/hooks/agent-context.sh";

  test("finds the program where Node is kept, once another version of Node is the one on the PATH", () => {
    const project = makeProject("global");
    expect(project.init("--user")).toMatchObject({ code: 0 });
    project.role("oosh-expert");
    const [compaction] = hooksIn(project.home.read(SHARED));
    if (compaction === undefined) throw new Error("nothing is registered");
    const answer = () => fire(project, compaction, { PATH: BARE_ENV.PATH ?? "", HOME: project.home.root });
    expect(answer()).toMatchObject({ code: 0, stdout: "" });
    const kept = project.home.path(".nvm/versions/node/v20.19.0");
    mkdirSync(join(kept, "bin"), { recursive: true });
    link(join(kept, "lib/node_modules/agent-context"), PROGRAM_ROOT);
    expect(answer().stdout).toContain("oosh-expert");
  });

  test("is mended where it was changed or is gone, and goes again", () => {
    const project = makeProject("clone");
    mkdirSync(project.home.path(".claude/hooks"), { recursive: true });
    project.init("--user");
    const written = project.home.read(SCRIPT);
    project.home.write(SCRIPT, written.replace("exit 0", "exit 1"));
    expect(project.init("--user --check")).toMatchObject({ code: 1 });
    expect(project.init("--user").stdout).toContain(`changed ${project.home.path(SCRIPT)}`);
    rmSync(project.home.path(SCRIPT));
    const doctor = runProgram(LAUNCHER, ["doctor"], { cwd: project.root, env: { HOME: project.home.root } });
    expect(doctor.stdout).toContain(`The command names ${project.home.path(SCRIPT)}, and there is nothing.`);
    expect(project.init("--user").stdout).toContain(`created ${project.home.path(SCRIPT)}`);
    expect(project.home.read(SCRIPT)).toBe(written);
    expect(project.init("--user --remove")).toMatchObject({ code: 0 });
    expect(project.home.list(".claude/hooks")).toEqual([]);
  });

  const FOLDERS: readonly [what: string, before: readonly string[], meanwhile: readonly string[], left: string[]][] = [
    ["all where none was there", [], [], ["."]],
    ["its own where the client's was there", ["config/claude"], [], [".", "./config", "./config/claude"]],
    [
      "none where both were there",
      ["config/claude/hooks"],
      [],
      [".", "./config", "./config/claude", "./config/claude/hooks"],
    ],
    [
      "none that holds something by then",
      [],
      ["config/claude/projects"],
      [".", "./config", "./config/claude", "./config/claude/projects"],
    ],
  ];

  test.each(FOLDERS)("goes with the folders that were made for it: %s", (_, before, meanwhile, left) => {
    const project = makeProject("clone");
    for (const folder of before) mkdirSync(project.home.path(folder), { recursive: true });
    // A home folder that is reached by a link, as some systems have theirs.
    const home = link(join(makeWorkspace().root, "home"), project.home.root);
    const env = { CLAUDE_CONFIG_DIR: join(home, "config/claude") };
    expect(project.init("--user", { env })).toMatchObject({ code: 0 });
    project.home.write(
      "config/claude/hooks/agent-context.sh",
      project.home.read("config/claude/hooks/agent-context.sh").replace("exit 0", "exit 1"),
    );
    expect(project.init("--user --gate", { env })).toMatchObject({ code: 0 });
    expect(project.init("--user --check", { env })).toMatchObject({ code: 0 });
    for (const folder of meanwhile) mkdirSync(project.home.path(folder), { recursive: true });
    expect(project.init("--user --remove", { env })).toMatchObject({ code: 0, stderr: "" });
    const found = runProgram("find", [".", "-type", "d"], { cwd: project.home.root });
    expect(found.stdout.trim().split("\n").sort()).toEqual(left);
  });

  test("is written elsewhere without a home folder, and none is made for it", () => {
    const project = makeProject("clone");
    const home = project.home.path("nobody");
    const env = { HOME: home, CLAUDE_CONFIG_DIR: project.home.path("config") };
    expect(project.init("--user", { env })).toMatchObject({ code: 0 });
    expect(project.home.exists("config/hooks/agent-context.sh")).toBe(true);
    expect(existsSync(home)).toBe(false);
  });

  test("of that name which is somebody else's stays, and nothing is registered", () => {
    const project = makeProject("clone");
    project.home.write(SCRIPT, "#!/bin/sh\necho theirs\n");
    const ran = project.init("--user");
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stderr).toContain(`${SCRIPT} was not written by context.\n  Rename it: it is left as it is.`);
    expect(project.home.list(".claude")).toEqual(["hooks"]);
    expect(project.init("--user --remove")).toMatchObject({ code: 0 });
    expect(project.home.read(SCRIPT)).toBe("#!/bin/sh\necho theirs\n");
  });

  test("is written among other scripts wherever a link leads, and leaves them", () => {
    const project = makeProject("clone");
    const dotfiles = makeWorkspace();
    dotfiles.write("hooks/mine.sh", "");
    mkdirSync(project.home.path(".claude"), { recursive: true });
    symlinkSync(dotfiles.path("hooks"), project.home.path(".claude/hooks"));
    expect(project.init("--user")).toMatchObject({ code: 0 });
    expect(dotfiles.list("hooks")).toEqual(["agent-context.sh", "mine.sh"]);
    expect(project.init("--user --remove")).toMatchObject({ code: 0 });
    expect(dotfiles.list("hooks")).toEqual(["mine.sh"]);
  });

  test("is brought up to date through the link that a person put in its place, and taken away there", () => {
    const project = makeProject("clone");
    expect(project.init("--user")).toMatchObject({ code: 0 });
    const dotfiles = makeWorkspace();
    dotfiles.write("script.sh", project.home.read(SCRIPT).replace("exit 0", "exit 1"));
    rmSync(project.home.path(SCRIPT));
    symlinkSync(dotfiles.path("script.sh"), project.home.path(SCRIPT));
    expect(project.init("--user")).toMatchObject({ code: 0, stderr: "" });
    expect(dotfiles.read("script.sh")).not.toContain("exit 1");
    expect(statSync(dotfiles.path("script.sh")).mode & 0o111).toBe(0o111);
    expect(lstatSync(project.home.path(SCRIPT)).isSymbolicLink()).toBe(true);
    expect(project.init("--user --remove")).toMatchObject({ code: 0, stderr: "" });
    expect(project.home.list(".claude")).toEqual([]);
  });
});

describe.skipIf(!HAS_TERMINAL)("on a terminal", () => {
  const run = (project: Project, words: string, answer: string): string =>
    onTerminal(
      `{ sleep 1; printf '${answer}\\n'; } | script --quiet --command "'${project.path("context")}' init ${words}" /dev/null`,
      {
        cwd: project.root,
        env: { HOME: project.home.root },
      },
    );

  test("it asks once, after the difference, and takes anything but yes for no", () => {
    const project = makeProject("launcher");
    const no = run(project, "", "n");
    expect(no).toMatch(/\+\+\+ b\/\.claude\/settings\.json[\s\S]*Apply\? \[y\/N\][\s\S]*Nothing was changed/);
    expect(project.exists(".claude")).toBe(false);
    const yes = run(project, "", "y");
    expect(yes).toContain("created .claude/settings.json");
    expect(project.exists(SHARED)).toBe(true);
  });

  test("--yes and --dry-run ask nothing", () => {
    const project = makeProject("launcher");
    expect(run(project, "--dry-run", "")).not.toContain("Apply?");
    expect(run(project, "--yes", "")).not.toContain("Apply?");
    expect(project.exists(SHARED)).toBe(true);
  });
});
