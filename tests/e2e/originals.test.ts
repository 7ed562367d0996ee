import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { contextText } from "../helpers/context-text.ts";
import { runProgram } from "../helpers/run-program.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

/** Env files as the OOSH shell framework writes them. */
const OOSH = fileURLToPath(new URL("../fixtures/oosh/stateMachines/", import.meta.url));

/** A project beside a folder of the original tool's, which `CONFIG_PATH` names. */
function adopted(): { workspace: Workspace; env: Readonly<Record<string, string>>; config: Workspace } {
  const workspace = makeWorkspace();
  const config = makeWorkspace();
  for (const name of readdirSync(OOSH)) config.write(`stateMachines/${name}`, readFileSync(`${OOSH}${name}`));
  for (const role of ["oosh-expert", "oosh-tester", "scrum-master"]) workspace.role(role);
  return { workspace, config, env: { CONFIG_PATH: config.root } };
}

/** What the original tool sees: the number, and its name in the array. */
function seenByBash(config: Workspace, machine: string): string {
  const line = `. "$1"; printf '%s %s %s' "$${machine}_STATE_ID" "\${${machine}_STATES[$${machine}_STATE_ID]}" "\${#${machine}_STATES[@]}"`;
  const ran = runProgram("bash", ["-c", line, "bash", config.path(`stateMachines/${machine}.states.env`)], {
    cwd: config.root,
  });
  expect(ran.stderr).toBe("");
  return ran.stdout;
}

describe("env files of the original tool", () => {
  test("are read where CONFIG_PATH says, and nothing is made in the project", () => {
    const { workspace, env } = adopted();
    const value: unknown = JSON.parse(workspace.context("lifecycle.status --json", { env }).stdout);
    expect(value).toMatchObject({
      ok: true,
      roles: [
        { role: "oosh-expert", state: "active", since: null, context: { health: "valid" } },
        { role: "oosh-tester", state: "saved" },
        { role: "scrum-master", state: "saving" },
      ],
    });
    expect(workspace.list("session")).toEqual(["agents"]);
    expect(workspace.context("lifecycle.status")).toMatchObject({ code: 0, stdout: "No role has a machine yet.\n" });
  });

  test.each([
    ["lifecycle.save oosh-expert", "oosh_expert", "13 saved"],
    ["lifecycle.recover oosh-tester", "oosh_tester", "11 active"],
    ["lifecycle.save scrum-master", "scrum_master", "13 saved"],
    ["recover scrum-master", "scrum_master", "11 active"],
  ])("keep their form after %s: the original tool reads the new state", (words, machine, seen) => {
    const { workspace, env, config } = adopted();
    const name = `stateMachines/${machine}.states.env`;
    const before = config.read(name);
    expect(workspace.context(words, { env })).toMatchObject({ code: 0 });
    expect(seenByBash(config, machine)).toBe(`${seen} 15`);
    const after = config.read(name);
    const array = before.slice(0, before.indexOf(`${machine}_STATE_ID`));
    expect(after.startsWith(array)).toBe(true);
    expect(after).toContain(`${machine}_CUSTOM_SCRIPT=\n`);
    // A second step keeps it too.
    expect(workspace.context(`lifecycle.recover ${machine.replaceAll("_", "-")}`, { env })).toMatchObject({ code: 0 });
    expect(seenByBash(config, machine)).toBe("11 active 15");
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test("go through a compaction by the hook", () => {
    const { workspace, env, config } = adopted();
    const ran = workspace.context("pre-compact", { env: { ...env, HIVEMIND_ROLE: "oosh-expert" }, input: "{}" });
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    expect(seenByBash(config, "oosh_expert")).toBe("14 compacting 15");
  });

  test("that the original tool changed after us and that now say two things are not guessed at", () => {
    const { workspace, env, config } = adopted();
    workspace.context("lifecycle.save oosh-expert", { env });
    const name = "stateMachines/oosh_expert.states.env";
    config.write(name, config.read(name).replace("oosh_expert_STATE_ID=13", "oosh_expert_STATE_ID=11"));
    const ran = workspace.context("lifecycle.save oosh-expert", { env });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("says oosh_expert_STATE_ID=11 (active) and STATE_CURRENT=saved");
    expect(workspace.context("lifecycle.recover oosh-expert", { env })).toMatchObject({ code: 0 });
  });

  test("that stand in none of our states are named with the states there are", () => {
    const { workspace, env, config } = adopted();
    const name = "stateMachines/oosh_expert.states.env";
    config.write(name, config.read(name).replace("STATE_ID=11", "STATE_ID=4"));
    const ran = workspace.context("lifecycle.save oosh-expert", { env });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("oosh_expert_STATE_ID=4 (started), expected one of active, saving");
  });
});

test("a file of the original tool's own team is mended by --fix as far as a rule can", () => {
  const workspace = makeWorkspace();
  const text = contextText({ title: "# OOSH Expert Agent - Session Context" })
    .replace("## Completed Work", "## Completed This Session")
    .replace("**Updated**:", "**Machine**: m3\n**Updated**:");
  workspace.role("oosh-expert", text);
  expect(workspace.context("validate oosh-expert")).toMatchObject({ code: 1 });
  expect(workspace.context("validate --fix oosh-expert")).toMatchObject({ code: 0 });
});
