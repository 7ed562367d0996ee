import { mkdirSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { commit, git } from "../helpers/git-repository.ts";
import { copyProgram, LAUNCHER } from "../helpers/program-under-test.ts";
import { BARE_ENV, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const VERSION = /^\d+\.\d+\.\d+\n$/;

describe("names", () => {
  test.each([
    "lifecycle.status",
    "lifecycle status",
    "--json lifecycle status",
    "-q lifecycle.status",
    "lifecycle --json status",
    "lifecycle -q --root . status",
    "lifecycle --root=. status",
  ])("%j is lifecycle.status", (line) => {
    const workspace = makeWorkspace();
    workspace.context("lifecycle.init oosh-expert");
    expect(workspace.context(line)).toMatchObject({ code: 0, stderr: "" });
  });

  test("the dotted and the spaced name of every command say and do the same", () => {
    for (const words of [["lifecycle.save"], ["lifecycle", "save"]]) {
      const workspace = makeWorkspace();
      workspace.role("oosh-expert");
      const ran = workspace.context([...words, "oosh-expert"]);
      expect(ran).toMatchObject({ code: 0, stderr: "oosh-expert had no machine; it is created.\n" });
      expect(ran.stdout).toContain("oosh-expert: active -> saving -> saved\n");
    }
    const workspace = makeWorkspace();
    expect(workspace.context("lifecycle pre compact")).toEqual(workspace.context("lifecycle.pre.compact"));
    expect(workspace.context("validate all")).toEqual(workspace.context("validate.all"));
  });

  test("an option within a spaced name is every command's, and means the same as behind it", () => {
    const workspace = makeWorkspace();
    expect(workspace.context("lifecycle --json status")).toEqual(workspace.context("lifecycle status --json"));
    expect(workspace.context("lifecycle pre --json compact")).toEqual(
      workspace.context("lifecycle.pre.compact --json"),
    );
    expect(workspace.context("help lifecycle --json status")).toEqual(
      workspace.context("help --json lifecycle.status"),
    );
    const brief = workspace.context("lifecycle --brief status");
    expect(brief).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("lifecycle.status") });
    expect(workspace.context("lifecycle --json")).toMatchObject({ code: 2 });
    expect(workspace.context("lifecycle --json nothing")).toMatchObject({ code: 2 });
  });

  test("--root and -C name the project from anywhere", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    for (const words of [
      ["-C", workspace.root, "lifecycle.init", "oosh-expert"],
      ["lifecycle", "init", "oosh-expert", `--root=${workspace.root}`],
      ["--root", workspace.root, "lifecycle", "init", "oosh-expert"],
    ]) {
      const ran = runProgram(workspace.path("context"), words, { cwd: tmpdir() });
      expect(ran).toMatchObject({ code: 0, stderr: "" });
    }
    const env = { CONTEXT_ROOT: workspace.root };
    const ran = runProgram(workspace.path("context"), ["lifecycle.status"], { cwd: tmpdir(), env });
    expect(ran.stdout).toContain("oosh-expert");
  });
});

