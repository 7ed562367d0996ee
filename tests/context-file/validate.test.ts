import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { countBySeverity } from "../../src/base/diagnostic.ts";
import { fixContextFile } from "../../src/context-file/fix.ts";
import { isValid, validateContextFile } from "../../src/context-file/validate.ts";
import { contextText } from "./context-text.ts";

const originals = new URL("fixtures/originals/", import.meta.url);
const at = (text: string, options = {}) =>
  validateContextFile(text, options).diagnostics.map(({ code, start }) => `${start.line}:${start.column} ${code}`);

describe("the verdicts of the original validator", () => {
  const verdicts = readFileSync(new URL("expected-validate.txt", originals), "utf8").matchAll(
    /^## (\S+)\n(?:(?!##|=>).*\n)*=> (PASS|FAIL) \((?:(\d+) errors, )?(\d+) warnings\)/gm,
  );
  const table = [...verdicts].map(([, name = "", verdict, errors = "0", warnings]) => ({
    name,
    verdict,
    errors,
    warnings,
  }));

  test("are six", () => expect(table).toHaveLength(6));

  test.each(table)("agree on $name: $verdict", ({ name, verdict, errors, warnings }) => {
    const { diagnostics } = validateContextFile(readFileSync(new URL(name, originals), "utf8"));
    expect(isValid(diagnostics)).toBe(verdict === "PASS");
    const counts = countBySeverity(diagnostics);
    expect(counts.warning).toBe(Number(warnings));
    // Ours reports a section under another name once, where the original counts name and content.
    expect(counts.error).toBe(name === "bad-recovery.context.md" ? Number(errors) - 1 : Number(errors));
  });
});

test("finds nothing in a good file, whatever its newlines, BOM and last newline", () => {
  const text = contextText();
  for (const variant of [
    text,
    text.trimEnd(),
    text.replaceAll("\n", "\r\n"),
    text.replaceAll("\n", "\r"),
    `\uFEFF${text}`,
  ])
    expect(at(variant, { role: "oosh-expert" })).toEqual([]);
});

test("names everything that an empty file lacks", () => {
  for (const text of ["", "\uFEFF", "\n \n"]) {
    expect(at(text)).toEqual([
      "1:1 completed-work",
      "1:1 metadata",
      "1:1 metadata",
      "1:1 metadata",
      "1:1 recovery-steps",
      "1:1 title",
      "1:1 key-files",
      "1:1 pending",
    ]);
  }
});

test("says what it found, what it expected and the way out", () => {
  const { diagnostics } = validateContextFile(contextText({ updated: "**Update**: 2026-02-03" }));
  expect(diagnostics).toEqual([
    {
      code: "metadata",
      severity: "error",
      message: 'Expected "**Updated**: <value>" within the first 6 lines, found "**Update**:" on line 3',
      hint: 'Write "**Updated**: <value>" below the title: YYYY-MM-DD, with an optional time, such as "2026-02-03T12:15Z".',
      start: { line: 3, column: 1 },
      end: { line: 3, column: 13 },
      fix: [{ span: { start: 33, end: 45 }, text: "**Updated**: " }],
    },
  ]);
});

test("does not count what stands in fenced code or in a comment", () => {
  for (const [open, close] of [
    ["```", "```"],
    ["~~~~md\n~~~", "~~~~"],
    ["<!--", "-->"],
  ]) {
    const completed = `${open}\n## Completed Work\n${close}`;
    expect(at(contextText({ completed }))).toEqual([`${open?.includes("\n") ? 13 : 12}:1 completed-work`]);
  }
  expect(at(contextText({ recovery: "## Recovery Steps\n```\n1. Read this file\n```" }))).toEqual([
    "7:4 recovery-steps",
  ]);
  expect(at(contextText({ pane: "<!-- **Pane**: 1 -->" }))).toEqual(["1:1 metadata"]);
  expect(at(contextText({ completed: "```\nnever closed\n## Completed Work" }))).toEqual([
    "13:1 completed-work",
    "15:1 pending",
    "18:1 key-files",
  ]);
});

