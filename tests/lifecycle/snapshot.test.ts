import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "../../src/lifecycle/advance.ts";
import { parsePlainRecord } from "../../src/lifecycle/plain-record.ts";
import { formatMachine, parseMachine, type StoredMachine } from "../../src/lifecycle/snapshot.ts";
import { LIFECYCLE_EVENTS, LIFECYCLE_STATES } from "../../src/lifecycle/states.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { need } from "../helpers/need.ts";
import { anyRecord, CREATED, FULL, fullText, MACHINE, stored } from "./records.ts";

function read(text: string): StoredMachine {
  return need(parseMachine(text, MACHINE));
}

function problem(text: string): string {
  const parsed = parseMachine(text, MACHINE);
  return parsed.ok ? "none" : `${parsed.error.problem}: ${parsed.error.message}`;
}

const NEW = `# Lifecycle of agent role oosh-expert. Written by \`context\`; safe to source.
STATE_SCHEMA=1
STATE_MACHINE=oosh_expert
STATE_ROLE=oosh-expert
STATE_CURRENT=active
STATE_SINCE=2026-02-03T12:15:07.120Z
STATE_COMPACTIONS=0
STATE_UNSAVED=0
STATE_REVISION=0
`;

test("a new machine's file holds what is known and no more", () => {
  expect(formatMachine(stored())).toBe(NEW);
  expect(read(NEW).record).toEqual(stored().record);
});

test("reads the file of the format's definition, whatever the order of its keys", () => {
  const text = `# Lifecycle of agent role oosh-expert. Written by \`context\`; safe to source.
STATE_SCHEMA=1
STATE_MACHINE=oosh_expert
STATE_ROLE=oosh-expert
STATE_CURRENT=saved
STATE_PREVIOUS=saving
STATE_EVENT=CONTEXT_VALID
STATE_SINCE=2026-02-03T12:15:07.120Z
STATE_REVISION=17
STATE_COMPACTIONS=4
STATE_UNSAVED=0
STATE_CONTEXT_SHA256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
STATE_SESSION_ID=b9ff7b48-ef86-4ef0-86d3-7835c69ec06b
`;
  const wanted = { state: "saved", previous: "saving", event: "CONTEXT_VALID", revision: 17, compactions: 4 };
  expect(read(text).record).toMatchObject(wanted);
  expect(formatMachine(read(text))).toBe(text);
  const lines = text.trimEnd().split("\n");
  expect(read(`${lines.reverse().join("\n")}\n`).record).toEqual(read(text).record);
});

