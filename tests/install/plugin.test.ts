import { accessSync, constants, cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../src/cli/version.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { HOOK_SCRIPTS, hookScript } from "../../src/install/hook-scripts.ts";
import { wantedHooks } from "../../src/install/our-hooks.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const json = (path: string): unknown => JSON.parse(read(path));

describe("the plugin", () => {
  test("is offered by the repository's marketplace, under the name that init looks for", () => {
    expect(json(".claude-plugin/marketplace.json")).toMatchObject({
      name: "agent-context",
      owner: { name: expect.any(String) },
      plugins: [{ name: "agent-context", source: "./plugin" }],
    });
    expect(json("plugin/.claude-plugin/plugin.json")).toMatchObject({
      name: "agent-context",
      version: VERSION,
    });
  });

  test("registers what init registers, in quotes: its folder's path may hold blanks", () => {
    const hooks = wantedHooks(
      DEFAULT_CONFIG.delivery.parts,
      (hook) => `CONTEXT_PROGRAM="\${CLAUDE_PLUGIN_ROOT}/bin/context" "\${CLAUDE_PLUGIN_ROOT}/hooks/${hook}.sh"`,
    );
    const expected = Object.fromEntries(
      [...new Set(hooks.map(({ event }) => event))].map((event) => [
        event,
        [
          {
            hooks: hooks
              .filter((hook) => hook.event === event)
              .map(({ command, timeout }) => ({ type: "command", command, timeout })),
          },
        ],
      ]),
    );
    expect(json("plugin/hooks/hooks.json")).toEqual({ description: expect.any(String), hooks: expected });
  });

  test.each(HOOK_SCRIPTS)("has the same %s script as a project", (hook) => {
    const path = join("plugin", "hooks", `${hook}.sh`);
    expect(read(path)).toBe(hookScript(hook));
    expect(() => accessSync(path, constants.X_OK)).not.toThrow();
  });

  test("has its parts where the client looks for them, and each says what it is for", () => {
    expect(readdirSync("plugin/.claude-plugin")).toEqual(["plugin.json"]);
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

  test("is whole by itself: its folder and the bundles answer the client in a project that has nothing installed", () => {
    const folder = makeWorkspace();
    const plugin = folder.path("plugin é");
    cpSync("plugin", plugin, { recursive: true });
    cpSync(join(PROGRAM_ROOT, "dist", "bundle"), join(plugin, "program", "bundle"), { recursive: true });
    const project = makeWorkspace();
    rmSync(project.path("context"));
    project.role("oosh-expert");
    const env = { CLAUDE_PROJECT_DIR: project.root, CLAUDE_PLUGIN_ROOT: plugin, HIVEMIND_ROLE: "oosh-expert" };
    const answers = registered().map(({ event, command }) => {
      const payload = { session_id: "s", hook_event_name: event, trigger: "manual", source: "startup" };
      // The client puts the folder in before the shell sees the line.
      const line = command.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => plugin);
      return runProgram("sh", ["-c", line], { cwd: folder.root, env, input: JSON.stringify(payload) });
    });
    expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual(Array(5).fill([0, ""]));
    expect(answers[0]?.stdout).toContain("oosh-expert");
    const parts = answers.slice(1).filter(({ stdout }) => stdout !== "");
    expect(parts.length).toBeGreaterThan(0);
    for (const { stdout } of parts) expect(JSON.parse(stdout)).toHaveProperty("hookSpecificOutput.additionalContext");

    const status = runProgram(join(plugin, "bin", "context"), ["lifecycle.status"], { cwd: project.root });
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining("oosh-expert") });
  });
});

function registered(): readonly { event: string; command: string }[] {
  const { hooks }: { hooks: Record<string, { hooks: { command: string }[] }[]> } = JSON.parse(
    read("plugin/hooks/hooks.json"),
  );
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map(({ command }) => ({ event, command }))),
  );
}
