import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countSteps } from "../../src/projects/count-steps.ts";
import { parseSteps } from "../../src/projects/steps.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const FIXTURES = new URL("../fixtures/nexus/", import.meta.url);

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), "utf8");
}

describe("reads the steps of real projects", () => {
  const expected: Record<
    string,
    { phase: string; first_unchecked: string; current_section?: number; current_task?: number }
  > = JSON.parse(fixture("steps.expected.json"));
  test.each(Object.entries(expected))("%s", (name, verdict) => {
    const steps = parseSteps(fixture(name));
    expect(verdict.phase.startsWith(steps.phase)).toBe(true);
    expect(steps.currentTask?.text).toBe(verdict.first_unchecked);
    if (verdict.current_section !== undefined) expect(steps.currentSection).toBe(verdict.current_section);
    if (verdict.current_task !== undefined) expect(steps.currentTask?.ordinal).toBe(verdict.current_task);
  });

  test("counts a new project", () => {
    expect(parseSteps(fixture("04-steps.new-project.md"))).toMatchObject({ closed: 0, total: 6, currentSection: 1 });
  });

  test("counts a project in execution, whose phase 10 is not phase 1", () => {
    const steps = parseSteps(fixture("04-steps.in-execution.md"));
    expect(steps).toMatchObject({ closed: 3, total: 6, currentTask: { ordinal: 4, phase: 2, line: 15 } });
    expect(
      steps.phases.map(({ number, title, marked, closed, total }) => [number, title, marked, closed, total]),
    ).toEqual([
      [1, "Planning", true, 2, 2],
      [2, "Sub-Project 29A - Mode Detection", false, 1, 3],
      [10, "Cleanup", false, 0, 1],
    ]);
  });

  test("counts nested, starred and numbered boxes, and none in a fence", () => {
    expect(parseSteps(fixture("04-steps.edge-cases.md"))).toMatchObject({
      closed: 3,
      total: 7,
      currentTask: { ordinal: 4, text: "Escape `<` & `>` in output" },
    });
  });
});

test("no line of a comment is a task's text, however many it has", () => {
  const text =
    "- [ ] Parse <!-- note\n  its middle\n  end -->\n- [ ] b\n  c <!-- d\n  e -->\r\n- [ ] f <!-- g -->\n  h\n";
  expect(parseSteps(`\uFEFF${text}`).tasks.map((task) => task.text)).toEqual(["Parse", "b c", "f h"]);
  expect(countSteps(text).currentTask).toBe("Parse");
});

test.each([
  ["a bullet of each kind", "- [ ] a\n* [ ] b\n+ [x] c\n1. [X] d\n2) [ ] e\n", 2, 5],
  ["nested boxes under tabs and blanks", "- [x] a\n  - [ ] b\n\t- [x] c\n      - [ ] d\n", 2, 4],
  ["a fence of tildes", "~~~\n- [ ] a\n~~~\n- [x] b\n", 1, 1],
  ["a fence in a list", "- [x] a\n  ```\n  - [ ] b\n  ```\n- [ ] c\n", 1, 2],
  ["a fence that is never closed", "- [x] a\n```\n- [ ] b\n", 1, 1],
  ["a fence within a longer one", "````\n```\n- [ ] a\n```\n- [ ] b\n````\n- [ ] c\n", 0, 1],
  ["a comment", "<!-- - [ ] a\n- [ ] b -->\n- [ ] c\n", 0, 1],
  ["CRLF and a BOM", "\uFEFF- [x] a\r\n- [ ] b\r\n", 1, 2],
  ["an empty box", "- [ ]\n- [x]\n", 1, 2],
  ["marks that are no boxes", "- [] a\n- [y] b\n- [-] c\n-[ ] d\n[ ] e\n- x [ ] f\n", 0, 0],
])("counts with %s", (_name, text, closed, total) => {
  expect(parseSteps(text)).toMatchObject({ closed, total });
});

test.each([
  ["## Phase 1: Planning (COMPLETE)", 1, "Planning", true],
  ["## Phase 1: Planning ✅ COMPLETE", 1, "Planning", true],
  ["## Phase 1: Planning - COMPLETE", 1, "Planning", true],
  ["## Phase 1: Planning — COMPLETE", 1, "Planning", true],
  ["## Phase 1: Planning ✅", 1, "Planning", true],
  ["## ✅ Phase 1: Planning", 1, "Planning", true],
  ["## Phase 1: Planning (✅ Complete)", 1, "Planning", true],
  ["## **Phase 3** - Build", 3, "Build", false],
  ["## Section 12", 12, "", false],
  ["## SECTION 2: Make it COMPLETE", 2, "Make it COMPLETE", false],
  ["## Phase 2: Ship (complete rewrite)", 2, "Ship (complete rewrite)", false],
  ["## Phase 2b: More ##", 2, "More", false],
  ["## Phase 2.1 Parser", 2, "Parser", false],
])("reads %s", (heading, number, title, marked) => {
  const [phase] = parseSteps(`${heading}\n- [ ] a\n`).phases;
  expect(phase).toMatchObject({ number, title, marked, total: 1 });
});