describe("--verbose", () => {
  test("says what settled the project, the settings and the machines; the result is the same", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    mkdirSync(workspace.path("src"));
    workspace.context("lifecycle.init oosh-expert");
    for (const words of ["lifecycle.status --json", "lifecycle.status", "validate oosh-expert"]) {
      const [plain, more] = [workspace.context(words), workspace.context(`${words} --verbose`)];
      expect(more).toMatchObject({ code: 0, stdout: plain.stdout });
      expect(more.stderr.split("\n").filter((line) => !line.startsWith("context: program: "))).toEqual([
        `context: project: ${workspace.root} (the nearest folder that holds session/agents)`,
        "context: settings: the defaults, there is no context.yaml",
        "context: machines: session/stateMachines",
        ...plain.stderr.split("\n"),
      ]);
      expect(more.stderr).toMatch(/^context: program: .*, called as .\/context, under node v\d+/m);
    }
  });

  test("names what was asked for, and shows no password", () => {
    const workspace = makeWorkspace();
    workspace.write("context.yaml", "tone: plain\n");
    const say = (words: string, env: Readonly<Record<string, string>>) =>
      workspace.context(`-v ${words}`, { cwd: tmpdir(), env }).stderr;
    const store = say("lifecycle.status", {
      CONTEXT_ROOT: workspace.root,
      CONTEXT_STORE: "redis://me:hidden-word@127.0.0.1:1/3",
    });
    expect(store).toContain(`context: project: ${workspace.root} (named by CONTEXT_ROOT)\n`);
    expect(store).toContain("context: settings: context.yaml\n");
    expect(store).toContain("context: machines: redis://127.0.0.1:1/3 (named by CONTEXT_STORE)\n");
    expect(store).not.toContain("hidden-word");
    const folder = say("schema", { CONTEXT_ROOT: workspace.root, CONFIG_PATH: "away" });
    expect(folder).toContain("context: machines: away/stateMachines (named by CONFIG_PATH)\n");
    const nowhere = workspace.context("schema -v", { cwd: "/" }).stderr;
    expect(nowhere).toContain("context: project: / (the working directory: neither it nor a folder above holds");
  });
});

describe("a fault of this program", () => {
  const broken = (words: readonly string[], change: (folder: string) => void) => {
    const workspace = makeWorkspace();
    for (const name of ["bin", "dist", "package.json"]) {
      copyProgram(name, workspace.path("copy"));
    }
    change(workspace.path("copy/dist/bundle"));
    return runProgram(process.execPath, [workspace.path("copy/bin/context.js"), ...words], { cwd: workspace.root });
  };
  const THROWS = 'throw new Error("planted")';
  const plant = (folder: string) => writeFileSync(join(folder, "cli-entries-completion.cjs"), THROWS);
  const LINES =
    /^context: A fault of this program: planted\n {2}Please report it with the lines below\.\n\ncontext \d+\.\d+\.\d+, build [0-9a-f]{16}, node v\d+[^ ]*, \w+ \w+\ncommand: \["completion","bash"(?:,"--json")?\]\nError: planted\n {4}at /;

  test("says what a report of it needs: version, build, Node, the command and the place", () => {
    expect(broken(["completion", "bash"], plant)).toMatchObject({
      code: 70,
      stdout: "",
      stderr: expect.stringMatching(LINES),
    });
    const json = broken(["completion", "bash", "--json"], plant);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: "fault" } });
    expect(json.stderr).toMatch(LINES);
  });

  test.each([
    ["session-start", ""],
    ["session-start --part 1/2", ""],
    ["pre-compact", "{}\n"],
    ["pre-compact --guidance", ""],
    ["gate", ""],
  ])("in the hook %s is one line on stderr, and the client goes on", (words, stdout) => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    for (const name of ["bin", "dist", "package.json"]) {
      copyProgram(name, workspace.path("copy"));
    }
    const bundles = workspace.path("copy/dist/bundle");
    // What a half-done update leaves: parts that are loaded when they are needed are gone.
    for (const name of readdirSync(bundles)) if (/^(?:commands-.*|warm)\.br$/.test(name)) rmSync(join(bundles, name));
    const ran = runProgram(process.execPath, [workspace.path("copy/bin/context.js"), ...words.split(" ")], {
      cwd: workspace.root,
      env: { HIVEMIND_ROLE: "oosh-expert" },
      input: '{"session_id":"s1","source":"startup","trigger":"auto"}',
    });
    expect(ran).toMatchObject({ code: 0, signal: null, stdout });
    expect(ran.stderr).toMatch(
      /^context: a fault of ours, please report it: .*(?:commands-[a-z-]+\.cjs|warm\.br).*\n$/,
    );
  });

  test("in a hook whose own part is missing is one line on stderr as well", () => {
    const ran = broken(["gate"], (folder) => rmSync(join(folder, "cli-entries-gate.cjs.br")));
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(/^context: the hook did nothing: cli-entries-gate\.cjs is missing in .*\n$/);
  });

  test.each(["lifecycle.status", "validate x"])("says how to go on where what tells of it is missing: %s", (words) => {
    const gone = (folder: string) => rmSync(join(folder, "warm.br"));
    const line =
      /^context: (A part of this program cannot be loaded: .*warm\.br.*)\n {2}(Run it again;.* install .*)\n$/;
    expect(broken(words.split(" "), gone)).toMatchObject({ code: 70, stdout: "", stderr: expect.stringMatching(line) });
    const json = broken([...words.split(" "), "--json"], gone);
    const [, message, hint] = line.exec(json.stderr) ?? [];
    expect(JSON.parse(json.stdout)).toEqual({ schema_version: 1, ok: false, error: { code: "fault", message, hint } });
  });

  test("is told where the part that knows the version is missing as well", () => {
    const ran = broken(["completion", "bash"], (folder) => {
      plant(folder);
      rmSync(join(folder, "cli-version.cjs"));
    });
    expect(ran).toMatchObject({ code: 70, stderr: expect.stringContaining("context of an unknown version, build") });
  });
});