test("takes a section by the start of its heading, and a title by its parts", () => {
  const rest = "## Pending Tasks\n- none\n## Key Files Modified This Session\n- `a`";
  expect(at(contextText({ rest, completed: "## Completed Work This Session (2026-02-03)" }))).toEqual([]);
  expect(at(contextText({ title: "# A — B — Recovery Context" }))).toEqual([]);
  expect(at(contextText({ title: "# Tester — SessionContext" }))).toEqual(["1:3 title"]);
});

describe("title", () => {
  test.each([
    ["# Tester - Session Context", 'Expected an em dash "—" (U+2014) between the name and the rest of the title'],
    ["# ScrumMaster Context State", 'Expected a title whose last word is "Context"'],
    ["# — Session Context", "Expected a name before the em dash of the title"],
    ["", 'Expected "# <Role Name> — Session Context" on line 1, found a blank line'],
    ["Hello", 'Expected "# <Role Name> — Session Context" on line 1, found "Hello"'],
  ])("of %j is faulted by name", (title, message) => {
    const { diagnostics } = validateContextFile(contextText({ title }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["title"]);
    expect(diagnostics[0]?.message).toContain(message);
  });
});

describe("metadata", () => {
  test("that stands too far down is named with its line", () => {
    const text = contextText({ pane: "", rest: "## Pending\n- x\n## Key Files\n- y\n**Pane**: 0.3" });
    const { diagnostics } = validateContextFile(text);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Expected "**Pane**: <value>" within the first 6 lines, found "**Pane**:" on line 19',
    ]);
    expect(diagnostics[0]?.fix).toBeUndefined();
  });

  test.each([
    ["role", "Role", "**Rule**:"],
    ["pane", "Pane", "**Phase**:"],
    ["updated", "Updated", "**Updated by**:"],
  ])("that may be another word than %s is named and left alone", (field, name, found) => {
    const { diagnostics } = validateContextFile(contextText({ [field]: `${found} x` }));
    expect(diagnostics[0]?.message).toContain(
      `Expected "**${name}**: <value>" within the first 6 lines, found "${found}" on`,
    );
    expect(diagnostics[0]?.fix).toBeUndefined();
  });

  test.each([
    ["updated", "**Updtaed**: 2026-02-03"],
    ["updated", "Upated: 2026-02-03"],
    ["role", "**Roles**: tester"],
    ["pane", "**Panes**: 0.4"],
  ])("that can only be %s misspelt is renamed: %s", (field, line) => {
    const name = field.replace(/^./, (first) => first.toUpperCase());
    const fixed = fixContextFile(contextText({ [field]: line }));
    expect(fixed.text).toContain(`\n**${name}**: ${line.split(": ")[1]}\n`);
    expect(validateContextFile(fixed.text).diagnostics).toEqual([]);
  });

  test("without a value is said to have none", () => {
    const { diagnostics } = validateContextFile(contextText({ pane: "**Pane**: " }));
    expect(diagnostics.map(({ message }) => message)).toEqual(['Expected a value after "**Pane**:", found none']);
  });
});

describe("updated-date", () => {
  test.each([
    "2026-02-03",
    "2024-02-29",
    "2026-02-03T12:15Z",
    "2026-02-03 12:15",
    "2026-02-03T12:15:07.120+01:00",
    "2026-02-03 12:15 -0330",
    "2026-02-03T12:15 (after task 9)",
    "Tuesday, 2026-02-03",
    "2026-02-03T12:15T",
  ])("takes %s", (date) => expect(at(contextText({ updated: `**Updated**: ${date}` }))).toEqual([]));

  test.each([
    ["2026-02-30", 14],
    ["2025-02-29", 14],
    ["2026-13-01", 14],
    ["2026-00-10", 14],
    ["2026-02-03T25:00Z", 14],
    ["2026-02-03T12:15+24:00", 14],
    ["2026-02-03Tnoon", 14],
    ["on 2026-04-31", 17],
    ["yesterday", 14],
    ["03/02/2026", 14],
    ["12026-02-03", 14],
  ])("refuses %s at its place", (date, column) => {
    expect(at(contextText({ updated: `**Updated**: ${date}` }))).toEqual([`3:${column} updated-date`]);
  });
});

