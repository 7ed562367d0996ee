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