describe("the launcher", () => {
  test("finds the project from a subfolder and itself through a chain of links", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    mkdirSync(workspace.path("src/deep er/é"), { recursive: true });
    symlinkSync("../../context", workspace.path("src/deep er/first"));
    symlinkSync("deep er/first", workspace.path("src/second"));
    const ran = runProgram("../../second", ["lifecycle.save", "oosh-expert"], {
      cwd: workspace.path("src/deep er/é"),
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "saved" });
  });

  test("is found on the PATH", () => {
    const workspace = makeWorkspace();
    const env = { PATH: `${workspace.root}:${BARE_ENV.PATH}` };
    expect(runProgram("sh", ["-c", "context --version"], { cwd: tmpdir(), env }).stdout).toMatch(VERSION);
  });

  test("says what to run where nothing is built", () => {
    const workspace = makeWorkspace();
    mkdirSync(workspace.path("clone"));
    for (const name of ["context", "bin"]) {
      copyProgram(name, workspace.path("clone"));
    }
    // With `ignore-scripts` npm installs what is needed, and builds nothing; ended in the middle it leaves packages without its list.
    for (const [way, made] of [
      ["install", null],
      ["install", "clone/node_modules/esbuild/package.json"],
      ["run build", "clone/node_modules/.package-lock.json"],
    ] as const) {
      if (made !== null) workspace.write(made, "{}");
      // The second is what `npm link` puts on the PATH.
      for (const program of ["./context", "bin/context.js"]) {
        const ran = runProgram(program, ["recover", "x"], { cwd: workspace.path("clone") });
        expect(ran).toEqual({
          code: 70,
          signal: null,
          stdout: "",
          stderr: `context: not built yet. Run: npm ${way} --prefix '${workspace.path("clone")}'\n`,
        });
      }
    }
  });

  test("says what is missing where there is no node", () => {
    const workspace = makeWorkspace();
    mkdirSync(workspace.path("bin"));
    for (const tool of ["sh", "readlink"]) {
      const found = runProgram("sh", ["-c", `command -v ${tool}`], { cwd: workspace.root }).stdout.trim();
      symlinkSync(found, workspace.path(`bin/${tool}`));
    }
    const env = { PATH: workspace.path("bin"), CONTEXT_NODE: workspace.path("no/node") };
    const ran = runProgram(workspace.path("context"), ["--version"], { cwd: workspace.root, env });
    expect(ran).toMatchObject({ code: 70, stdout: "" });
    expect(ran.stderr).toContain("node is not on the PATH");
  });

  test("works from a folder that is no longer there, also where the shell has forgotten which it was", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    workspace.context("lifecycle.init oosh-expert");
    const context = `'${workspace.path("context")}'`;
    const payload = `'{"hook_event_name":"SessionStart","source":"startup"}'`;
    for (const [command, printed] of [
      [`${context} -C '${workspace.root}' lifecycle.status`, /^ROLE .*\noosh-expert /],
      [`${context} lifecycle.status`, /^ROLE .*\noosh-expert /],
      [`${context} recover oosh-expert`, /^# Recovery of oosh-expert\n/],
      [
        `printf ${payload} | CLAUDE_PROJECT_DIR='${workspace.root}' ${context} session-start --print`,
        /^<nexus-context /,
      ],
    ] as const) {
      const gone = workspace.path("gone");
      for (const shell of ["", "PWD= "]) {
        mkdirSync(gone);
        const ran = runProgram("sh", ["-c", `rmdir '${gone}'; ${command.replace(context, `${shell}${context}`)}`], {
          cwd: gone,
        });
        expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(printed) });
        expect(ran.stderr).not.toContain("fault");
        expect(() => rmdirSync(gone)).toThrow();
      }
    }
  });
});

