import { expect, test } from "vitest";
import { scanNested } from "../../src/workspace/scan-nested.ts";

test.each([
  ["", {}],
  ["a: b\n", { a: "b" }],
  ["a:   b c   # d e", { a: "b c" }],
  ["a : b#c", { a: "b#c" }],
  ["  a: b\r\n", { a: "b" }],
  ['a: "b c"   # d e\nb: \'c "d"\'\nc: \'\'\nd: ""', { a: "b c", b: 'c "d"', c: "", d: "" }],
  ['a: x "b"\nb: x []', { a: 'x "b"', b: "x []" }],
  ["a: []   # b c\nb: {}", {}],
  ["a:\nb: # c\nc: 1", { c: "1" }],
  ["a:\n  # c\n\n  b:   # c\n      c: 1\n  d: 2\ne: 3", { "a.b.c": "1", "a.d": "2", e: "3" }],
  ["a:\n b: 1\nc:\n    b: 2", { "a.b": "1", "c.b": "2" }],
  ["A_1-b: 2026-01-02 x:y", { "A_1-b": "2026-01-02 x:y" }],
])("of %j the plain scan takes %j", (text, values) => {
  expect(Object.fromEntries(scanNested(text) ?? [["null", "null"]])).toEqual(values);
});

test.each([
  "a\n",
  "x y: 1",
  "- a: 1",
  "a:b",
  "a: b: c",
  "a: b:",
  "a: :b",
  'a: "b" c',
  'a: "b\\n"',
  "a: 'b''c'",
  "a: []x",
  "a: [1]",
  "a: {}x",
  "a: |",
  "a: &b c",
  "a: -1",
  "a:\tb",
  "a: b\u00A0",
  "a: b\uFEFF",
  "a: b\rc: d",
  "a: b\r",
  "a: 1\na: 2",
  "a: 1\n  b: 2",
  "a:\n    b: 1\n  c: 2",
  "a: 'b'\n  c: 1",
  `${"a".repeat(129)}: 1`,
])("%j is left to a YAML parser", (text) => {
  expect(scanNested(text)).toBeNull();
});
