import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import type { CommandContext } from "../../../src/commands/command-context.ts";
import { step } from "../../../src/commands/lifecycle/step.ts";
import { advance } from "../../../src/lifecycle/advance.ts";
import { formatMachine, type MachineRecord, newMachine } from "../../../src/lifecycle/snapshot.ts";
import { KEPT_FOR_NODE, keptHead } from "../../../src/platform/kept-for-node.ts";
import { machinePath, type ProjectPaths } from "../../../src/stores/paths.ts";
import { need } from "../../helpers/need.ts";
import { remove } from "../../platform/scripts.ts";
import { NOW, project, role, stepOnward } from "../../stores/projects.ts";

const ROLE = role();
const BY = "lifecycle.save";
let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  stepOnward(paths, ROLE);
  return () => remove(paths.root);
});

const text = (record: MachineRecord) => formatMachine({ record, items: [], legacy: null });

/** What the native program hands on of a step from `active` to `saving`. */
function kept(by: string): string {
  const before = newMachine(ROLE, NOW.toISOString()).record;
  const moved = need(advance(before, ["SAVE"], { at: NOW, by, sessionId: null }));
  const states = { before: text(before), start: text(before), after: text(moved.record) };
  return JSON.stringify({
    by,
    created: false,
    ...states,
    way: ["active", "saving"],
    notes: ["a note"],
    foreignOwner: null,
  });
}

async function recover(value: string) {
  const { root } = paths;
  const env = { [KEPT_FOR_NODE]: value };
  const context: CommandContext = {
    ...{ paths, env, cwd: root, now: () => NOW, build: null, installation: "", invokedAs: "./context" },
  };
  const options = { by: BY, sessionId: null, create: false, unstick: false, owner: "look", broken: "stop" } as const;
  return step(context, ROLE, options, (record) => ({ events: ["RECOVERED"], value: record.state }));
}

test("a step that was taken before the process became Node's is told, and not taken again", async () => {
  const before = readFileSync(machinePath(paths, ROLE), "utf8");
  const done = await recover(keptHead() + kept(BY));
  expect(done).toMatchObject({
    ok: true,
    value: { way: ["active", "saving"], after: { state: "saving", revision: 1 }, notes: ["a note"], value: "active" },
  });
  expect(readFileSync(machinePath(paths, ROLE), "utf8")).toBe(before);
});

test.each([
  ["another process's", () => `1/1 ${kept(BY)}`],
  ["another command's", () => keptHead() + kept("recover")],
  ["none", () => `${keptHead()}{"by":"lifecycle.save","before":"x"}`],
  ["no JSON", () => `${keptHead()}{`],
])("what was kept and is %s keeps no step from being taken", async (_what, value) => {
  expect(await recover(value())).toMatchObject({
    ok: true,
    value: { way: ["saving", "active"], after: { revision: 2 } },
  });
});