test.each(["new x", "lifecycle.init x", "report", "init --yes", "session-start", "pre-compact"])(
  "%s does not make a folder again that was taken away under it",
  (words) => {
    const workspace = makeWorkspace();
    rmSync(workspace.path("session"), { recursive: true });
    mkdirSync(workspace.path("gone"));
    const command = `rmdir ../gone; echo '{"session_id":"s","source":"startup"}' | '${LAUNCHER}' ${words}`;
    const ran = runProgram("sh", ["-c", command], { cwd: workspace.path("gone"), env: { HIVEMIND_ROLE: "x" } });
    const isHook = words === "session-start" || words === "pre-compact";
    expect(ran.stderr).toContain(`gone any more.\n${isHook ? "" : "  Name the project's folder with -C.\n"}`);
    expect(ran.code).toBe(isHook ? 0 : 2);
    expect(workspace.exists("gone")).toBe(false);
  },
);

describe("help", () => {
  test.each([[""], ["--help"], ["-h"], ["help"], ["help help"], ["help --help"]])("%j lists every command", (line) => {
    const ran = makeWorkspace().context(line === "" ? [] : line);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    for (const { name } of COMMANDS) expect(ran.stdout).toContain(`\n  ${name} `);
    expect(ran.stdout).toContain("Examples:\n  $ ./context ");
  });

  test.each(COMMANDS.map(({ name, options }) => ({ name, options })))(
    "$name has help with its options, and at its end an example or two, however it is asked for",
    ({ name, options }) => {
      const workspace = makeWorkspace();
      const ran = workspace.context(`help ${name}`);
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      expect(ran.stdout).toContain(`Usage: context ${name}`);
      for (const { long } of options) expect(ran.stdout).toContain(`--${long}`);
      const example = ` {2}\\$ \\./context ${name.replaceAll(".", "\\.")}\\b.*\n`;
      expect(ran.stdout).toMatch(new RegExp(`\nExamples:\n(?:${example}){1,2}$`));
      expect(workspace.context(`${name} --help`)).toEqual(ran);
      if (name.includes(".")) expect(workspace.context(`help ${name.replaceAll(".", " ")}`)).toEqual(ran);
    },
  );

  test.each(["-q", "-v", "--no-color", "-C ."])("%j without a command is the same help", (line) => {
    const workspace = makeWorkspace();
    expect(workspace.context(line)).toEqual(workspace.context("help"));
  });

  test("--version prints the version and nothing else", () => {
    const ran = makeWorkspace().context("--version");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(VERSION);
  });

  test("with --json, help and the version are one JSON value too", () => {
    const workspace = makeWorkspace();
    for (const line of ["", "help", "--help", "help validate", "validate --help", "help lifecycle save"]) {
      const text = workspace.context(line === "" ? [] : line);
      for (const asked of [`--json ${line}`.trim(), `${line} --json`.trim()]) {
        const ran = workspace.context(asked);
        expect(ran).toMatchObject({ code: 0, stderr: "" });
        expect(JSON.parse(ran.stdout)).toEqual({ schema_version: 1, ok: true, help: text.stdout });
      }
    }
    for (const line of ["--version --json", "--json --version"]) {
      const ran = workspace.context(line);
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      const version = workspace.context("--version").stdout.trim();
      expect(JSON.parse(ran.stdout)).toEqual({ schema_version: 1, ok: true, version });
    }
  });
});

