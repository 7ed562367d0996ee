import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { splitFrontMatter } from "../../src/base/frontmatter.ts";
import { followingAction, type ManifestValues, manifestValues } from "../../src/resume/manifest-values.ts";
import { parseManifest } from "../../src/resume/parse-manifest.ts";
import { updateManifest } from "../../src/resume/update.ts";
import { need } from "../helpers/need.ts";
import { fixture, manifestText, replacing } from "./fixture.ts";

const VALUES = {
  current_section: 3,
  current_task: 16,
  progress: "15/40 tasks complete",
  current_phase: "testing",
  last_updated: "2026-02-01T08:00:00Z",
} as const satisfies ManifestValues;

function updated(text: string, values: ManifestValues): string {
  return need(updateManifest(text, values)).text;
}

test("changes the characters of the values and no other", () => {
  const result = updateManifest(manifestText(), VALUES);
  expect(result).toEqual({
    ok: true,
    value: {
      text: manifestText()
        .replace("current_section: 2", "current_section: 3")
        .replace("current_task: 15", "current_task: 16")
        .replace("14/40", "15/40")
        .replace("current_phase: execution", "current_phase: testing")
        .replace("2026-01-03T15:30:00", "2026-02-01T08:00:00Z"),
      changed: ["current_section", "current_task", "progress", "current_phase", "last_updated"],
    },
  });
});

test.each([
  [{ last_updated: "Sat Jan 03 2026 15:30:00 GMT+0000" }, "an ISO 8601 time"],
  [{ last_updated: "2026-13-45" }, "an ISO 8601 time"],
  [{ current_task: 1.5 }, "a count or a text"],
  [{ current_section: Number.NaN }, "a count or a text"],
])("a program that gives %j is told, and no manifest is made that cannot be read", (values, expected) => {
  const [[key, value] = []] = Object.entries(values);
  const message = `\`${key}\` cannot be ${value}; expected ${expected}.`;
  expect(updateManifest(manifestText(), { ...VALUES, ...values })).toEqual({
    ok: false,
    error: { code: "manifest-value", message },
  });
});

test("keeps comments, order, quotes, blanks, unknown keys, CRLF, a BOM and the body", () => {
  const text =
    "\uFEFF--- \r\n# ours\r\ncurrent_task:   '4'   # by hand \r\nmine: [1,  2]\t\r\n\r\nprogress:\r\n  3/9\r\nlast_updated: x\r\n" +
    'current_phase: "planning"   \r\n---\r\ncurrent_task: 4\r\nprogress: none  \r\n';
  expect(updated(text, VALUES)).toBe(
    "\uFEFF--- \r\n# ours\r\ncurrent_task:   '16'   # by hand \r\nmine: [1,  2]\t\r\n\r\nprogress:\r\n  15/40 tasks complete\r\nlast_updated: 2026-02-01T08:00:00Z\r\n" +
      'current_phase: "testing"   \r\ncurrent_section: 3\r\n---\r\ncurrent_task: 4\r\nprogress: none  \r\n',
  );
});

