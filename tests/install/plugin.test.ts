import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { VERSION } from "../../src/cli/version.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { wantedHooks } from "../../src/install/our-hooks.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const json = (path: string): unknown => JSON.parse(read(path));

interface Hook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

function registered(): readonly Hook[] {
  const { hooks }: { hooks: Record<string, { hooks: Omit<Hook, "event">[] }[]> } = JSON.parse(
    read("plugin/hooks/hooks.json"),
  );
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map(({ command, timeout }) => ({ event, command, timeout }))),
  );
}

/** A copy of the plugin's folder where the client would have put it, without what only a checkout has. */
function installed(): string {
  const plugin = makeWorkspace().path("plugins é/agent-context");
  cpSync("plugin", plugin, { recursive: true, filter: (path) => !path.endsWith("code-cache") });
  return plugin;
}

/** A project in which nothing of the program is installed. */
function makeProject(): Workspace {
  const project = makeWorkspace();
  rmSync(project.path("context"));
  return project;
}

/** As the client does it: it puts the plugin's folder in before the shell sees the line. */
function fire(
  plugin: string,
  root: string,
  { event, command }: Hook,
  more: { readonly env?: Readonly<Record<string, string>>; readonly as?: number; readonly source?: string } = {},
): Ran {
  const { source = "startup" } = more;
  const payload = { session_id: "s", cwd: root, hook_event_name: event, trigger: "manual", source };
  return runProgram("sh", ["-c", command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => plugin)], {
    cwd: tmpdir(),
    env: { CLAUDE_PROJECT_DIR: root, CLAUDE_PLUGIN_ROOT: plugin, ...more.env },
    input: JSON.stringify(payload),
    as: more.as,
  });
}

