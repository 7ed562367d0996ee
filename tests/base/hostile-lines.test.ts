import { expect, test } from "vitest";
import { outline } from "../../src/base/markdown.ts";
import { sourceText } from "../../src/base/source-text.ts";
import { applyEdits } from "../../src/base/text-edit.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const SIZE = 300_000;

test.each([
  ["blanks behind a bullet, then a line separator", `- ${" ".repeat(SIZE)}\u2028x`],
  ["blanks behind a box, then a line separator", `- [ ]${" ".repeat(SIZE)}\u2028x`],
  ["backticks, then a line separator", `${"`".repeat(SIZE)}\u2028x`],
  ["tildes, then a line separator", `${"~".repeat(SIZE)}\u2028x`],
  ["runs of backticks that get shorter", `${Array.from({ length: 770 }, (_, i) => "`".repeat(770 - i)).join(" ")}<!--`],
  ["comments that open and close", "<!---->".repeat(SIZE / 7)],
  ["comments behind blanks", `${" ".repeat(SIZE)}${"<!---->".repeat(SIZE / 7)}`],
  ["comment marks that nothing closes", "a <!--\n".repeat(SIZE / 7)],
])("reads %s in time that grows with the line only", (_name, text) => {
  const start = cpuTime();
  outline(sourceText(text));
  expect(cpuTime() - start).toBeLessThan(2_000);
});

test("reads a fence whose info string holds a line separator", () => {
  const titles = outline(sourceText("```js\u2028x\n# quoted\n```\n# real")).headings.map((heading) => heading.title);
  expect(titles).toEqual(["real"]);
});

test("closes a code span by a run of its own length only", () => {
  expect(outline(sourceText("`a`` <!-- b ` c\n# seen")).headings).toHaveLength(1);
  expect(outline(sourceText("``a` <!-- b\n# hidden\n-->")).headings).toHaveLength(0);
});

test("applies many edits in time that grows with their number only", () => {
  const edits = Array.from({ length: 60_000 }, (_, i) => ({ span: { start: i * 2, end: i * 2 + 1 }, text: "b" }));
  const start = cpuTime();
  expect(applyEdits("aa".repeat(60_000), edits)).toBe("ba".repeat(60_000));
  expect(cpuTime() - start).toBeLessThan(2_000);
});

test("leaves out the later of two edits that overlap, wherever they stand in the list", () => {
  const edits = [
    { span: { start: 2, end: 5 }, text: "X" },
    { span: { start: 7, end: 8 }, text: "Y" },
    { span: { start: 0, end: 3 }, text: "Z" },
  ];
  expect(applyEdits("0123456789", edits)).toBe("01X56Y89");
});
