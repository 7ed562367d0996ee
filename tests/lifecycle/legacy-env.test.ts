import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { advance } from "../../src/lifecycle/advance.ts";
import { machineName } from "../../src/lifecycle/role.ts";
import { formatMachine, parseMachine, type StoredMachine } from "../../src/lifecycle/snapshot.ts";
import { LIFECYCLE_STATES, type LifecycleEventType } from "../../src/lifecycle/states.ts";
import { need } from "../helpers/need.ts";
import { MACHINE, role } from "./records.ts";

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/oosh/stateMachines/${name}.states.env`, import.meta.url), "utf8");

const ARRAY = fixture("oosh_expert");

function read(text: string, machine = MACHINE): StoredMachine {
  return need(parseMachine(text, machine));
}

function problem(text: string): string {
  const parsed = parseMachine(text, MACHINE);
  return parsed.ok ? "none" : `${parsed.error.problem}: ${parsed.error.message}`;
}

function step(machine: StoredMachine, ...events: LifecycleEventType[]): StoredMachine {
  const cause = { at: new Date("2026-02-03T13:00:00.000Z"), by: "test", sessionId: null };
  const moved = need(advance(machine.record, events, cause));
  return { ...machine, record: moved.record };
}

test("reads the original's own files", () => {
  expect(read(ARRAY).record).toMatchObject({ role: "oosh-expert", state: "active", since: null, revision: 0 });
  expect(read(fixture("oosh_tester"), machineName(role("oosh-tester"))).record.state).toBe("saved");
  expect(read(fixture("scrum_master"), machineName(role("scrum-master"))).record.state).toBe("saving");
});

test.each([
  ["only the number", "oosh_expert_STATE_ID=13\n", "saved"],
  ["the number without a newline", "oosh_expert_STATE_ID=13", "saved"],
  ["the number quoted", 'oosh_expert_STATE_ID="12"\n', "saving"],
  ["the number exported", "export oosh_expert_STATE_ID='15'\n", "recovering"],
  ["the number declared", 'declare -x oosh_expert_STATE_ID="14"\r\n', "compacting"],
  ["the number with a comment", "oosh_expert_STATE_ID=13 # saved\n", "saved"],
  ["the number with a semicolon", "oosh_expert_STATE_ID=13; x=1\n", "saved"],
  ["the number twice, the last of which counts", "oosh_expert_STATE_ID=11\noosh_expert_STATE_ID=13\n", "saved"],
  ["an array without numbers", "oosh_expert_STATES=(active saving saved)\noosh_expert_STATE_ID=2\n", "saved"],
  ["an array and what stands behind it", "oosh_expert_STATES=([10]=a); x=saved\noosh_expert_STATE_ID=11\n", "active"],
  ["an array over lines", "oosh_expert_STATES=(\n  active\n  'saving'\n)\noosh_expert_STATE_ID=1\n", "saving"],
  ["an array that goes on from a number", "oosh_expert_STATES=([3]=active saving)\noosh_expert_STATE_ID=4\n", "saving"],
  [
    "an element a line",
    'oosh_expert_STATES[7]="saved"\noosh_expert_STATES[8]=active\noosh_expert_STATE_ID=7\n',
    "saved",
  ],
  ["the array after the number", "oosh_expert_STATE_ID=1\noosh_expert_STATES=([1]=saved)\n", "saved"],
  ["an array of names with blanks", "oosh_expert_STATES=('a b' \"c d\" saving)\noosh_expert_STATE_ID=2\n", "saving"],
  ["an array in a comment", "# oosh_expert_STATES=(\noosh_expert_STATE_ID=11\n", "active"],
  ["an array in another's quotes", "x='\noosh_expert_STATES=(a b)'\noosh_expert_STATE_ID=11\n", "active"],
  [
    "a comment and a parenthesis in the array",
    'oosh_expert_STATES=(# its\n"a)" saved)\noosh_expert_STATE_ID=1\n',
    "saved",
  ],
  [
    "the array twice, the last of which counts",
    "oosh_expert_STATES=(a)\noosh_expert_STATES=(saved)\noosh_expert_STATE_ID=0",
    "saved",
  ],
  [
    "an element that another's quote without an end swallows",
    "oosh_expert_STATE_ID=2\noosh_expert_STATES[2]=saved\nx='\noosh_expert_STATES[2]=active\n",
    "saved",
  ],
  [
    "an element that another's parenthesis without an end swallows",
    "oosh_expert_STATE_ID=2\noosh_expert_STATES[2]=saved\nx=(\noosh_expert_STATES[2]=active\n",
    "saved",
  ],
  ["a like-named array before", "old_oosh_expert_STATES=([11]=x)\noosh_expert_STATE_ID=11\n", "active"],
])("reads %s", (_name, text, state) => {
  expect(read(text).record.state).toBe(state);
});

test.each([
  [
    "a number of no state of ours",
    "oosh_expert_STATE_ID=4\n",
    "unknown-state: says oosh_expert_STATE_ID=4, expected one of active,",
  ],
  [
    "a state of the original's own",
    ARRAY.replace("_ID=11", "_ID=2"),
    "unknown-state: says oosh_expert_STATE_ID=2 (setup), expected",
  ],
  [
    "a number whose name is another",
    ARRAY.replace("_ID=11", "_ID=16"),
    "unknown-state: says oosh_expert_STATE_ID=16 (next.custom.state)",
  ],
  [
    "a number of ours whose name is another",
    ARRAY.replace('[12]="saving"', '[12]="mine"').replace("_ID=11", "_ID=12"),
    "unknown-state: says oosh_expert_STATE_ID=12 (mine), expected one of active,",
  ],
  [
    "a state of the original's own, where a number that ours needs is taken",
    ARRAY.replace('[12]="saving"', '[12]="mine"').replace("_ID=11", "_ID=2"),
    "unknown-state: says oosh_expert_STATE_ID=2 (setup), expected",
  ],
  [
    "an array that never ends",
    "oosh_expert_STATE_ID=11\noosh_expert_STATES=(active\n",
    "corrupt: says oosh_expert_STATES=( and never closes it",
  ],
  ["a number of another machine", "tester_STATE_ID=11\n", "corrupt: holds no machine's state"],
  ["a number that is none", "oosh_expert_STATE_ID=x\n", "corrupt: holds no machine's state"],
  ["a number in a comment", "# oosh_expert_STATE_ID=11\n", "corrupt: holds no machine's state"],
  ["a number in a command", "echo oosh_expert_STATE_ID=11\n", "corrupt: holds no machine's state"],
  [
    "a number that a later state of ours needs",
    ARRAY.replace('[12]="saving"', '[12]="mine"'),
    'contradiction: says oosh_expert_STATES[12]="mine", where "saving" is expected',
  ],
  [
    "two states with one number",
    "oosh_expert_STATES=([12]=active)\noosh_expert_STATE_ID=12\n",
    'contradiction: says oosh_expert_STATES[12]="active", where "saving" is expected',
  ],
])("refuses %s", (_name, text, message) => {
  expect(problem(text)).toContain(message);
});

const FORMS: [string, string][] = [
  ["the array's dump", ARRAY],
  ["the array's dump with CRLF", ARRAY.replaceAll("\n", "\r\n")],
  ["only the number, without a newline", "oosh_expert_STATE_ID=11"],
  [
    "a plain array with numbers of its own",
    "oosh_expert_STATES=(saved active saving compacting recovering)\noosh_expert_STATE_ID=1\n",
  ],
  ["an element a line", "oosh_expert_STATES[3]=active\noosh_expert_STATE_ID=3 # now\n"],
  ["an array begun in a comment", "#oosh_expert_STATES=(\noosh_expert_STATE_ID=11"],
  ["a state with two numbers", "oosh_expert_STATES=([7]=active [11]=active)\noosh_expert_STATE_ID=11\n"],
];

test.each(FORMS)(
  "%s: through every state and back the number keeps in step, and no other byte changes",
  (_name, text) => {
    let machine = read(text);
    for (const events of [["SAVE"], ["CONTEXT_VALID"], ["COMPACT"], ["COMPACTED"], ["RECOVERED"]] as const) {
      const moved = step(machine, ...events);
      const next = formatMachine(moved);
      machine = read(next);
      expect(machine.record).toEqual(moved.record);
      const theirs = text.replace(/(_STATE_ID=)\d+/, `$1${machine.legacy?.id}`);
      expect(next.startsWith(theirs)).toBe(true);
      expect(next.slice(theirs.length)).toMatch(/^\n?(STATE_[A-Z0-9_]+=[A-Za-z0-9_.:'-]*\n)+$/);
    }
    expect(machine.record).toMatchObject({ state: "active", revision: 5, compactions: 1 });
    expect(formatMachine(machine).startsWith(text)).toBe(true);
  },
);

test("of two numbers for a state the one in use stays", () => {
  const text = "oosh_expert_STATES=([7]=active [11]=active)\noosh_expert_STATE_ID=7\n";
  expect(formatMachine(step(read(text), "RECOVERED")).startsWith(text)).toBe(true);
});

test("a fact that is recorded without a step leaves a file that is read again", () => {
  const machine = read(ARRAY);
  const noted = formatMachine({ ...machine, record: { ...machine.record, sessionId: "s1" } });
  expect(read(noted).record).toMatchObject({ state: "active", since: null, sessionId: "s1" });
  expect(formatMachine(step(read(noted), "SAVE"))).toContain("STATE_SINCE=2026-02-03T13:00:00.000Z");
});

test("a file that is cut off is refused, but where it ends as the original alone would have left it", () => {
  const text = formatMachine(step(read(ARRAY), "SAVE"));
  const whole = read(text).record;
  let asOriginal = 0;
  for (let length = 0; length < text.length; length++) {
    const parsed = parseMachine(text.slice(0, length), MACHINE);
    if (!parsed.ok) continue;
    expect(parsed.value.record.state).toBe(whole.state);
    expect(parsed.value.record.revision).toBe(0);
    asOriginal += 1;
  }
  // From the end of the number to the end of the original's last line, and a first key of ours that is not whole yet.
  expect(asOriginal).toBeLessThan("oosh_expert_CUSTOM_SCRIPT=\nSTATE_SCHEMA=".length + 2);
});

const bash = spawnSync("bash", ["-c", "true"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "context-legacy-env-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!bash)("bash sources the result, and gives the array and the number back", () => {
  const declared = (text: string) => {
    writeFileSync(join(folder, "m.env"), text);
    const script =
      ". ./m.env && declare -p oosh_expert_STATES oosh_expert_STATE_ID oosh_expert_CUSTOM_SCRIPT && echo $STATE_CURRENT";
    const env = { PATH: process.env.PATH ?? "", HOME: folder };
    const result = spawnSync("bash", ["-c", script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    expect(result.stderr.toString()).toBe("");
    return result.stdout.toString();
  };
  const before = declared(ARRAY);
  expect(before).toContain('[15]="recovering"');
  const after = declared(formatMachine(step(read(ARRAY), "SAVE", "CONTEXT_VALID")));
  expect(after).toBe(
    before.replace('_ID="11"', '_ID="13"').replace("_ID='11'", "_ID='13'").replace("\n\n", "\nsaved\n"),
  );
  expect(after).toContain("13");
});

test("the numbers that are used where no array gives any are the original's", () => {
  const ids = { active: 11, saving: 12, saved: 13, compacting: 14, recovering: 15 };
  for (const state of LIFECYCLE_STATES) {
    expect(read(`oosh_expert_STATE_ID=${ids[state]}\n`).record.state).toBe(state);
  }
});