test.each([
  ["a value that is absent", "current_task:\n", "current_task: 16\n"],
  ["a value that is absent before a comment", "current_task:   # next\n", "current_task: 16  # next\n"],
  ["a value that is absent right before a comment", "current_task: # next\n", "current_task: 16 # next\n"],
  ["null", "current_task: null\n", "current_task: 16\n"],
  ["a block", "progress: |\n  3/9\n  done\nz: 1\n", "progress: 15/40 tasks complete\nz: 1\n"],
  [
    "a block whose head has a comment",
    "progress: |-  # why\n  3/9\n# z\nz: 1\n",
    "progress: 15/40 tasks complete  # why\n# z\nz: 1\n",
  ],
  [
    "a block of CRLF with a comment",
    "progress: >2- # why\r\n  3/9\r\nz: 1\r\n",
    "progress: 15/40 tasks complete # why\r\nz: 1\r\n",
  ],
  ["an empty block", "progress: |\nz: 1\n", "progress: 15/40 tasks complete\nz: 1\n"],
  ["an empty block with a comment", "progress: | # why\nz: 1\n", "progress: 15/40 tasks complete # why\nz: 1\n"],
  ["a block at the end", "progress: >-\n  3/9\n", "progress: 15/40 tasks complete\n"],
  ["a text over two lines", "progress: 3/9\n  done\nz: 1\n", "progress: 15/40 tasks complete\nz: 1\n"],
  ["an alias", "a: &t 4\ncurrent_task: *t\n", "a: &t 4\ncurrent_task: 16\n"],
  ["an anchor that nothing uses", "current_task: &t 4\n", "current_task: &t 16\n"],
  ["a tag", "progress: !!str 4\n", "progress: !!str 15/40 tasks complete\n"],
  ["a quoted key", '"current_task": 4\n', '"current_task": 16\n'],
  ["keys that are indented", "  current_task: 4\n  a: 1\n", "  current_task: 16\n  a: 1\n"],
  [
    "one flow map",
    "{current_task: 4, progress: 3/9, a: 1}\n",
    "{current_task: 16, progress: 15/40 tasks complete, a: 1}\n",
  ],
])("replaces %s", (_name, before, after) => {
  const key = before.includes("progress") ? ["progress"] : [];
  const wanted = new Set([...key, ...(before.includes("current_task") ? ["current_task"] : [])]);
  const values = Object.fromEntries(Object.entries(VALUES).filter(([name]) => wanted.has(name)));
  expect(updated(`---\n${before}---\nbody`, values)).toBe(`---\n${after}---\nbody`);
});

test("adds absent keys at the end of the front matter, indented as the others are", () => {
  const text = "---\n  a: 1\n  # last\n---\nbody";
  expect(updated(text, VALUES)).toBe(
    '---\n  a: 1\n  # last\n  current_section: 3\n  current_task: 16\n  progress: "15/40 tasks complete"\n' +
      '  current_phase: testing\n  last_updated: "2026-02-01T08:00:00Z"\n---\nbody',
  );
  expect(updated("---\n---\n", { current_task: 1 })).toBe("---\ncurrent_task: 1\n---\n");
  expect(updated("---\n# first\n\n a: 1\n---\n", { current_task: 1 })).toBe(
    "---\n# first\n\n a: 1\n current_task: 1\n---\n",
  );
  expect(updated("---\n  ? a\n  : 1\n---\n", { current_task: 1 })).toBe("---\n  ? a\n  : 1\n  current_task: 1\n---\n");
});

test("the time changes only with another value", () => {
  const text = updated(manifestText(), VALUES);
  expect(updateManifest(text, { ...VALUES, last_updated: "2027-01-01T00:00:00Z" })).toEqual({
    ok: true,
    value: { text, changed: [] },
  });
  expect(updated(manifestText(replacing("last_updated", null)), { last_updated: "2027-01-01" })).toContain(
    "2027-01-01",
  );
});

test.each([
  ["execute-project", "plan-project", "plan-project"],
  ["plan-project", "execute-project", "execute-project"],
  ["plan-build", "execute-project", "execute-build"],
  ["execute-mine", "execute-project", null],
  ["weekly-report", "execute-project", null],
  ["planning", "execute-project", null],
  ["plan-project", "mine", "mine"],
  ["plan-build", "mine", "mine"],
  ["", "plan-project", "plan-project"],
])("of the action %j, %s makes %j", (written, wanted, action) => {
  expect(followingAction(written, wanted)).toBe(action);
  const text = manifestText(replacing("next_action", `next_action: ${written}`));
  expect(updated(text, { next_action: wanted })).toBe(
    action === null ? text : manifestText(replacing("next_action", `next_action: ${action}`)),
  );
});

