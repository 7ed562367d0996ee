import { expect, test } from "vitest";
import { indentOf, listContent } from "../../src/base/list-content.ts";

test.each([
  ["", 0],
  ["a", 0],
  ["   a", 3],
  ["\ta", 4],
  [" \ta", 4],
  ["   \ta", 4],
  ["    \ta", 8],
  ["\t\ta", 8],
  ["  ", 2],
  ["\u00A0a", 0],
])("%j is indented by %d columns", (text, columns) => {
  expect(indentOf(text)).toBe(columns);
});

test.each([
  ["- a", { at: 2, column: 2 }],
  ["* a", { at: 2, column: 2 }],
  ["+ a", { at: 2, column: 2 }],
  ["  - a", { at: 4, column: 4 }],
  ["-   a", { at: 4, column: 4 }],
  ["-    a", { at: 5, column: 5 }],
  ["7. a", { at: 3, column: 3 }],
  ["7) a", { at: 3, column: 3 }],
  ["09. a", { at: 4, column: 4 }],
  ["123456789. a", { at: 11, column: 11 }],
  ["-\ta", { at: 2, column: 4 }],
  ["  -\ta", { at: 4, column: 4 }],
  [" 7)\ta", { at: 4, column: 4 }],
])("in %j the content begins at %j", (text, content) => {
  expect(listContent(text)).toEqual(content);
});

test.each([
  ["-     a", { at: 6, column: 2 }],
  ["-\t\ta", { at: 3, column: 2 }],
  ["  1.      a", { at: 10, column: 5 }],
])("in %j the content is indented code, and lines belong to the item from the first column on", (text, content) => {
  expect(listContent(text)).toEqual(content);
});

test.each([
  ["-", { at: 1, column: 2 }],
  ["-   ", { at: 4, column: 2 }],
  ["  12.", { at: 5, column: 6 }],
])("the item %j is empty", (text, content) => {
  expect(listContent(text)).toEqual(content);
});

test.each(["", "a", "-a", "--", "1", "1.a", ".", ")", "1234567890. a", "7: a", "/. a", "=- a", "_ a", "٣. a", "1- a"])(
  "%j begins no item",
  (text) => {
    expect(listContent(text)).toBeNull();
  },
);
