import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { shellWord } from "../../src/base/shell-word.ts";
import { contextText } from "../helpers/context-text.ts";
import { LAUNCHER, PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { BARE_ENV, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const SCRIPT = join(PROGRAM_ROOT, "bin", "context.js");

/** A folder that a shell's PATH holds. */
function onPath(workspace: Workspace, name: string, content: string | null, target = SCRIPT): string {
  const file = workspace.path(`programs/${name}`);
  mkdirSync(dirname(file), { recursive: true });
  if (content === null) symlinkSync(target, file);
  else chmodSync(workspace.write(`programs/${name}`, content), 0o755);
  return `${dirname(file)}:${BARE_ENV.PATH}`;
}

interface Place {
  readonly program: string;
  readonly path: string | undefined;
  /** How a next action begins. */
  readonly begins: RegExp;
}

const PLACES: readonly [name: string, set: (workspace: Workspace) => Place][] = [
  ["a clone elsewhere, by its path", () => ({ program: LAUNCHER, path: undefined, begins: /^'?\/.*\/context'? / })],
  [
    "a clone whose path holds a blank and a quote",
    (workspace) => {
      mkdirSync(workspace.path("it's a clone"));
      for (const name of ["context", "bin", "dist", "package.json"])
        symlinkSync(join(PROGRAM_ROOT, name), workspace.path(`it's a clone/${name}`));
      // The launcher follows links to the clone that it stands in; a copy does not.
      rmSync(workspace.path("it's a clone/bin"));
      mkdirSync(workspace.path("it's a clone/bin"));
      const program = `#!/usr/bin/env node\nrequire("../dist/bundle/cli-start.cjs").start();\n`;
      chmodSync(workspace.write("it's a clone/bin/context.js", program), 0o755);
      rmSync(workspace.path("it's a clone/context"));
      rmSync(workspace.path("it's a clone/package.json"));
      return {
        program: workspace.path("it's a clone/bin/context.js"),
        path: undefined,
        begins: /^'.*it'\\''s a clone/,
      };
    },
  ],
  [
    "a project with a folder of that name",
    (workspace) => {
      mkdirSync(workspace.path("context"));
      return { program: LAUNCHER, path: undefined, begins: /^'?\/.*\/context'? / };
    },
  ],
  [
    "a project with another program of that name",
    (workspace) => {
      chmodSync(workspace.write("context", "#!/bin/sh\nexit 3\n"), 0o755);
      return { program: LAUNCHER, path: undefined, begins: /^'?\/.*\/context'? / };
    },
  ],
  [
    "another program of that name on the PATH, such as TeX's",
    (workspace) => ({
      program: LAUNCHER,
      path: onPath(workspace, "context", "#!/bin/sh\necho this is TeX >&2\nexit 3\n"),
      begins: /^'?\/.*\/context'? /,
    }),
  ],
  [
    "a global installation",
    (workspace) => ({ program: "context", path: onPath(workspace, "context", null), begins: /^context / }),
  ],
  [
    "a clone's launcher that a folder of the PATH links to",
    (workspace) => ({ program: "context", path: onPath(workspace, "context", null, LAUNCHER), begins: /^context / }),
  ],
  [
    "a package of the project",
    (workspace) => {
      mkdirSync(workspace.path("node_modules/agent-context"), { recursive: true });
      mkdirSync(workspace.path("node_modules/.bin"));
      symlinkSync(SCRIPT, workspace.path("node_modules/.bin/context"));
      return { program: "node_modules/.bin/context", path: undefined, begins: /^node_modules\/\.bin\/context / };
    },
  ],
];

test.each(PLACES)("what is said to do next can be run as it stands: %s", (_, set) => {
  const workspace = makeWorkspace();
  rmSync(workspace.path("context"));
  const { program, path = BARE_ENV.PATH ?? "", begins } = set(workspace);
  const env = { PATH: path, HIVEMIND_ROLE: "tester" };
  const shell = (line: string, input = "") => runProgram("sh", ["-c", line], { cwd: workspace.root, env, input });
  const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const run = (words: string, input = "") => shell(`"$PROGRAM" ${words}`.replace("$PROGRAM", program), input);

  const absent = found(run("lifecycle.save").stderr, /Write it: (.*)\.\n/);
  expect(absent).toMatch(begins);
  const made = shell(absent);
  expect(made).toMatchObject({ code: 0, stderr: "" });

  const save = found(made.stdout, /then run (.*)\n/);
  expect(save).toMatch(begins);
  const saved = shell(save);
  expect(saved.code).toBe(0);

  const payload = JSON.stringify({
    hook_event_name: "SessionStart",
    source: "compact",
    session_id: "s",
    cwd: workspace.root,
  });
  const document = run("session-start --print", payload).stdout.replaceAll("&apos;", "'");
  const told = found(document, /<item>Run (.*): it says/);
  expect(told).toMatch(begins);
  expect(found(saved.stdout, /after it, run (.*)\n/)).toBe(told);
  const recovered = shell(told);
  expect(recovered.code).toBe(0);
  expect(recovered.stdout).toContain("Recovery of tester is complete");

  workspace.write("session/stateMachines/tester.states.env", "STATE_CURRENT=nowhere\n");
  const broken = found(run("lifecycle.graph").stderr, /Nothing was changed\. (.*) sets the file aside/);
  expect(broken).toMatch(begins);
  expect(shell(broken).code).toBe(0);
});

test("a hook whose line names its program, since another one lies in the project, names that one", () => {
  const workspace = makeWorkspace();
  workspace.role("tester");
  rmSync(workspace.path("context"));
  chmodSync(workspace.write("context", "#!/bin/sh\nexit 3\n"), 0o755);
  const payload = JSON.stringify({
    hook_event_name: "SessionStart",
    source: "compact",
    session_id: "s",
    cwd: workspace.root,
  });
  const env = { HIVEMIND_ROLE: "tester", CONTEXT_PROGRAM: LAUNCHER };
  const { stdout } = runProgram(LAUNCHER, ["session-start", "--print"], { cwd: workspace.root, env, input: payload });
  expect(stdout.replaceAll("&apos;", "'")).toContain(`Run ${shellWord(LAUNCHER)} recover tester`);
});

const GOOD = contextText({ role: "tester" });

test.each([
  ["lifecycle.save tester", "lifecycle.save tester"],
  ["lifecycle.pre.compact tester", "lifecycle.save tester"],
  ["validate tester", "validate tester"],
  ["validate session/agents/tester.context.md", "validate session/agents/tester.context.md"],
  ["validate --strict tester", "validate tester --strict"],
  ["validate.all", "validate.all"],
])("%s says one thing to do about a file that is not valid, and doing it as it stands gets on", (words, again) => {
  const workspace = makeWorkspace();
  const hint = () => {
    const { code, stderr } = workspace.context(words);
    expect(code).toBe(1);
    return stderr.split("\n").at(-2)?.trim() ?? "";
  };
  const shell = (line: string) => runProgram("sh", ["-c", line], { cwd: workspace.root });

  workspace.role("tester", GOOD.replace(" — Session Context", " - Session Context"));
  const [, fix = "", then = ""] = /^Run (.*), then (.*)\.$/.exec(hint()) ?? [];
  expect(then).toBe(`./context ${again}`);
  expect(shell(fix).code).toBe(0);
  expect(shell(then).code).toBe(0);

  workspace.role("tester", GOOD.replace(/\*\*Updated\*\*.*/, "**Updated**: some day"));
  expect(hint()).toBe(`Mend what is listed above, then run ./context ${again}.`);

  workspace.role("tester", "");
  const anew = /^Run (.*), fill the file in, then run (.*)\.$/.exec(hint());
  expect(anew === null).toBe(/all|\.md/.test(words));
  if (anew === null) return;
  const [, make = "", check = ""] = anew;
  expect(shell(make).code).toBe(0);
  expect(shell(check).code).toBe(0);
});

/** Where an agent's shell can stand, and with which options it names the project from there. */
const STANDS: readonly [name: string, folder: string, options: string][] = [
  ["a folder below", "src/deep é", ""],
  ["a repository within the project, which is named", "packages/a", "-C ../.. "],
  ["a folder beside it, which is named by its path", "../", "-C ROOT "],
];

test.each(STANDS)("what is said to do next can be run where it was said: %s", (_, folder, options) => {
  const workspace = makeWorkspace();
  workspace.write("packages/a/.git/HEAD", "ref: refs/heads/main\n");
  mkdirSync(workspace.path("src/deep é"), { recursive: true });
  const cwd = workspace.path(folder);
  const shell = (line: string, input = "") =>
    runProgram("sh", ["-c", line], { cwd, input, env: { HIVEMIND_ROLE: "tester" } });
  const named = options.replace("ROOT", shellWord(workspace.root));
  const run = (words: string, input = "") => shell(`${shellWord(workspace.path("context"))} ${named}${words}`, input);
  const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";

  const made = shell(found(run("lifecycle.save").stderr, /Write it: (.*)\.\n/));
  expect(made).toMatchObject({ code: 0, stderr: "" });
  // What is to be filled in is found from there too: a file of that way below the folder would make it a project of its own.
  for (const written of [
    found(made.stdout, /^(.*) is written\.\n/),
    found(run("report").stdout, /^(.*): 1 role/),
    found(run(`lifecycle.export --out ${shellWord(workspace.path("all.json"))}`).stdout, /^(.*): 0 machines/),
  ])
    expect(existsSync(resolve(cwd, written))).toBe(true);
  const saved = shell(found(made.stdout, /then run (.*)\n/));
  expect(saved.code).toBe(0);
  expect(shell(found(saved.stdout, /after it, run (.*)\n/))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Recovery of tester is complete"),
  });
  expect(workspace.list("session/agents")).toEqual(["tester.context.md"]);
  // A client's agent does not leave the project; its hooks run anywhere.
  if (folder === "../") return;
  const payload = (event: object) => JSON.stringify({ ...event, session_id: "s", cwd });
  const start = payload({ hook_event_name: "SessionStart", source: "compact" });
  const document = run("session-start --print", start).stdout.replaceAll("&apos;", "'");
  expect(shell(found(document, /<item>Run (.*): it says/)).code).toBe(0);
  const guidance = run("pre-compact --guidance", payload({ hook_event_name: "PreCompact", trigger: "auto" })).stdout;
  expect(shell(found(guidance, /first action is to run: (.*)\n/)).code).toBe(0);
  expect(workspace.state("tester")).toMatchObject({ CURRENT: "active", COMPACTIONS: "1" });
});

test("a file is named in what is to be done as it was named, from the folder where that is run too", () => {
  const workspace = makeWorkspace();
  workspace.role("tester", GOOD.replace(" — Session Context", " - Session Context"));
  const cwd = workspace.path("session/agents");
  const { stderr } = workspace.context("validate tester.context.md", { cwd });
  const [, fix = "", then = ""] = /Run (.*), then (.*)\.\n/.exec(stderr) ?? [];
  for (const line of [fix, then]) expect(runProgram("sh", ["-c", line], { cwd }).code).toBe(0);
});

test("what came on standard input is not there to be checked again: nothing is said to do next", () => {
  const { code, stderr } = makeWorkspace().context("validate -", { input: "" });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "context: 1 file of 1 is not valid.\n" });
});