describe("refuses and changes nothing", () => {
  test.each([
    ["no front matter", "# Title\n", "front-matter-missing"],
    ["front matter that is not closed", "---\na: 1\n", "front-matter-unclosed"],
    ["what is no YAML", "---\na: [1\n---\n", "front-matter-yaml"],
    ["a key that stands twice", "---\ncurrent_task: 1\ncurrent_task: 2\n---\n", "front-matter-duplicate-key"],
    ["a list for a value", "---\ncurrent_task: [1]\n---\n", "manifest-not-updatable"],
    ["a value that others use", "---\ncurrent_task: &t 1\nb: *t\n---\n", "manifest-not-updatable"],
    ["a flow map that lacks a key", "---\n{a: 1}\n---\n", "manifest-not-updatable"],
    ["a key without a colon", "---\n? current_task\n---\n", "manifest-not-updatable"],
  ])("%s", (_name, text, code) => {
    const result = updateManifest(text, VALUES);
    expect(result.ok ? "" : result.error.code).toBe(code);
  });
});

test.each([
  ["current_phase", "---\n!!null current_phase: !\n---\nbody\n", { current_phase: "review" }],
  ["phase", "---\n!!null phase: !\n---\nbody\n", { current_phase: "review" }],
  ["progress", "---\nnull\n---\nbody\n", { progress: "1/2" }],
] as const)("would lose %s in %j, and says so instead", (key, text, values) => {
  expect(updateManifest(text, values)).toEqual({
    ok: false,
    error: {
      code: "manifest-not-updatable",
      message: `The front matter is written in a way that a change would not leave ${key} as it should be.`,
      hint: "Write it as plain lines of `key: value`.",
    },
  });
});

test.each([
  ["a separator of lines", "a\u2028b", '"a\\u2028b"'],
  ["a control", "a\u0085b\u007F", '"a\\u0085b\\u007f"'],
  ["a BOM", "a\uFEFFb", '"a\\ufeffb"'],
  ["a quote before it", `"b" it's`, '"\\"b\\" it\'s"'],
  ["a hash", "a #b", '"a #b"'],
])("a text with %s is written in quotes", (_name, progress, written) => {
  for (const before of ["progress: x", 'progress: "x"'])
    expect(updated(`---\n${before}\n---\n`, { progress })).toBe(`---\nprogress: ${written}\n---\n`);
});

test("a key is added on a line of its own below an explicit one", () => {
  expect(updated("---\n?\n---\n", { current_task: 16 })).toBe("---\n?\ncurrent_task: 16\n---\n");
  expect(updated("---\n  ? mine\n  : 1\n---\n", { current_task: 16 })).toBe(
    "---\n  ? mine\n  : 1\n  current_task: 16\n---\n",
  );
});

test("single quotes stay where they can hold the text", () => {
  expect(updated("---\nprogress: 'x'\n---\n", { progress: `it's "b"` })).toBe(`---\nprogress: 'it''s "b"'\n---\n`);
  expect(updated("---\nprogress: 'x'\n---\n", { progress: "a\u2028b" })).toBe('---\nprogress: "a\\u2028b"\n---\n');
});

test("a text is written bare up to two hundred characters", () => {
  const of = (length: number) => updated("---\nprogress: x\n---\n", { progress: "y".repeat(length) });
  expect(of(200)).toBe(`---\nprogress: ${"y".repeat(200)}\n---\n`);
  expect(of(201)).toBe(`---\nprogress: "${"y".repeat(201)}"\n---\n`);
});

test("a flow map that lacks one key or several says how many", () => {
  const of = (values: ManifestValues) => updateManifest("---\n{a: 1}\n---\n", values);
  expect([of({ current_task: 1 }), of({ current_task: 1, progress: "x" })]).toMatchObject(
    ["a key", "2 keys"].map((keys) => ({
      error: { message: `The front matter is one \`{…}\`, to which ${keys} cannot be added.` },
    })),
  );
});

