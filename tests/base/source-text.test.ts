import * as fc from "fast-check";
import { expect, test } from "vitest";
import { positionAt, sourceText } from "../../src/base/source-text.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test.each([
  ["", []],
  ["\uFEFF", []],
  ["a", [["a", ""]]],
  ["a\n", [["a", "\n"]]],
  [
    "a\r\nb",
    [
      ["a", "\r\n"],
      ["b", ""],
    ],
  ],
  [
    "a\rb\r",
    [
      ["a", "\r"],
      ["b", "\r"],
    ],
  ],
  [
    "\n\r\n\r\r\n",
    [
      ["", "\n"],
      ["", "\r\n"],
      ["", "\r"],
      ["", "\r\n"],
    ],
  ],
  [
    "\uFEFFa\nb",
    [
      ["a", "\n"],
      ["b", ""],
    ],
  ],
  ["a\u2028b\u0085c\fd\n", [["a\u2028b\u0085c\fd", "\n"]]],
])("splits %j into lines and their endings", (text, expected) => {
  expect(sourceText(text).lines.map((line) => [line.text, line.ending])).toEqual(expected);
});

test("takes the newline style of the first line that has one", () => {
  expect(sourceText("a").newline).toBe("\n");
  expect(sourceText("a\r\nb\nc").newline).toBe("\r\n");
  expect(sourceText("a\rb\nc").newline).toBe("\r");
});

test("gives a place to every offset, counted without the BOM", () => {
  const source = sourceText("\uFEFFab\r\ncd\n");
  expect(positionAt(source, 0)).toEqual({ line: 1, column: 1 });
  expect(positionAt(source, 1)).toEqual({ line: 1, column: 1 });
  expect(positionAt(source, 3)).toEqual({ line: 1, column: 3 });
  expect(positionAt(source, 4)).toEqual({ line: 1, column: 3 });
  expect(positionAt(source, 5)).toEqual({ line: 2, column: 1 });
  expect(positionAt(source, 7)).toEqual({ line: 2, column: 3 });
  expect(positionAt(source, 8)).toEqual({ line: 3, column: 1 });
  expect(positionAt(source, 999)).toEqual({ line: 3, column: 1 });
  expect(positionAt(sourceText(""), 5)).toEqual({ line: 1, column: 1 });
});

const TEXT = fc
  .array(fc.constantFrom("a", "é", "🚀", "\n", "\r", "\r\n", " ", "\t", "\uFEFF", "\u2028"), { maxLength: 40 })
  .map((parts) => parts.join(""));

test("the lines and their endings are the text, and each span is its line", () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      const source = sourceText(text);
      const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
      expect(bom + source.lines.map((line) => line.text + line.ending).join("")).toBe(text);
      for (const [index, line] of source.lines.entries()) {
        expect(line.number).toBe(index + 1);
        expect(text.slice(line.span.start, line.span.end)).toBe(line.text);
        expect(/[\n\r]/.test(line.text)).toBe(false);
      }
    }),
  );
});

test("a place leads back to its offset", () => {
  fc.assert(
    fc.property(TEXT, fc.nat(), (text, number) => {
      const source = sourceText(text);
      const [first] = source.lines;
      if (first === undefined) return;
      const offset = Math.max(first.span.start, number % (text.length + 1));
      const { line, column } = positionAt(source, offset);
      const found = source.lines[line - 1];
      if (found === undefined) {
        expect(offset).toBe(text.length);
      } else {
        // An offset inside a line ending stands at its beginning.
        expect(Math.min(offset, found.span.end)).toBe(found.span.start + column - 1);
        expect(offset).toBeLessThan(found.span.end + Math.max(found.ending.length, 1));
      }
    }),
  );
});

test.each(["\n", "\r", "\r\n", "a", "\uFEFF"])(
  "reads a megabyte of %j in time that grows with the text only",
  (unit) => {
    const start = cpuTime();
    sourceText(unit.repeat(1_000_000 / unit.length));
    expect(cpuTime() - start).toBeLessThan(2_000);
  },
);