test("a name that is no role's is said to come from the environment, where no argument holds it", () => {
  const workspace = makeWorkspace();
  const env = { HIVEMIND_ROLE: "The Tester" };
  const said = (words: string) => workspace.context(words, { env }).stderr.split("\n")[0];
  expect(said("lifecycle.save")).toBe('context: Role "The Tester" is not a role name. It comes from HIVEMIND_ROLE.');
  expect(workspace.context(["lifecycle.save", "A B"], { env }).stderr).not.toContain("HIVEMIND_ROLE");
});

test("an agent that no longer knows its role is told which there are", () => {
  const workspace = makeWorkspace();
  const said = () => workspace.context("recover").stderr;
  expect(said()).toContain(
    `is not set.\n  Name the role: it is the first argument. The project is ${workspace.root}; -C names another.\n`,
  );
  for (let n = 10; n < 52; n++) workspace.role(`role-${n}`);
  expect(said()).toMatch(/first argument\. Roles that exist: role-10, .*, role-49 and 2 more\.\n/);
});

test("what frees a stuck role can be run as it stands", () => {
  const workspace = makeWorkspace();
  workspace.role("tester");
  workspace.context("lifecycle.save tester");
  workspace.setState("tester", { CURRENT: "compacting", SINCE: "2026-02-03T12:15:00.000Z" });
  const [, free = ""] =
    /\. (\S+ lifecycle\.recover tester) frees it/.exec(workspace.context("lifecycle.status").stderr) ?? [];
  expect(runProgram("sh", ["-c", free], { cwd: workspace.root }).code).toBe(0);
  expect(workspace.state("tester")).toMatchObject({ CURRENT: "active" });
});