test("updates each real manifest, and reads the new values back", () => {
  for (const name of ["v1-full", "v1-optimised", "v1-multisession", "v2-build"]) {
    const text = fixture(`resume-context.${name}.md`);
    const after = updated(text, VALUES);
    expect(keysOf(after)).toEqual({ ...keysOf(text), ...VALUES });
    expect(updated(after, { ...VALUES, last_updated: "2030-01-01" })).toBe(after);
  }
});

function keysOf(text: string): Record<string, unknown> {
  const parts = splitFrontMatter(text);
  return parts.kind === "found" ? (parse(parts.raw) ?? {}) : {};
}

describe("of any front matter", () => {
  const other = fc.constantFrom(
    "# a comment: of ours",
    "",
    "mine: [1, 'two', {three: 4}]",
    "text: |+\n  block\n\n  more\n",
    "folded: >\n  a\n  b",
    "nested:\n  deep:\n    - 1\n    - b: c",
    "list:\n- a\n# between\n- b",
    "trailing: x   ",
    "quoted: 'it''s'  # why",
    "empty:",
    "long: two\n  lines",
    'ünï: "\\u00e9 🚀"',
    "tab: a\tb",
  );
  const known = fc.constantFrom(
    "current_section: 2",
    "current_section:   # none",
    "current_task: '15'  ",
    "current_task: ~",
    'progress: "1/2 \\"done\\""',
    "progress: 'it''s 1/2'",
    "progress: >-\n  1/2\n  tasks",
    "progress: 1/2 # so far",
    "current_phase: planning",
    "current_phase: 'COMPLETE'",
    "next_action: plan-project",
    'next_action: ""',
    "next_action: mine",
    "last_updated: 2026-01-03T15:30:00",
  );
  const lines = fc
    .array(fc.oneof(other, known), { maxLength: 9 })
    .map((all) => all.filter((line, index) => all.findIndex((first) => keyIn(first) === keyIn(line)) === index));
  const values: fc.Arbitrary<ManifestValues> = fc.record(
    {
      current_section: fc.nat(99),
      current_task: fc.nat(999),
      progress: fc.oneof(fc.constant("3/4 tasks complete"), fc.string({ unit: "binary", maxLength: 12 })),
      current_phase: fc.constantFrom("planning" as const, "execution" as const, "review" as const),
      next_action: fc.constantFrom("plan-project", "execute-project"),
      last_updated: fc.constantFrom("2026-02-01T08:00:00Z", "2026-02-01"),
    },
    { requiredKeys: [] },
  );

  test("the new values are read back, all others are as before, and a second time changes nothing", {
    timeout: 120_000,
  }, () => {
    let changes = 0;
    fc.assert(
      fc.property(lines, values, fc.constantFrom("\n", "\r\n"), fc.boolean(), (all, wanted, newline, bom) => {
        const raw = all.map((line) => `${line}\n`).join("");
        const body = "current_task: 1\n---\nprogress: x  \n";
        const text = (bom ? "\uFEFF" : "") + `---\n${raw}---\n${body}`.replaceAll("\n", newline);
        const result = need(updateManifest(text, wanted));
        const after = result.text;
        changes += result.changed.length;
        const before = keysOf(text);
        const read = keysOf(after);
        for (const [key, value] of Object.entries(before))
          if (!result.changed.some((changed) => changed === key)) expect(read[key]).toEqual(value);
        for (const key of result.changed) {
          if (key !== "next_action") expect(String(read[key])).toBe(String(wanted[key]));
          expect(String(read[key])).not.toBe(String(before[key]));
        }
        expect(new Set(Object.keys(read))).toEqual(new Set([...Object.keys(before), ...result.changed]));
        expect(after.endsWith(`---\n${body}`.replaceAll("\n", newline))).toBe(true);
        expect(
          updateManifest(after, { ...wanted, ...(wanted.last_updated ? { last_updated: "2031-01-01" } : {}) }),
        ).toEqual({
          ok: true,
          value: { text: after, changed: [] },
        });
        expect(withoutChanged(after, result.changed)).toEqual(withoutChanged(text, result.changed));
      }),
      { numRuns: 600 },
    );
    expect(changes).toBeGreaterThan(1500);
  });

  function keyIn(line: string): string {
    return line.startsWith("#") ? line : (line.split(":")[0] ?? "");
  }

  /** The lines of the keys that stay, with all that is around them. */
  function withoutChanged(text: string, changed: readonly string[]): readonly string[] {
    const kept: string[] = [];
    let inChanged = false;
    for (const line of text.split(/(?<=\n)/)) {
      if (line.startsWith("---")) inChanged = false;
      else if (/^[a-zü]/.test(line)) inChanged = changed.some((key) => line.startsWith(`${key}:`));
      else if (/^[#-]/.test(line)) inChanged = false;
      if (!inChanged && line.trim() !== "") kept.push(line);
    }
    return kept;
  }
});

describe("says of steps", () => {
  const steps = { closed: 14, total: 40, currentSection: 2, currentTask: { ordinal: 15 }, phase: "execution" } as const;

  test("section, task, progress, phase and action", () => {
    expect(manifestValues(steps)).toEqual({
      current_section: 2,
      current_task: 15,
      progress: "14/40 tasks complete",
      current_phase: "execution",
      next_action: "execute-project",
    });
  });

  test("planning while phase 1 is open", () => {
    expect(manifestValues({ ...steps, phase: "planning" })).toMatchObject({
      current_phase: "planning",
      next_action: "plan-project",
    });
  });

  test("the task after the last where all are closed", () => {
    expect(manifestValues({ ...steps, closed: 40, currentTask: null, phase: "complete" })).toMatchObject({
      current_task: 41,
      current_phase: "review",
      progress: "40/40 tasks complete",
    });
  });

  test("nothing where there are no boxes, whatever else is said", () => {
    expect(manifestValues({ ...steps, phase: "empty" })).toEqual({});
    expect(manifestValues({ ...steps, total: 0 })).toEqual({});
    expect(manifestValues({ closed: 0, total: 0, currentSection: 1, currentTask: null, phase: "empty" })).toEqual({});
  });

  test.each([
    ["research", "planning", "research"],
    ["research", "execution", "execution"],
    ["testing", "execution", "testing"],
    ["testing", "complete", "review"],
    ["review", "execution", "execution"],
    ["ready-for-implementation", "execution", "execution"],
  ] as const)("after %s, boxes at %s mean %s", (current, phase, meant) => {
    expect(manifestValues({ ...steps, phase }, current).current_phase).toBe(meant);
  });
});

test("its own values satisfy the manifest", () => {
  const values = manifestValues({
    closed: 1,
    total: 2,
    currentSection: 1,
    currentTask: { ordinal: 2 },
    phase: "planning",
  });
  const { diagnostics } = parseManifest(
    updated(manifestText(), { ...values, last_updated: "2026-02-01T08:00:00.000Z" }),
  );
  expect(diagnostics).toEqual([]);
});

test("an older manifest keeps its own names for what it says already", () => {
  const text = '---\nproject_id: 24-demo\nphase: planning\nupdated: "2026-01-01"\nlast_skill: plan-project\n---\n';
  const values = {
    current_phase: "execution",
    next_action: "execute-project",
    last_updated: "2026-02-03T00:00:00Z",
  } as const;
  const updated = updateManifest(text, values);
  expect(updated.ok && updated.value.text).toBe(
    '---\nproject_id: 24-demo\nphase: execution\nupdated: "2026-02-03T00:00:00Z"\nlast_skill: execute-project\n---\n',
  );
  expect(updated.ok && updateManifest(updated.value.text, values)).toMatchObject({ ok: true, value: { changed: [] } });
});
