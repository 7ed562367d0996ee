import { expect, test } from "vitest";
import { listedPaths } from "../../src/resume/listed-paths.ts";
import { writtenPhase } from "../../src/resume/parse-manifest.ts";

test("tells the paths that a manifest lists with their places, without those that are no files of the project", () => {
  const text = [
    "---",
    "files_to_load:",
    "  - 01-planning/plan.md # why",
    "  - ../x.md",
    "  - /etc/passwd",
    "  - [nested.md]",
    "  -",
    "  - 'a b.md'",
    "---",
    "",
  ].join("\n");
  expect(listedPaths(text)).toMatchObject([
    { listed: "01-planning/plan.md", start: { line: 3, column: 5 }, end: { line: 3, column: 24 } },
    { listed: "a b.md", start: { line: 8, column: 5 }, end: { line: 8, column: 13 } },
  ]);
});

test.each(["", "no front matter", "---\nfiles_to_load: a.md\n---\n", "---\na: [\n---\n", "---\na: b\n---\n"])(
  "finds no path in %j",
  (text) => {
    expect(listedPaths(text)).toEqual([]);
  },
);

test.each([
  ["---\ncurrent_phase: execution\nfiles_to_load: 7\n---\n", "execution"],
  ["---\nphase: planning\n---\n", "planning"],
  ["---\ncurrent_phase: someday\n---\n", null],
  ["---\na: [\n---\n", null],
  ["no front matter", null],
])("the phase that %j names is %j", (text, phase) => {
  expect(writtenPhase(text)).toBe(phase);
});