/** Each line with what its message and its hint hold. */
const MISUSES: readonly [line: string, message: string, hint: string][] = [
  ["lifecyle.save oosh-expert", "Unknown command 'lifecyle.save'", "Did you mean lifecycle.save?"],
  ["recovr", "Unknown command 'recovr'", "Did you mean recover?"],
  ["save oosh-expert", "Unknown command 'save'", "Did you mean lifecycle.save?"],
  ["context.recover oosh-expert", "Unknown command 'context.recover'", "Did you mean recover?"],
  ["context lifecycle save oosh-expert", "Unknown command 'context'", "Did you mean lifecycle.save?"],
  ["staus", "Unknown command 'staus'", "Did you mean lifecycle.status?"],
  ["help compact", "Unknown command 'compact'", "Did you mean lifecycle.compact?"],
  ["recoverr", "Unknown command 'recoverr'", "Did you mean recover?"],
  ["LIFECYCLE.STATUS", "Unknown command 'LIFECYCLE.STATUS'", "Did you mean lifecycle.status?"],
  ["lifecycle", "Unknown command 'lifecycle'", "lifecycle.history"],
  ["lifecycle sve x", "Unknown command 'lifecycle'", "Did you mean lifecycle.save?"],
  ["lifecyle save x", "Unknown command 'lifecyle'", "Did you mean lifecycle.save?"],
  ["LIFECYCLE SAVE x", "Unknown command 'LIFECYCLE'", "Did you mean lifecycle.save?"],
  ["valdate all", "Unknown command 'valdate'", "Did you mean validate.all?"],
  ["validat x", "Unknown command 'validat'", "Did you mean validate?"],
  ["Lifecycle x", "Unknown command 'Lifecycle'", "Its commands: lifecycle.init, lifecycle.save, "],
  ["lifecycle sve a-role-of-a-long-name", "Unknown command 'lifecycle'", "Did you mean lifecycle.save?"],
  ["lifecycle pre-compct x", "Unknown command 'lifecycle'", "Did you mean lifecycle.pre.compact?"],
  ["lifecycle help", "Unknown command 'lifecycle'", "Its commands: lifecycle.init, lifecycle.save, "],
  ["lifecycle.nope", "Unknown command 'lifecycle.nope'", "Its commands: lifecycle.init, lifecycle.save, "],
  ["New x", "Unknown command 'New'", "Did you mean new?"],
  ["VALIDATE x", "Unknown command 'VALIDATE'", "Did you mean validate?"],
  ["Recover x", "Unknown command 'Recover'", "Did you mean recover?"],
  ["hlep", "Unknown command 'hlep'", "Did you mean help?"],
  ["HELP recover", "Unknown command 'HELP'", "Did you mean help?"],
  ["frobnicate", "Unknown command 'frobnicate'", "Run ./context help "],
  ["help frobnicate", "Unknown command 'frobnicate'", "Run ./context help "],
  ["help recovr", "Unknown command 'recovr'", "Did you mean recover?"],
  ["-C . help recovr", "Unknown command 'recovr'", "Did you mean recover?"],
  ["help lifecycle", "Unknown command 'lifecycle'", "lifecycle.history"],
  ["help lifecycle sve", "Unknown command 'lifecycle'", "Did you mean lifecycle.save?"],
  ["recover --no-such-option", "Unknown option '--no-such-option'", "Run ./context help recover "],
  ["lifecycle.save --role tester", "Unknown option '--role'", "A role is named without --role"],
  ["lifecycle.save --take-ovr x", "Unknown option '--take-ovr'", "--take-over"],
  ["validate", "Missing required argument 'target'", "Run ./context help validate "],
  ["validate x --format xml", "Allowed choices are pretty, json, github, sarif", "Run ./context help validate "],
  ["recover a b", "Too many arguments", "Run ./context help recover "],
  ["lifecycle status a b", "Too many arguments", "Run ./context help lifecycle.status "],
  ["lifecycle.save", "HIVEMIND_ROLE is not set", "first argument"],
  ["lifecycle.save Oosh_Expert", 'Role "Oosh_Expert"', 'Did you mean "oosh-expert"?'],
  ["recover ../../etc/passwd", 'Role "../../etc/passwd"', "lower-case letters and digits"],
  ["lifecycle.save session/agents/tester.context.md", "is not a role name", 'Did you mean "tester"?'],
  ["new con", "device name", "lower-case letters and digits"],
  [`lifecycle.init ${"a".repeat(65)}`, "is not a role name", "at most 64 characters"],
  ["validate Oosh_Expert", 'Role "Oosh_Expert"', 'Did you mean "oosh-expert"?'],
  ["-C /no/such/folder lifecycle.status", "/no/such/folder, which is no folder", "Name the project's folder with -C."],
  ["-C lifecycle.status", "No folder stands behind -C (--root).", "Did you mean -C <dir> lifecycle.status?"],
  ["-C lifecycle status", "No folder stands behind -C (--root).", "Did you mean -C <dir> lifecycle.status?"],
  ["-q -C recover oosh-expert", "No folder stands behind", "Did you mean -C <dir> recover?"],
  ["-C . frobnicate", "Unknown command 'frobnicate'", "Run ./context help "],
];