test.each([
  ["**Updated**: 2026-02-30, or so", "2026-02-30"],
  ["**Updated**: yesterday evening ", "yesterday evening"],
  ["**Updated**: on 2026/2/3", "on 2026/2/3"],
  ["**Updatet**: 2026-02-03", "**Updatet**: "],
  ["  Updated: 2026-02-03", "  Updated: "],
  ["**Model**: x | **Updated**: 2026-02-03", "**Updated**:"],
])("of %j, what is at fault is %j", (updated, fault) => {
  const { diagnostics } = validateContextFile(contextText({ updated }));
  expect(diagnostics.map(({ start, end }) => [start.line, end.line])).toEqual([[3, 3]]);
  expect(updated.slice((diagnostics[0]?.start.column ?? 0) - 1, (diagnostics[0]?.end.column ?? 0) - 1)).toBe(fault);
});

test("warns where the first step is another one, and takes the step with emphasis and an aside", () => {
  const steps = (first: string) => contextText({ recovery: `## Recovery Steps\n1. ${first}` });
  expect(at(steps("Read the plan"))).toEqual(["8:1 first-step"]);
  expect(at(steps("Read this filename"))).toEqual(["8:1 first-step"]);
  for (const good of ["**Read this file**", "read this file.", "Read this file (you are here)", "Read `this file`"])
    expect(at(steps(good))).toEqual([]);
});

test("steps whose numbers end below each other are steps of one list, the first of them too", () => {
  const steps = [
    " 1. Read this file",
    ...Array.from({ length: 9 }, (_, index) => `${index === 8 ? "" : " "}${index + 2}. Go on`),
  ];
  const { diagnostics, file } = validateContextFile(
    contextText({ recovery: `## Recovery Steps\n${steps.join("\n")}\n    1. in the tenth` }),
  );
  expect(diagnostics).toEqual([]);
  expect(file.data.recoverySteps).toHaveLength(10);
});

test("asks for a mark on each task under Completed Work and nowhere else", () => {
  const completed = [
    "## Completed Work",
    "### Task 1: a",
    "### Task 2: b (DONE)",
    "### Task 3: c (DONE — commits abc1234, def5678)",
    "### Task 4: d (DONE — commit nothing)",
    "### Notes",
    "## Next Tasks",
    "### Task 5: e",
  ].join("\n");
  expect(at(contextText({ completed }))).toEqual(["12:5 done-marker", "15:5 done-marker"]);
});

test("warns of a required section that stands twice, and names the first", () => {
  const { diagnostics } = validateContextFile(
    contextText({ rest: "## Pending\n## Key Files\n## Completed Work again" }),
  );
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    [
      "duplicate-section",
      'Expected one section "## Completed Work", found "## Completed Work again" after the one on line 11',
    ],
  ]);
});

test("says where a merge was left open, and takes neither an example of one nor half of one for it", () => {
  const pending = (...lines: readonly string[]) =>
    at(contextText({ rest: ["## Pending", ...lines, "## Key Files"].join("\n") }));
  const open = ["<<<<<<< HEAD", "- a", "||||||| base", "=======", "- b", ">>>>>>> colleague"];
  expect(pending(...open)).toEqual(["16:1 merge-conflict"]);
  expect(pending(...open, ...open)).toEqual(["16:1 merge-conflict"]);
  expect(pending("<<<<<<< HEAD", "```", "a", "=======", "```sh", "b", ">>>>>>> colleague", "```")).toEqual([
    "16:1 merge-conflict",
  ]);
  expect(pending("```", ...open, "```")).toEqual([]);
  // Each side begins a fence, and they share its end.
  const fences = pending("<<<<<<< HEAD", "```sh", "a", "=======", "```", "b", ">>>>>>> colleague", "```");
  expect(fences).toContain("16:1 merge-conflict");
  expect(pending("<<<<<<< HEAD", "- a")).toEqual([]);
  expect(pending("Title", "=======", ">>>>>>> quoted", "<<<<<<< HEAD")).toEqual([]);
});

