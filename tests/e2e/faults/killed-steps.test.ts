import { readdirSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { preCompactPayload } from "../../helpers/acme-project.ts";
import { contextText } from "../../helpers/context-text.ts";
import { LAUNCHER } from "../../helpers/program-under-test.ts";
import { type Ran, runProgram } from "../../helpers/run-program.ts";
import { startPayload } from "../../helpers/session-start.ts";
import { MACHINES, machineFile, makeWorkspace, type Workspace } from "../../helpers/workspace.ts";
import { parseLines, replay } from "../../storm/model.ts";
import { buildShim, type FaultCall, type FaultName, faultEnv } from "./fault.ts";

const shim = buildShim();
afterAll(() => shim?.remove());

const ROLE = "tester";

function run(
  workspace: Workspace,
  words: readonly string[],
  input: string,
  env: Readonly<Record<string, string>>,
): Ran {
  const role = { HIVEMIND_ROLE: ROLE, CONTEXT_STDIN_IDLE_MS: "2000" };
  return runProgram(LAUNCHER, words, { cwd: workspace.root, input, env: { ...role, ...env } });
}

const fault = (workspace: Workspace, call: FaultCall, name: FaultName, at: number) =>
  faultEnv(shim?.path ?? "", workspace.root, { call, name, at });

function project(prepare: (workspace: Workspace) => void): Workspace {
  const workspace = makeWorkspace();
  workspace.role(ROLE, contextText({ role: ROLE }));
  prepare(workspace);
  return workspace;
}

/** Without the lock of a process that has ended, and that could not even look at it: the next one takes it over. */
function namesOf(workspace: Workspace): readonly string[] {
  return workspace.list(MACHINES).filter((name) => !name.endsWith(".lock"));
}

/** The history is one that a machine can have, and leads to the state. */
function expectToAgree(workspace: Workspace, what: string): void {
  const { lines, broken } = parseLines(workspace.read(`${MACHINES}/${ROLE}.history.jsonl`));
  const { end, wrong } = replay(lines);
  expect({ what, broken, wrong }).toEqual({ what, broken: 0, wrong: [] });
  const { CURRENT, REVISION } = workspace.state(ROLE);
  expect({ what, state: CURRENT, revision: REVISION }).toEqual({
    what,
    state: end.state,
    revision: String(end.revision),
  });
}

/** What makes a machine where there is none, or none that can be read. */
const FIRST_STEPS: readonly (readonly [string, (workspace: Workspace) => { words: string[]; input: string }])[] = [
  ["lifecycle.save", () => ({ words: ["lifecycle.save", ROLE], input: "" })],
  ["lifecycle.pre.compact", () => ({ words: ["lifecycle.pre.compact", ROLE], input: "" })],
  ["pre-compact", (workspace) => ({ words: ["pre-compact"], input: preCompactPayload(workspace, null) })],
  [
    "session-start",
    (workspace) => ({ words: ["session-start"], input: startPayload(workspace, { source: "compact" }) }),
  ],
];

/** More changes than any step makes; the loop ends with the first run that nothing happens to. */
const MOST_CHANGES = 60;
/** A few of the moments; all of them in a long run: FAULT_KILLS=60. */
const EACH = Number(process.env.FAULT_KILLS || 2) > 10 ? 1 : 4;

describe.skipIf(shim === null)("a machine that is being made", () => {
  test.each(FIRST_STEPS)("by %s, killed between any two changes, is made whole by the next save", (name, step) => {
    let at = 1 + (name.length % EACH);
    for (let killed = true; killed && at < MOST_CHANGES; at += EACH) {
      const workspace = project(() => undefined);
      const { words, input } = step(workspace);
      const ran = run(workspace, words, input, fault(workspace, "change", "killed", at));
      killed = ran.signal !== null || ran.code === 137;
      run(workspace, ["lifecycle.recover", ROLE], "", {});
      const saved = run(workspace, ["lifecycle.save", ROLE], "", {});
      expect({ at, code: saved.code, said: saved.stderr.includes("fault of") }).toEqual({ at, code: 0, said: false });
      expectToAgree(workspace, `killed at change ${at}`);
    }
    expect(at).toBeGreaterThan(5);
    expect(at).toBeLessThan(MOST_CHANGES);
  });

  test("by a recovery from a state that cannot be read, killed between any two changes, is made by the next one", () => {
    let at = 1;
    for (let killed = true; killed && at < MOST_CHANGES; at += EACH) {
      const workspace = project(({ path, write }) => {
        write(machineFile(ROLE), "");
        writeFileSync(path(machineFile(ROLE)), "no machine\n");
      });
      const ran = run(workspace, ["lifecycle.recover", ROLE], "", fault(workspace, "change", "killed", at));
      killed = ran.signal !== null || ran.code === 137;
      const again = run(workspace, ["lifecycle.recover", ROLE], "", {});
      expect({ at, code: again.code }).toEqual({ at, code: 0 });
      expectToAgree(workspace, `killed at change ${at}`);
      const kept = readdirSync(workspace.path(MACHINES)).filter((name) => name.includes(".corrupt-"));
      expect(kept.map((name) => workspace.read(`${MACHINES}/${name}`))).toContain("no machine\n");
    }
    expect(at).toBeGreaterThan(5);
  });
});

describe.skipIf(shim === null)("a step that the system refuses", () => {
  test.each<[FaultCall, FaultName]>([
    ["write", "ENOSPC"],
    ["fsync", "EIO"],
    ["rename", "EIO"],
    ["open", "EMFILE"],
  ])("at any %s (%s) is not done where it says so, and done where it does not", (call, name) => {
    for (const isNew of [true, false]) {
      for (const at of isNew ? [1, 3, 5] : [2]) {
        const workspace = project(({ context }) => {
          if (!isNew) context(["lifecycle.init", ROLE]);
        });
        const before = namesOf(workspace);
        const ran = run(workspace, ["lifecycle.save", ROLE], "", fault(workspace, call, name, at));
        const what = `${name} at ${call} ${at}, ${isNew ? "no machine" : "a machine"}: ${ran.stderr}`;
        expect([0, 1], what).toContain(ran.code);
        if (ran.code === 0) expectToAgree(workspace, what);
        else expect({ what, names: namesOf(workspace) }).toEqual({ what, names: before });
        expect(run(workspace, ["lifecycle.save", ROLE], "", {}).code, what).toBe(0);
        expectToAgree(workspace, `${what}, then again`);
      }
    }
  });
});