test("a hook whose line forgets the folder, or misspells an option, stops no compaction and names its words", () => {
  const workspace = makeWorkspace();
  const said = (words: string) =>
    `context: the hook did nothing: the options are not known: ${JSON.stringify(words.split(" "))}\n`;
  for (const [line, stdout] of [
    ["-C pre-compact --guidance", ""],
    ["--root session-start", ""],
    ["pre-compact --guidence", "{}\n"],
    ["session-start --part 1/4 --prnt", ""],
    ["gate now", ""],
  ] as const)
    expect(workspace.context(line)).toEqual({ code: 0, signal: null, stdout, stderr: said(line) });
});

test("an empty word before a command is passed over: a hook's line may hold a variable that is not set", () => {
  const workspace = makeWorkspace();
  expect(workspace.context(["", "pre-compact"])).toMatchObject({ code: 0, stdout: "{}\n" });
  expect(workspace.context(["", "pre-compact", "--bad"])).toMatchObject({ code: 0, stdout: "{}\n" });
  expect(workspace.context([""])).toMatchObject({ code: 2, stderr: expect.stringContaining("Unknown command ''") });
});

describe("a role that is not there", () => {
  const WRITE = "rite it: ./context new";
  const CREATE = "reate it: ./context lifecycle.init";
  test.each([
    ["validate", WRITE],
    ["recover", WRITE],
    ["lifecycle.status", CREATE],
    ["lifecycle.recover", CREATE],
    ["lifecycle.history", CREATE],
    ["lifecycle.graph", CREATE],
  ])("%s names the role that was probably meant, and how this one is made", (command, make) => {
    const workspace = makeWorkspace();
    const alone = workspace.context(`${command} oosh-exprt`);
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining(`${make} oosh-exprt.\n`) });
    expect(alone.stderr).not.toMatch(/Did you mean|Otherwise/);
    expect(alone.stderr).toContain(`The project is ${workspace.root}; -C names another.`);
    workspace.role("oosh-expert");
    const ran = workspace.context(`${command} oosh-exprt`);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "oosh-expert"? Otherwise ') });
    expect(ran.stderr).toContain(`${make} oosh-exprt.\n`);
    expect(ran.stderr).not.toContain("The project is");
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test("lifecycle.save makes nothing for a name that is nearly another's", () => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    const ran = workspace.context("lifecycle.save oosh-exprt");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "oosh-expert"? Otherwise ') });
    expect(ran.stderr).toContain(`${WRITE} oosh-exprt.\n`);
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test.each([
    "recover tester",
    "lifecycle.save tester",
    "lifecycle.pre.compact tester",
    "lifecycle.status tester",
    "validate tester",
    "recover",
  ])("%s in a repository within the project names the project around it, and makes nothing", (command) => {
    const workspace = makeWorkspace();
    workspace.role("tester");
    workspace.write("packages/a/.git/HEAD", "ref: refs/heads/main\n");
    const cwd = workspace.path("packages/a");
    const ran = workspace.context(command, { cwd });
    const [, option = ""] = /add (-C '.*') to the command\.\n/.exec(ran.stderr) ?? [];
    expect(option).toBe(`-C '${workspace.root}'`);
    expect(ran.stderr).not.toContain("rite it:");
    // As it says, and where it was said.
    const again = runProgram("sh", ["-c", `"$0" recover ${option} tester`, workspace.path("context")], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Recovery of tester is complete") });
    expect(workspace.list("packages/a")).toEqual([".git"]);
  });

  test("a worktree that lies elsewhere names the main checkout, and a save there says that hooks may look at that one alone", () => {
    const workspace = makeWorkspace();
    const elsewhere = makeWorkspace();
    git(workspace.root, "init", "--quiet");
    workspace.role("committed");
    git(workspace.root, "add", "session");
    commit(workspace.root, "roles");
    workspace.role("tester");
    const cwd = elsewhere.path("side tree");
    git(workspace.root, "worktree", "add", "--quiet", "-b", "side", cwd);
    const named = (command: string) => /-C '(.*)'/.exec(workspace.context(command, { cwd }).stderr)?.[1];
    for (const command of ["recover tester", "lifecycle.save tester", "lifecycle.status tester"])
      expect(named(command)).toBe(workspace.root);
    expect(workspace.list("session")).toEqual(["agents"]);
    expect(named("lifecycle.save committed")).toBe(workspace.root);
    // Once: by then it is known.
    expect(named("lifecycle.save committed")).toBeUndefined();
  });

  test.each([
    ["lifecycle.status", "No role has a machine yet.\n"],
    ["validate.all", "No context files in session/agents.\n"],
  ])("%s in a repository within the project names the project around it", (command, nothing) => {
    const workspace = makeWorkspace();
    workspace.write("packages/a/.git/HEAD", "ref: refs/heads/main\n");
    const { stdout, stderr } = workspace.context(command, { cwd: workspace.path("packages/a") });
    expect(stdout).toBe(nothing);
    expect(stderr).toBe(`The project that this one belongs to has roles: add -C '${workspace.root}' to the command.\n`);
    expect(workspace.context(command).stderr).toBe(`The project is ${workspace.root}; -C names another.\n`);
  });
});

describe("a command line that is not in order", () => {
  test.each(MISUSES)("%j exits 2, says what is wrong and what to do, as text and as JSON", (line, message, hint) => {
    const workspace = makeWorkspace();
    workspace.role("oosh-expert");
    const text = workspace.context(line);
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toContain(message);
    expect(text.stderr).toContain(hint);

    const json = workspace.context(`${line} --json`);
    expect(json).toMatchObject({ code: 2, stderr: "" });
    const envelope: unknown = JSON.parse(json.stdout);
    expect(envelope).toEqual({
      schema_version: 1,
      ok: false,
      error: {
        code: "usage",
        message: expect.stringContaining(message),
        hint: hint === "" ? null : expect.stringContaining(hint),
      },
    });
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test.each(["validate tester --format json --bad", "trail --format=json a b"])("%j asks for JSON too", (line) => {
    const ran = makeWorkspace().context(line);
    expect(ran).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false, error: { code: "usage" } });
  });

  test("a value that only mentions --json asks for none", () => {
    const ran = makeWorkspace().context(["new", "tester", "--description", "see --json here", "--bad"]);
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Unknown option '--bad'") });
  });

  test("what was typed is told whole where it holds a line break", () => {
    expect(makeWorkspace().context(["validate", "--a\nb"]).stderr).toBe(
      "context: Unknown option '--a\\u{a}b'.\n  Run ./context help validate for what it takes.\n",
    );
  });

  test("a typing error in a hook's options does not hurt the client", () => {
    const workspace = makeWorkspace();
    for (const line of ["pre-compact --bad", "pre-compact extra", "--bad pre-compact", "pre-compact --root"]) {
      const ran = workspace.context(line);
      expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
      expect(ran.stderr.trim().split("\n")).toHaveLength(1);
    }
    // The summariser would be told "{}".
    expect(workspace.context("pre-compact --guidance --bad")).toMatchObject({ code: 0, stdout: "" });
  });
});