test("notes an old heading once, and only where the section goes by no other name", () => {
  expect(at(contextText({ completed: "## Done" }))).toEqual(["11:4 completed-work", "11:4 heading-name"]);
  expect(at(contextText({ completed: "## Completed Work\n## Done" }))).toEqual([]);
  expect(
    at(contextText({ completed: "## Completed Work", rest: "## Todo\n- x\n## Recovery of disks\n## Key Files" })),
  ).toEqual(["13:4 pending", "13:4 heading-name"]);
});

test("does not promote a deeper heading, and says which it found", () => {
  const { diagnostics } = validateContextFile(contextText({ recovery: "### Recovery Steps\n1. Read this file" }));
  expect(diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
    ["recovery-steps", undefined],
    ["heading-name", undefined],
  ]);
  expect(diagnostics[0]?.message).toContain('found "### Recovery Steps"');
});

describe("what is known beside the text", () => {
  const text = contextText();
  const noon = new Date("2026-02-03T12:00:00Z");
  const later = new Date("2026-02-03T12:00:01Z");

  test("a file not written since the last recovery is stale", () => {
    expect(at(text, { lastRecovery: noon, modified: noon })).toEqual(["3:1 stale-context"]);
    expect(at(text, { lastRecovery: later, modified: noon })).toEqual(["3:1 stale-context"]);
    expect(at(text, { lastRecovery: noon, modified: later })).toEqual([]);
    expect(at(text, { lastRecovery: null, modified: noon })).toEqual([]);
    expect(at(text, { lastRecovery: noon, modified: null })).toEqual([]);
    // Where there is no date to point at, at the top.
    const undated = contextText({ updated: "" });
    expect(at(undated, { lastRecovery: noon, modified: noon })).toEqual(["1:1 metadata", "1:1 stale-context"]);
    const [stale] = validateContextFile(text, { lastRecovery: later, modified: noon }).diagnostics;
    expect(stale?.message).toBe(
      "Expected a file written after the last recovery at 2026-02-03T12:00:01.000Z, found one of 2026-02-03T12:00:00.000Z",
    );
    expect(stale?.hint).toBe("Write down what was done since, and save again.");
  });

  test("a file of another role is named", () => {
    expect(at(text, { role: "oosh-expert" })).toEqual([]);
    expect(at(text, { role: "tester" })).toEqual(["4:11 role-mismatch"]);
    expect(at(contextText({ role: "**Role**: oosh-expert" }), { role: "oosh-expert" })).toEqual([]);
  });
});

test("holds warnings against a file only where it is strict", () => {
  const { diagnostics } = validateContextFile(contextText({ rest: "## Pending" }));
  expect(diagnostics.map(({ code }) => code)).toEqual(["key-files"]);
  expect(isValid(diagnostics)).toBe(true);
  expect(isValid(diagnostics, { strict: true })).toBe(false);
  expect(isValid([], { strict: true })).toBe(true);
  // A note is none.
  const noted = validateContextFile(contextText({ completed: "## Completed Work\n## Done" })).diagnostics;
  expect(noted).toEqual([]);
  const place = { line: 1, column: 1 };
  const note = { code: "x", severity: "info", message: "", start: place, end: place } as const;
  expect(isValid([note], { strict: true })).toBe(true);
});

test("quotes a stranger's text on one line, without controls and without half a character", () => {
  const title = `# ${"x".repeat(56)}🚀 \u001B]0;owned\u0007`;
  const { diagnostics } = validateContextFile(contextText({ title }));
  const message = diagnostics[0]?.message ?? "";
  expect(message).toMatch(/🚀…"$/u);
  expect(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(message)).toBe(false);
  expect(validateContextFile(contextText({ title: "# \u001B[2J" })).diagnostics[0]?.message).toContain("\\u{1b}[2J");
});