describe("the plugin", () => {
  test("is offered by the repository's marketplace, under the name that init looks for", () => {
    expect(json(".claude-plugin/marketplace.json")).toMatchObject({
      name: "agent-context",
      owner: { name: expect.any(String) },
      plugins: [{ name: "agent-context", source: "./plugin" }],
    });
    expect(json("plugin/.claude-plugin/plugin.json")).toMatchObject({ name: "agent-context", version: VERSION });
  });

  test("registers what init registers, with its folder in quotes and a limit for each", () => {
    const wanted = wantedHooks(DEFAULT_CONFIG.delivery.parts, (hook) => hook);
    const hooks = registered();
    expect(hooks.map(({ event, timeout }) => [event, timeout])).toEqual(
      wanted.map(({ event, timeout }) => [event, timeout]),
    );
    for (const [index, { command }] of hooks.entries()) {
      expect(command).toBe(`sh "\${CLAUDE_PLUGIN_ROOT}/hooks/run.sh" ${wanted[index]?.command}`);
    }
  });

  test("has its parts where the client looks for them, and each says what it is for", () => {
    const pages = [
      "plugin/skills/agent-context/SKILL.md",
      ...["recover", "save", "status"].map((name) => `plugin/commands/${name}.md`),
    ];
    for (const page of pages) {
      expect(read(page)).toMatch(/^---\n(?:[a-z-]+: .+\n)*description: .+\n(?:[a-z-]+: .+\n)*---\n/);
      // Every program that a page names is there, and named in quotes.
      const named = [...read(page).matchAll(/.\$\{CLAUDE_PLUGIN_ROOT\}\/([\w./-]+)/g)];
      expect(named.length).toBeGreaterThan(0);
      for (const [text, path = ""] of named) {
        expect(text).toMatch(/^["(]/);
        expect(existsSync(join("plugin", path))).toBe(true);
      }
    }
  });

  test("holds the program that the source makes; `npm run generate` brings it up to date", () => {
    const folder = mkdtempSync(join(tmpdir(), "context-plugin-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // It is no command of ours: on a busy machine it takes longer than any of those may.
    execFileSync(process.execPath, ["scripts/build-plugin.mjs", folder]);
    const names = readdirSync(folder).sort();
    expect(
      readdirSync("plugin/program")
        .filter((name) => name !== "code-cache")
        .sort(),
    ).toEqual(names);
    // Compared, not shown: they are two long lines.
    for (const name of names)
      expect([name, read(join("plugin/program", name)) === read(join(folder, name))]).toEqual([name, true]);
    expect(names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(1_300_000);
  });

  test("is whole by itself: it answers the client in a project that has nothing installed", () => {
    const plugin = installed();
    const project = makeProject();
    project.role("oosh-expert");
    const env = { HIVEMIND_ROLE: "oosh-expert" };
    const [saved, ...starts] = registered().map((hook) => fire(plugin, project.root, hook, { env }));
    expect(saved).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("oosh-expert") });
    for (const start of starts) expect(start).toMatchObject({ code: 0, stderr: "" });
    const documents = starts.map(({ stdout }) => stdout).filter((text) => text !== "");
    expect(documents.length).toBeGreaterThan(0);
    for (const text of documents) {
      expect(JSON.parse(text)).toHaveProperty("hookSpecificOutput.additionalContext");
    }
    // What it tells the agent to run is there to be run, as it stands.
    const told = /"[^"\n]+bin\/context\\?" recover oosh-expert/.exec(saved?.stdout ?? "")?.[0] ?? "";
    const recovered = runProgram("sh", ["-c", told], { cwd: project.root });
    expect(recovered).toMatchObject({ code: 0, stdout: expect.stringContaining("1. ") });
  });

  test.each([
    ["lifecycle.status", 0, "oosh-expert"],
    ["lifecycle.save oosh-expert", 0, "saved"],
    ["validate oosh-expert --json", 0, '"ok": true'],
    ["new other-role", 0, "is written"],
    ["schema", 0, "# "],
    ["projects", 0, ""],
    ["resume.validate 24-demo", 1, ""],
    ["help recover", 0, "Usage: context recover"],
    ["init", 2, ""],
  ])("runs %s", (words, code, text) => {
    const project = makeProject();
    project.role("oosh-expert");
    const launcher = join(installed(), "bin", "context");
    if (words === "lifecycle.status") runProgram(launcher, ["lifecycle.init", "oosh-expert"], { cwd: project.root });
    const ran = runProgram(launcher, words.split(" "), { cwd: project.root });
    expect(ran).toMatchObject({ code, stdout: expect.stringContaining(text) });
    expect(ran.stderr).not.toContain("fault");
    if (words === "init") expect(ran.stderr).toContain("init is not part of the plugin");
  });

  test("does nothing in a project that is not for it, and leaves no file behind", () => {
    const plugin = installed();
    const project = makeProject();
    rmSync(project.path("session"), { recursive: true });
    project.write("src/main.ts", "");
    for (const hook of registered()) {
      for (const source of ["startup", "compact"]) {
        expect(fire(plugin, project.root, hook, { source })).toMatchObject({ code: 0, stdout: "", stderr: "" });
      }
    }
    expect(project.list("")).toEqual(["src"]);
    expect(existsSync(join(plugin, "program", "code-cache"))).toBe(false);
    for (const mark of ["session/agents", "02-projects", "00-system", "03-skills"]) {
      const marked = makeProject();
      rmSync(marked.path("session"), { recursive: true });
      marked.write(`${mark}/x`, "");
      const first = registered()[1];
      expect(first === undefined ? "" : fire(plugin, marked.root, first).stdout).toContain("nexus-context");
    }
  });

  test("keeps compiled code in its folder where it may, and does without where it may not", () => {
    const [, start] = registered();
    if (start === undefined) throw new Error("a start is registered");
    const project = makeProject();
    chmodSync(project.path("session"), 0o777);
    const own = installed();
    expect(fire(own, project.root, start)).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(own, "program", "code-cache")).length).toBeGreaterThan(0);

    const theirs = installed();
    if (process.getuid?.() === 0) {
      const ran = fire(theirs, project.root, start, { as: 65534 });
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("nexus-context") });
      expect(ran.stderr).not.toContain("code-cache");
      expect(existsSync(join(theirs, "program", "code-cache"))).toBe(false);
    }
  });

  test("says so and hurts nobody where there is no Node", () => {
    const project = makeProject();
    const folder = makeWorkspace();
    const PATH = folder.path("bin");
    for (const name of ["sh", "dirname", "cat"]) {
      const place = runProgram("sh", ["-c", `command -v ${name}`], { cwd: "/" }).stdout.trim();
      chmodSync(folder.write(`bin/${name}`, `#!/bin/sh\nexec ${place} "$@"\n`), 0o755);
    }
    for (const hook of registered()) {
      const ran = runProgram("/bin/sh", ["-c", hook.command.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/, installed)], {
        cwd: "/",
        env: { PATH, CLAUDE_PROJECT_DIR: project.root, CONTEXT_NODE: folder.path("no/node") },
        input: "{}",
      });
      expect(ran).toMatchObject({ code: 0, stdout: "" });
      expect(ran.stderr).toContain("node is not on the PATH");
    }
  });
});
