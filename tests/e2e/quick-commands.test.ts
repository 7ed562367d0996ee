import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { haveMachines } from "../helpers/have-machines.ts";
import { PROGRAM_ROOT } from "../helpers/program-under-test.ts";
import { runProgram } from "../helpers/run-program.ts";
import { machineFile, makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const BUNDLE = join(PROGRAM_ROOT, "dist", "bundle");

/** Runs the program as `bin/context.js` does, and with a command line that the whole table of commands reads; each in a project like the other. */
function inBothWays(words: readonly string[], env: Readonly<Record<string, string>>, input: string) {
  const workspace = makeWorkspace();
  workspace.role("oosh-expert");
  workspace.role("bad-role", "# Nothing\n");
  workspace.role("no-machine");
  haveMachines(workspace, "two that have begun", () => {
    for (const role of ["oosh-expert", "bad-role"]) workspace.context(["lifecycle.init", role]);
  });
  writeFileSync(
    workspace.path("run.cjs"),
    `require(${JSON.stringify(join(BUNDLE, "cli-start.cjs"))}).start(...(process.env.WHOLE ? [new Map()] : []));\n`,
  );
  cpSync(workspace.path("session"), workspace.path("before"), { recursive: true });
  const run = (more: Readonly<Record<string, string>>) => {
    const options = { cwd: workspace.root, env: { ...env, ...more }, input };
    const ran = runProgram(process.execPath, [workspace.path("run.cjs"), ...words], options);
    return { ...ran, stdout: timeless(ran.stdout), stderr: timeless(ran.stderr), state: states(workspace) };
  };
  const quick = run({});
  rmSync(workspace.path("session"), { recursive: true });
  cpSync(workspace.path("before"), workspace.path("session"), { recursive: true });
  return { quick, whole: run({ WHOLE: "1" }) };
}

function timeless(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then");
}

function states(workspace: Workspace): readonly string[] {
  return ["oosh-expert", "bad-role"].map((role) => timeless(workspace.read(machineFile(role))));
}

const PAYLOAD = JSON.stringify({ session_id: "s-1", source: "startup", trigger: "manual" });

describe("a command that is run all day says and does what it does by the whole command line", () => {
  test.each<[string, Record<string, string>?, string?]>([
    ["lifecycle.status"],
    ["lifecycle.status -q"],
    ["lifecycle.status --json --brief -q"],
    ["lifecycle.status oosh-expert --unsaved --json"],
    ["lifecycle.status --filter state=sav"],
    ["lifecycle.status --filter state=saved", { COLUMNS: "20", NO_COLOR: "1" }],
    ["lifecycle.status --filter --json"],
    ["lifecycle.status --reconnect 5s"],
    ["lifecycle.status --bri"],
    ["lifecycle.status --json=1"],
    ["lifecycle.status one two"],
    ["lifecycle.status -- oosh-expert"],
    ["lifecycle.status -C /nowhere"],
    ["lifecycle.status", { CONTEXT_ROOT: "/nowhere" }],
    ["lifecycle.status --help"],
    ["--json lifecycle.status"],
    ["lifecycle.save oosh-expert --json"],
    ["lifecycle.save bad-role -q"],
    ["lifecycle.save Bad_Role"],
    ["lifecycle.save", { HIVEMIND_ROLE: "oosh-expert" }],
    ["lifecycle.save oosh-expert --take-over -v"],
    ["lifecycle.pre.compact bad-role"],
    ["lifecycle.recover none-there"],
    ["recover oosh-expert"],
    ["recover oosh-expert --check --json"],
    ["recover oosh-expert --transcript"],
    ["pre-compact", {}, PAYLOAD],
    ["pre-compact --guidance", {}, PAYLOAD],
    ["pre-compact --require-saved", { HIVEMIND_ROLE: "bad-role" }, PAYLOAD],
    ["pre-compact --unknown", {}, PAYLOAD],
    ["pre-compact", { CONTEXT_DISABLED: "1" }, PAYLOAD],
    ["pre-compact", { CONTEXT_PROBE: "1" }, PAYLOAD],
    ["session-start --part 1/2", {}, PAYLOAD],
    ["session-start --part 3/2", {}, PAYLOAD],
    ["session-start --print", { HIVEMIND_ROLE: "oosh-expert" }, PAYLOAD],
    ["session-start", {}, "no JSON"],
    ["gate", {}, PAYLOAD],
    ["gate --skip"],
    ["gate more", {}, PAYLOAD],
  ])("%s %j", (line, env = {}, input = "") => {
    const { quick, whole } = inBothWays(line.split(" "), env, input);
    expect(quick).toEqual(whole);
    expect(quick.code).not.toBe(70);
  });
});

describe("a command that waits for what never comes", () => {
  const ranOut = (words: readonly string[]) => {
    const workspace = makeWorkspace();
    cpSync(BUNDLE, workspace.path("bundle"), { recursive: true });
    workspace.write("bundle/never.cjs", "exports.run = () => new Promise(() => {});\n");
    const [name = ""] = words;
    const start = `require("./bundle/cli-start.cjs").start(new Map([[${JSON.stringify(name)}, "never.cjs"]]));\n`;
    workspace.write("run.cjs", start);
    return runProgram(process.execPath, [workspace.path("run.cjs"), ...words], { cwd: workspace.root, input: "" });
  };

  test("is a fault of ours, and no success", () => {
    const ran = ranOut(["lifecycle.status"]);
    expect(ran).toMatchObject({ code: 70, stdout: "" });
    expect(ran.stderr).toContain("A fault of this program: lifecycle.status ended before it was done\n");
    const json: unknown = JSON.parse(ranOut(["lifecycle.status", "--json"]).stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "fault" } });
  });

  test("gives its client the empty answer where it is a hook", () => {
    expect(ranOut(["pre-compact"])).toMatchObject({
      code: 0,
      stdout: "{}\n",
      stderr: "context: the hook did nothing: pre-compact ended before it was done\n",
    });
  });
});
