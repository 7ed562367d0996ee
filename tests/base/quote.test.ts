import { expect, test } from "vitest";
import { countCharacters, firstCharacters, quote } from "../../src/base/quote.ts";

test("a text is quoted on one line, its controls shown as what they are", () => {
  expect(quote("24-demo")).toBe('"24-demo"');
  expect(quote("a\nb")).not.toContain("\n");
  expect(quote("\u001b[2J")).not.toContain("\u001b");
});

test("sixty characters are shown whole; of more the last is an ellipsis", () => {
  expect(quote("x".repeat(60))).toBe(`"${"x".repeat(60)}"`);
  expect(quote("x".repeat(61))).toBe(`"${"x".repeat(59)}…"`);
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["", 3, ""],
  ["🚀🚀🚀", 3, "🚀🚀🚀"],
  ["🚀🚀🚀🚀", 3, "🚀🚀…"],
  ["ab🚀", 3, "ab🚀"],
  ["ab🚀d", 3, "ab…"],
])("of %j the first %d characters are %j: none is split", (text, count, first) => {
  expect(firstCharacters(text, count)).toBe(first);
});

test("of a megabyte only the start is looked at", () => {
  expect(firstCharacters("🚀".repeat(500_000), 4)).toBe("🚀🚀🚀…");
});

test.each([
  "",
  "abc",
  "🚀",
  "a🚀b",
  "🚀🚀",
  "\u{10000}\u{10FFFF}",
  "\uD800",
  "\uDC00",
  "\uD800a\uDC00",
  "\uDC00\uD800",
  "\uDFFF\uDFFF",
  "\uDBFF\uDFFF",
  "\uD7FF\uDC00",
  "\uD800\uE000",
  "\uDBFF\uDBFF",
])("counts the characters of %j as a list of them would", (text) => {
  expect(countCharacters(text)).toBe([...text].length);
});