test.each(["# Phase 1", "### Phase 1", "## Phase one", "## Phases 1", "## The Phase 1", "## Phase 1x2"])(
  "takes %s for no phase",
  (heading) => {
    expect(parseSteps(`${heading}\n- [ ] a\n`).phases).toEqual([]);
  },
);

test.each([
  ["- [x] a\n- [ ]\n- [ ] b\n", "(no text)"],
  ["- [ ] \n", "(no text)"],
  ["- [ ]\n  do this\n", "do this"],
])("an open box that nothing stands beside is told as a task, %j", (text, task) => {
  expect(parseSteps(text).currentTask?.text).toBe(task);
  expect(countSteps(text).currentTask).toBe(task);
});

describe("says where the work stands", () => {
  test("planning while phase 1 has an open box, whatever its heading says", () => {
    const steps = parseSteps("## Phase 1: Planning (COMPLETE)\n- [ ] a\n## Phase 2\n- [ ] b\n");
    expect(steps).toMatchObject({ phase: "planning", currentSection: 1, currentTask: { text: "a", phase: 1 } });
  });

  test("execution where only phase 10 is open", () => {
    const steps = parseSteps("## Phase 1\n- [x] a\n## Phase 10\n- [ ] b\n");
    expect(steps).toMatchObject({ phase: "execution", currentSection: 10 });
  });

  test("complete where all are closed, in the last phase", () => {
    const steps = parseSteps("## Phase 1\n- [x] a\n## Phase 2\n- [x] b\n");
    expect(steps).toMatchObject({ phase: "complete", currentSection: 2, currentTask: null, closed: 2, total: 2 });
  });

  test("empty where there are no boxes", () => {
    expect(parseSteps("")).toMatchObject({ phase: "empty", currentSection: 1, currentTask: null, total: 0 });
    expect(parseSteps("## Phase 1\n\ntext\n").phase).toBe("empty");
  });

  test("a box before the first phase and one in another chapter belong to no phase", () => {
    const { tasks, currentSection, phase } = parseSteps(
      "- [ ] a\n## Phase 1\n- [x] b\n### Part\n- [x] c\n## Notes\n- [ ] d\n",
    );
    expect(tasks.map((task) => task.phase)).toEqual([null, 1, 1, null]);
    expect([currentSection, phase]).toEqual([1, "execution"]);
  });
});

test.each([
  [
    "- [ ] Write the parser\n  for the new format,\r\n\tand test it\n",
    "Write the parser for the new format, and test it",
  ],
  ["1. [ ] One\n   `two`\n", "One `two`"],
  ["- [ ] One\n\n  Two\n", "One"],
  ["- [ ] One\nTwo\n", "One"],
  ["- [ ] One\n  - two\n  three\n", "One"],
  ["- [ ] One\n  ```\n  two\n  ```\n", "One"],
  ["- [ ] One\n  # Two\n", "One"],
  ["- [ ] One\n  | two |\n", "One"],
  ["- [ ] One <!-- a\n  b -->\n", "One"],
])("the current task of %j is told whole, without what stands below it", (text, task) => {
  expect(parseSteps(text).currentTask?.text).toBe(task);
  expect(countSteps(text).currentTask).toBe(task);
});

test("closed and open boxes add up, and the first open one is the current task", () => {
  const line = fc.constantFrom(
    "- [ ] a",
    "- [x] b",
    "  * [X] c",
    "1. [ ] d",
    "## Phase 1",
    "## Phase 2",
    "```",
    "text",
    "",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const steps = parseSteps(lines.join("\n"));
      const open = steps.tasks.filter((task) => !task.done);
      expect(steps.closed + open.length).toBe(steps.total);
      expect(steps.currentTask).toEqual(open[0] ?? null);
      expect(steps.tasks.map((task) => task.ordinal)).toEqual(steps.tasks.map((_task, index) => index + 1));
      expect(steps.phases.reduce((sum, phase) => sum + phase.total, 0)).toBe(
        steps.tasks.filter((task) => task.phase !== null).length,
      );
      for (const task of steps.tasks) expect(lines[task.line - 1]).toContain(task.text);
    }),
  );
});

test.each([
  ["a million blanks in a heading", `## Phase 1: a${" ".repeat(1_000_000)}b`],
  ["a million brackets in a heading", `## Phase 1: ${"(".repeat(1_000_000)})`],
  ["a million dashes in a heading", `## Phase 1${" -".repeat(500_000)} COMPLETE`],
  ["a heading of marks only", `## ${"✅".repeat(1_000_000)}`],
  ["a heading of digits", `## Phase ${"1".repeat(1_000_000)}`],
  ["twenty thousand phases with a box each", "## Phase 1\n- [x] a\n".repeat(20_000)],
  ["a million blanks below a box", `- [ ] a\n${" ".repeat(1_000_000)}`],
  ["a box of half a million lines", `- [ ] a\n${"  b\n".repeat(500_000)}`],
  ["twenty thousand phases before one box", `${"## Phase 1\n".repeat(20_000)}- [ ] a`],
])("reads %s in time that grows with the text only", (_name, text) => {
  const start = cpuTime();
  countSteps(text);
  parseSteps(text);
  expect(cpuTime() - start).toBeLessThan(2_000);
});
