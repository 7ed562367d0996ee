import fc from "fast-check";
import { expect, test } from "vitest";
import { ContextFile } from "../../src/context-file/model.ts";
import { parseContextFile } from "../../src/context-file/parse.ts";
import { contextText } from "./context-text.ts";
import { nastyText } from "./nasty-file.ts";

test("reads what a file says", () => {
  const rest = "## Pending Tasks\n- one\n  - nested\n- [ ] two\n\n## Key Files\n- `a b.md` — x\n- no path\n- `c`";
  expect(parseContextFile(contextText({ rest })).data).toEqual({
    title: "OOSH Expert — Session Context",
    roleTitle: "OOSH Expert",
    updated: "2026-02-03T12:15Z",
    role: { name: "oosh-expert", description: "implementation & architecture" },
    pane: "0.4 in cursorOrchestrator",
    sections: [
      { heading: "Recovery Steps", kind: "recovery-steps", line: 7 },
      { heading: "Completed Work", kind: "completed-work", line: 11 },
      { heading: "Pending Tasks", kind: "pending", line: 15 },
      { heading: "Key Files", kind: "key-files", line: 20 },
    ],
    recoverySteps: ["Read this file", "Ask for work"],
    completedTasks: [{ title: "Task 8: Navigation (DONE — commit c2c326f)", done: true, line: 12 }],
    pending: ["one", "two"],
    keyFiles: ["a b.md", "c"],
  });
});

test("reads nothing from nothing", () => {
  expect(parseContextFile("").data).toEqual({
    title: null,
    roleTitle: null,
    updated: null,
    role: null,
    pane: null,
    sections: [],
    recoverySteps: [],
    completedTasks: [],
    pending: [],
    keyFiles: [],
  });
});

test("a section spans its deeper headings and ends at the next of its level or above", () => {
  const text = "# A — Context\n## Recovery Steps\n1. a\n### more\n2. b\n# B\n3. c\n";
  const [section] = parseContextFile(text).sections;
  expect(text.slice(section?.span.start, section?.span.end)).toBe("## Recovery Steps\n1. a\n### more\n2. b\n");
  expect(parseContextFile(text).data.recoverySteps).toEqual(["a", "b"]);
});

test("an item that goes on in the next line is given whole", () => {
  const text =
    "## Recovery Steps\r\n1. Read this\r\n   file\r\n2. Ask\r\n\r\n## Pending\r\n- one\r\n  more\r\n  - nested\r\n";
  const { data } = parseContextFile(text);
  expect(data.recoverySteps).toEqual(["Read this file", "Ask"]);
  expect(data.pending).toEqual(["one more"]);
});

test("what a comment behind an item says in its middle is not the item's", () => {
  const text = "## Pending\n- one <!-- not\n  this\n  one -->\n- two\n";
  expect(parseContextFile(text).data.pending).toEqual(["one", "two"]);
});

test("a section holds the lists and the headings below it, and none of those above", () => {
  const text = [
    "# A — Context\n1. above\n### Task 1: above\n## Recovery Steps\n1. a\n2.\n### Task 2: x\n# B\n- between",
    "## Completed Work\n### Task 3: y\n#### Task 4: z\n## Pending\n- c\n# C\n- d\n## Key Files\nsee\n- `e` and `f`\n- the `g`\n## More\n- h",
  ].join("\n");
  const { data } = parseContextFile(text);
  expect(data.recoverySteps).toEqual(["a"]);
  expect(data.completedTasks).toEqual([{ title: "Task 3: y", done: false, line: 11 }]);
  expect(data.pending).toEqual(["c"]);
  expect(data.keyFiles).toEqual(["e"]);
  expect(data.sections.map(({ heading, kind }) => [heading, kind])).toEqual([
    ["Recovery Steps", "recovery-steps"],
    ["Completed Work", "completed-work"],
    ["Pending", "pending"],
    ["Key Files", "key-files"],
    ["More", "other"],
  ]);
});

test.each([
  ["a-b", { name: "a-b", description: null }],
  ["a-b ()", { name: "a-b", description: null }],
  ["a-b ( x )", { name: "a-b", description: "x" }],
  ["a-b (x (y) z) w", { name: "a-b", description: "x (y) z" }],
  ["a-b (x", { name: "a-b", description: "x" }],
  ["a) b (x y", { name: "a) b", description: "x y" }],
])("of the role %j the name and what stands in parentheses are read", (value, role) => {
  expect(parseContextFile(contextText({ role: `**Role**: ${value}` })).data.role).toEqual(role);
});

test("fields without a value say nothing", () => {
  const { data } = parseContextFile(contextText({ updated: "**Updated**:", role: "**Role**: ", pane: "**Pane**:" }));
  expect([data.updated, data.role, data.pane]).toEqual([null, null, null]);
});

test("any text parses into the shape of the schema, and its sections lie in order", () => {
  fc.assert(
    fc.property(fc.oneof(nastyText, fc.string({ unit: "binary" })), (text) => {
      const file = parseContextFile(text);
      expect(ContextFile.parse(file.data)).toEqual(file.data);
      let end = 0;
      for (const section of file.sections) {
        expect(section.span.start).toBeGreaterThanOrEqual(end);
        expect(section.items.every(({ line }) => line.span.start > section.span.start)).toBe(true);
        expect(section.items.every(({ line }) => line.span.end <= section.span.end)).toBe(true);
        end = section.span.end;
      }
    }),
    { numRuns: 1500 },
  );
});
