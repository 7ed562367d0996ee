import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { inTime } from "../helpers/in-time.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { freePort } from "../helpers/redis-server.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const ROLE = "oosh-expert";
const PAYLOAD = JSON.stringify({ session_id: "b9ff7b48-ef86", hook_event_name: "PreCompact", trigger: "auto" });
const NEEDS =
  /^context: redis:\/\/127\.0\.0\.1:\d+ needs the package ioredis, which is not installed\.\n {2}Install it beside this program: npm install ioredis@6,/;
/** With the package: the server is asked, and is not there. */
const ASKED = "refuses the connection (ECONNREFUSED)";

interface Installed {
  readonly project: Workspace;
  readonly home: Workspace;
  readonly run: (words: string, env?: Readonly<Record<string, string>>) => Ran;
}

/** The package's program below a folder's `node_modules`, and a project elsewhere; nothing listens at the store's port. */
async function installed(): Promise<Installed> {
  const home = makeWorkspace();
  for (const name of ["bin", "dist/bundle"]) {
    cpSync(join(PROGRAM_ROOT, name), home.path(`node_modules/agent-context/${name}`), { recursive: true });
  }
  return started(home, "node_modules/agent-context/bin/context.js");
}

/** The plugin where the client copies it to. */
async function installedPlugin(): Promise<Installed> {
  const home = makeWorkspace();
  const folder = ".claude/plugins/cache/agent-context/agent-context/0.1.0";
  cpSync(join(PROGRAM_ROOT, "plugin/program"), home.path(`${folder}/program`), { recursive: true });
  return started(home, `${folder}/program/context.cjs`);
}

async function started(home: Workspace, program: string): Promise<Installed> {
  const project = makeWorkspace();
  project.role(ROLE);
  const store = { CONTEXT_STORE: `redis://127.0.0.1:${await freePort()}`, CONTEXT_STORE_PREFIX: "client" };
  const run = (words: string, env: Readonly<Record<string, string>> = {}): Ran =>
    runProgram(process.execPath, [home.path(program), ...words.split(" ")], {
      cwd: project.root,
      env: { HOME: home.root, HIVEMIND_ROLE: ROLE, ...store, ...env },
      input: PAYLOAD,
    });
  return { project, home, run };
}

function link(home: Workspace, folder: string): void {
  const path = home.path(`${folder}/ioredis`);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(PROGRAM_ROOT, "node_modules/ioredis"), path);
}

/** A package of that name which leaves a file where it is loaded. */
function plant(workspace: Workspace, folder: string): () => boolean {
  workspace.write(`${folder}/ioredis/package.json`, '{ "name": "ioredis", "version": "6.0.0", "main": "index.js" }');
  const mark = workspace.path("loaded");
  const text = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""); throw new Error("planted");`;
  writeFileSync(workspace.path(`${folder}/ioredis/index.js`), text);
  return () => workspace.exists("loaded");
}

describe("the client of the store", () => {
  test("that is not installed is named, with the way to it; a hook goes on, and doctor says why", async () => {
    const { run } = await installed();
    expect(run("lifecycle.status")).toMatchObject({ code: 4, stdout: "", stderr: expect.stringMatching(NEEDS) });
    const json = JSON.parse(run("lifecycle.status --json").stdout);
    expect(json.error).toMatchObject({ code: "store-library-missing" });
    const hook = run("pre-compact");
    expect(hook).toMatchObject({ code: 0, stderr: expect.stringMatching(/needs the package ioredis[^\n]* is noted/) });
    expect(JSON.parse(hook.stdout)).toEqual({});
    const { findings } = JSON.parse(run("doctor --json").stdout);
    const found = findings.filter(({ code }: { code: string }) => code.startsWith("store-"));
    expect(found.map(({ code }: { code: string }) => code)).toEqual(["store-library-missing", "store-notes-wait"]);
    expect(found[0]).toMatchObject({
      message: expect.stringContaining("needs the package ioredis"),
      hint: expect.stringContaining("npm install ioredis@6"),
    });
  });

  test("is taken from beside the program", async () => {
    const { home, run } = await installed();
    link(home, "node_modules");
    expect(run("lifecycle.status")).toMatchObject({ code: 4, stderr: expect.stringContaining(ASKED) });
    const { findings } = JSON.parse(run("doctor --json").stdout);
    expect(findings.map(({ code }: { code: string }) => code)).toContain("store-unreachable");
  });

  test("whose own parts are missing is told from one that is not there", async () => {
    const { home, run } = await installed();
    home.write("node_modules/ioredis/package.json", '{ "name": "ioredis", "main": "index.js" }');
    home.write("node_modules/ioredis/index.js", 'require("denque");');
    expect(run("lifecycle.status").stderr).toContain(
      "needs the package ioredis, which is not whole: Cannot find module 'denque'.",
    );
  });

  test("is found by the plugin above its folder, and where NODE_PATH says", async () => {
    const { home, run } = await installedPlugin();
    expect(run("lifecycle.status")).toMatchObject({ code: 4, stderr: expect.stringMatching(NEEDS) });
    expect(run("pre-compact").code).toBe(0);
    link(home, "elsewhere");
    expect(run("lifecycle.status", { NODE_PATH: home.path("elsewhere") }).stderr).toContain(ASKED);
    link(home, ".claude/node_modules");
    expect(run("lifecycle.status").stderr).toContain(ASKED);
    expect(inTime(() => run("pre-compact")).stderr).toContain(ASKED);
  });

  test("that lies in the project is not run by a program that lies elsewhere", async () => {
    for (const { project, home, run } of [await installed(), await installedPlugin()]) {
      const isLoaded = plant(project, "node_modules");
      for (const words of ["lifecycle.status", "pre-compact", "session-start", "doctor"]) run(words);
      expect(isLoaded()).toBe(false);
      // Where the program looks, the planted package is run: the check can fail.
      const isRun = plant(home, "node_modules");
      run("lifecycle.status");
      expect(isRun()).toBe(true);
    }
  });

  test("is loaded for no machine that is kept in a file", async () => {
    const { home, run } = await installed();
    const isLoaded = plant(home, "node_modules");
    for (const words of ["lifecycle.status", `lifecycle.save ${ROLE}`, "pre-compact", "session-start", "doctor"]) {
      run(words, { CONTEXT_STORE: "" });
    }
    run("skills");
    expect(isLoaded()).toBe(false);
    run("lifecycle.status");
    expect(isLoaded()).toBe(true);
  });
});