test("every record is read back as it was written", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const text = formatMachine({ ...stored(), record });
      expect(read(text).record).toEqual(record);
      expect(formatMachine(read(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("whatever machine is read, what is written after any step is read again", () => {
  fc.assert(
    fc.property(anyRecord, fc.array(fc.constantFrom(...LIFECYCLE_EVENTS), { maxLength: 5 }), (record, events) => {
      let current = read(formatMachine({ ...stored(), record }));
      for (const event of events) {
        const moved = advance(current.record, [event], { at: new Date(CREATED), by: "test", sessionId: null });
        if (!moved.ok) continue;
        current = read(formatMachine({ ...current, record: moved.value.record }));
        expect(current.record).toEqual(moved.value.record);
      }
    }),
    { numRuns: 200 },
  );
});

test("a rewrite keeps comments, unknown keys, order and every other byte of a hand-edited file", () => {
  const text = `# mine
STATE_CURRENT="active"   # edited by hand
MY_NOTE="$(date) 'x'"
STATE_SCHEMA=1
STATE_FUTURE='unknown $x'

STATE_REVISION=3\t
export STATE_SINCE=2026-02-03T12:15:07.120Z
STATE_COMPACTIONS=0\r
# the end`;
  const moved = need(advance(read(text).record, ["SAVE"], { at: new Date(CREATED), by: "t", sessionId: null }));
  const next = formatMachine({ ...read(text), record: moved.record });
  expect(next).toBe(
    text
      .replace('"active"', "saving")
      .replace(
        "STATE_REVISION=3",
        "STATE_MACHINE=oosh_expert\nSTATE_ROLE=oosh-expert\nSTATE_PREVIOUS=active\nSTATE_EVENT=SAVE\nSTATE_UNSAVED=0\nSTATE_REVISION=4",
      ),
  );
  expect(read(next).record).toMatchObject({ state: "saving", revision: 4 });
});

test("a key that stands twice with one value is read, and stays readable after a step", () => {
  const text = `${NEW}STATE_CURRENT=active\nSTATE_REVISION=0\n`;
  const moved = need(advance(read(text).record, ["SAVE"], { at: new Date(CREATED), by: "t", sessionId: null }));
  expect(read(formatMachine({ ...read(text), record: moved.record })).record).toEqual(moved.record);
});

test("a last line without its end, as some editors leave it, is read, and ends before the next key is added", () => {
  const text = `${NEW}STATE_COMMIT=abc`;
  const stored = read(text);
  expect(stored.record.commit).toBe("abc");
  const next = formatMachine({ ...stored, record: { ...stored.record, branch: "main" } });
  expect(read(next).record).toMatchObject({ commit: "abc", branch: "main" });
});

test("a fact that is not known any more is emptied where it stands", () => {
  const text = fullText();
  const next = formatMachine({ ...read(text), record: { ...read(text).record, sessionId: null, branch: null } });
  expect(next).toContain("\nSTATE_SESSION_ID=\n");
  expect(read(next).record).toMatchObject({ sessionId: null, branch: null });
});

const with_ = (key: string, value: string) => NEW.replace(new RegExp(`^${key}=.*$`, "m"), `${key}=${value}`);
const without = (key: string) => NEW.replace(new RegExp(`^${key}=.*\\n`, "m"), "");

test.each([
  ["nothing", "", "corrupt: is empty, expected a machine's state"],
  ["blanks", " \n\r\n\t", "corrupt: is empty, expected a machine's state"],
  ["a BOM", "\uFEFF", "corrupt: is empty, expected a machine's state"],
  ["prose", "hello\n", "corrupt: holds no machine's state, expected STATE_CURRENT as one of active, "],
  [
    "another's state",
    "# mine\nSTATE=reviewing\n",
    "unknown-state: says STATE=reviewing and no STATE_CURRENT, expected one of active, ",
  ],
  [
    "another's fact",
    "MY_STATE=reviewing\n",
    "corrupt: holds no machine's state, expected STATE_CURRENT as one of active, ",
  ],
  ["no schema", without("STATE_SCHEMA"), "contradiction: says no STATE_SCHEMA"],
  ["schema 99", with_("STATE_SCHEMA", "99"), "newer-version: was written by a newer version: STATE_SCHEMA=99"],
  ["schema 0", with_("STATE_SCHEMA", "0"), "corrupt: says STATE_SCHEMA=0"],
  ["schema x", with_("STATE_SCHEMA", "x"), "corrupt: says STATE_SCHEMA=x"],
  ["no state", without("STATE_CURRENT"), "corrupt: says no STATE_CURRENT"],
  [
    "an unknown state",
    with_("STATE_CURRENT", "reviewing"),
    "unknown-state: says STATE_CURRENT=reviewing, expected one of ",
  ],
  ["half a key", NEW.slice(0, -1), "corrupt: ends in the middle of STATE_REVISION"],
  ["a schema that is a sum", with_("STATE_SCHEMA", "2e3"), "corrupt: says STATE_SCHEMA=2e3, expected 1"],
  ["a hash of 65 digits", `${NEW}STATE_CONTEXT_SHA256=${"a".repeat(65)}\n`, "corrupt: says STATE_CONTEXT_SHA256=aaa"],
  ["a hash in a word", `${NEW}STATE_CONTEXT_SHA256=x${"a".repeat(64)}\n`, "corrupt: says STATE_CONTEXT_SHA256=xaa"],
  ["a year of six digits", with_("STATE_SINCE", "'+012026-02-03T12:15:07Z'"), "corrupt: says STATE_SINCE=+012026"],
  ["a time with a word", with_("STATE_SINCE", "'2026-02-03T12:15:07Z (x)'"), "corrupt: says STATE_SINCE=2026-02-03"],
  ["a state of 60 letters", with_("STATE_CURRENT", "x".repeat(60)), `STATE_CURRENT=${"x".repeat(60)}, expected`],
  ["a state of 61 letters", with_("STATE_CURRENT", "x".repeat(61)), `STATE_CURRENT=${"x".repeat(57)}..., expected`],
  ["no state's name", with_("STATE_CURRENT", "Active"), "unknown-state: says STATE_CURRENT=Active"],
  ["a state of prototypes", with_("STATE_CURRENT", "constructor"), "unknown-state: says STATE_CURRENT=constructor"],
  ["an unknown earlier state", `${NEW}STATE_PREVIOUS=x\n`, "unknown-state: says STATE_PREVIOUS=x"],
  ["an unknown event", `${NEW}STATE_EVENT=X\n`, "corrupt: says STATE_EVENT=X"],
  ["no revision", without("STATE_REVISION"), "corrupt: says no whole number for STATE_REVISION"],
  ["an empty revision", with_("STATE_REVISION", ""), "corrupt: says no whole number for STATE_REVISION"],
  ["a negative revision", with_("STATE_REVISION", "-1"), "corrupt: says no whole number for STATE_REVISION"],
  ["a huge revision", with_("STATE_REVISION", "1".repeat(30)), "corrupt: says no whole number for STATE_REVISION"],
  ["a wrong count", with_("STATE_COMPACTIONS", "2.5"), "corrupt: says no whole number for STATE_COMPACTIONS"],
  ["a wrong mark", with_("STATE_UNSAVED", "yes"), "corrupt: says STATE_UNSAVED=yes, expected 0 or 1"],
  ["no time", without("STATE_SINCE"), "corrupt: says no STATE_SINCE"],
  ["a wrong time", with_("STATE_SINCE", "yesterday"), "corrupt: says STATE_SINCE=yesterday"],
  [
    "a time of no month",
    with_("STATE_SINCE", "2026-13-01T00:00:00Z"),
    "corrupt: says STATE_SINCE=2026-13-01T00:00:00Z",
  ],
  [
    "a time without a zone",
    with_("STATE_SINCE", "2026-01-01T00:00:00"),
    "corrupt: says STATE_SINCE=2026-01-01T00:00:00",
  ],
  ["a wrong time of the save", `${NEW}STATE_SAVED_AT=x\n`, "corrupt: says STATE_SAVED_AT=x"],
  ["a wrong hash", `${NEW}STATE_CONTEXT_SHA256=abc\n`, "corrupt: says STATE_CONTEXT_SHA256=abc"],
  [
    "another machine",
    with_("STATE_MACHINE", "tester"),
    "contradiction: says STATE_MACHINE=tester, the file's name says oosh_expert",
  ],
  [
    "another role",
    with_("STATE_ROLE", "tester"),
    "contradiction: says STATE_ROLE=tester, the file's name says oosh-expert",
  ],
  ["two states", `${NEW}STATE_CURRENT=saved\n`, 'contradiction: says STATE_CURRENT twice: "active" and "saved"'],
  [
    "two states, one exported",
    `${NEW}export STATE_CURRENT=saved\n`,
    'contradiction: says STATE_CURRENT twice: "active" and "saved"',
  ],
  [
    "two states, one indented",
    `${NEW}  STATE_CURRENT=saved\n`,
    'contradiction: says STATE_CURRENT twice: "active" and "saved"',
  ],
  ["a command", `${NEW}STATE_BRANCH=$(touch x)\n`, "corrupt: line 10: STATE_BRANCH: "],
  ["an open quote", `${NEW}STATE_BRANCH='x\n`, "corrupt: line 10: STATE_BRANCH: a single quote is not closed"],
  [
    "an old state that disagrees",
    `${NEW}oosh_expert_STATE_ID=13\n`,
    "contradiction: says oosh_expert_STATE_ID=13 (saved) and STATE_CURRENT=active",
  ],
  [
    "an old state that is none",
    `${NEW}oosh_expert_STATE_ID=4\n`,
    "contradiction: says oosh_expert_STATE_ID=4 (no lifecycle state) and STATE_CURRENT=active",
  ],
])("refuses a file with %s and says what is wrong", (_name, text, message) => {
  expect(problem(text)).toContain(message);
});

test("a message about an unknown state names the states there are", () => {
  for (const state of LIFECYCLE_STATES) expect(problem(with_("STATE_CURRENT", "x"))).toContain(state);
  expect(problem(with_("STATE_CURRENT", "x".repeat(1000))).length).toBeLessThan(200);
});

test("a machine that no role can have is refused", () => {
  const { record } = stored();
  const parsed = parseMachine(NEW.replace("oosh_expert", "a__b"), MACHINE);
  expect(parsed.ok).toBe(false);
  expect(record.role).toBe("oosh-expert");
});

test("a file of ours that is cut off anywhere is refused, never read as another state", () => {
  const text = fullText();
  const whole = read(text).record;
  expect(whole).toEqual(stored(FULL).record);
  const bytes = Buffer.from(text, "utf8");
  for (let length = 0; length < bytes.length; length++) {
    const parsed = parseMachine(bytes.toString("utf8", 0, length), MACHINE);
    expect(parsed.ok, `${length} of ${bytes.length} bytes`).toBe(false);
  }
});

test("a file of ours that has grown by a step at a time is refused when it is cut off", () => {
  let current = stored();
  for (const changes of [{ sessionId: "s" }, { contextSha256: "a".repeat(64), savedAt: CREATED }, { branch: "main" }]) {
    current = read(formatMachine({ ...current, record: { ...current.record, ...changes } }));
  }
  const text = formatMachine(current);
  for (let length = 0; length < text.length; length++) {
    expect(parseMachine(text.slice(0, length), MACHINE).ok, text.slice(0, length)).toBe(false);
  }
});

test("any file is read without a throw, whatever is done to its bytes", () => {
  const bytes = Buffer.from(fullText(), "utf8");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
      (changes) => {
        const damaged = Buffer.from(bytes);
        for (const [at, byte] of changes) damaged[at] = byte;
        const parsed = parseMachine(damaged.toString("utf8"), MACHINE);
        if (!parsed.ok) expect(parsed.error.message).not.toBe("");
        else expect(read(formatMachine(parsed.value)).record).toEqual(parsed.value.record);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  "STATE_A=1\n",
  "(\n",
  "'",
  "oosh_expert_STATES=(",
  '"',
  "[0]=",
  "oosh_expert_STATE_ID=1\n",
  "\n",
  "\r",
  "=",
  "#",
])("reads a quarter of a megabyte of %j in time that grows with the text only", (unit) => {
  const start = cpuTime();
  for (const before of ["", "oosh_expert_STATES=(", NEW]) {
    parseMachine(before + unit.repeat(250_000 / unit.length), MACHINE);
  }
  expect(cpuTime() - start).toBeLessThan(2500);
});

test("counts that a file does not say are none, and a time may have no fraction", () => {
  const text = without("STATE_COMPACTIONS")
    .replace(/STATE_UNSAVED=0\n/, "")
    .replace(".120Z", "Z");
  expect(read(text).record).toMatchObject({ compactions: 0, unsaved: false, since: "2026-02-03T12:15:07Z" });
});

test.each([
  ["a key twice", `${NEW}STATE_ROLE=oosh-expert\n`],
  ["another's key", `${NEW}x=1\n`],
  ["a key without a value", `${NEW}STATE_BRANCHx\n`],
  ["a value of two words", `${NEW}STATE_BRANCH=a b\n`],
  ["a quote within a word", `${NEW}STATE_BRANCH=a'b'\n`],
  ["an expansion", `${NEW}STATE_BRANCH=$x\n`],
  ["a comment that is not ASCII", `${NEW}# é\n`],
  ["no newline at the end", NEW.slice(0, -1)],
  ["no time", without("STATE_SINCE")],
])("the fast reader leaves a file with %s to the careful one", (_name, text) => {
  expect(parsePlainRecord(text, MACHINE)).toBeNull();
});

test("the fast reader takes quotes off", () => {
  const text = `${NEW}STATE_BRANCH='feature of mine'\n# STATE_COMMIT=x\n`;
  expect(parsePlainRecord(text, MACHINE)).toEqual(read(text).record);
});

test("the fast reader of plain files says what the careful one says, or nothing", () => {
  fc.assert(
    fc.property(anyRecord, fc.constantFrom("", "\n", "x=1\n", "STATE_ROLE=a\n", "# c\n"), (record, more) => {
      const text = formatMachine({ ...stored(), record }) + more;
      const fast = parsePlainRecord(text, MACHINE);
      const careful = parseMachine(text, MACHINE);
      if (fast !== null) expect(careful).toMatchObject({ ok: true, value: { record: fast } });
    }),
  );
  // It must not be slow by always saying nothing.
  const plain = stored({ ...FULL, branch: "main" });
  expect(
    parsePlainRecord(formatMachine({ ...plain, record: { ...plain.record, ownerProcess: "1/2/3/h" } }), MACHINE),
  ).toMatchObject({
    state: "saved",
    revision: 17,
  });
});
