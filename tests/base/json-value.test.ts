import { expect, test } from "vitest";
import { isObject, isTextList, parseJson, stringAt } from "../../src/base/json-value.ts";

test("text that is no JSON is told from each value that JSON has, null among them", () => {
  expect(parseJson("null")).toBe(null);
  expect(parseJson("")).toBe(undefined);
  expect(parseJson('{"a":')).toBe(undefined);
  expect(parseJson("\uFEFF{}")).toBe(undefined);
});

test("a list and null are no objects", () => {
  expect([{}, { a: 1 }, [], null, "text", undefined].map(isObject)).toEqual([true, true, false, false, false, false]);
});

test("one element that is no text makes a list none of texts", () => {
  expect([[], ["a", ""], ["a", 1], ["a", null], "a", null].map(isTextList)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("only a text stands under a key as one", () => {
  expect(["text", "", 1, null, undefined].map((value) => stringAt({ value }, "value"))).toEqual([
    "text",
    "",
    null,
    null,
    null,
  ]);
});
