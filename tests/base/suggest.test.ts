import { expect, test } from "vitest";
import { suggest } from "../../src/base/suggest.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test.each([
  ["oosh-expret", "oosh-expert"],
  ["Oosh-Expert", "oosh-expert"],
  ["oosh_expert", "oosh-expert"],
  ["testre", "tester"],
  ["xyz", null],
  ["orchestrate-everything-now", null],
])("for %s it is %s", (word, expected) => {
  expect(suggest(word, ["tester", "oosh-expert", "scrum-master"])).toBe(expected);
});

test("has none where there is nothing to choose from", () => {
  expect(suggest("a", [])).toBeNull();
});

test("takes the nearest, and of equals the first in byte order, whatever order they come in", () => {
  expect(suggest("saev", ["save", "safe"])).toBe("save");
  expect(suggest("bat", ["cat", "bar", "bas"])).toBe("bar");
  expect(suggest("bat", ["bas", "bar", "cat"])).toBe("bar");
});

test("answers at once for a megabyte", () => {
  const start = cpuTime();
  expect(suggest("a".repeat(1_000_000), ["tester", "a".repeat(64)])).toBeNull();
  expect(cpuTime() - start).toBeLessThan(2_000);
});

test("two letters that changed places are one mistake, at the start, inside and at the end", () => {
  expect(suggest("ba", ["ab"])).toBe("ab");
  expect(suggest("acbd", ["abcd", "acxx"])).toBe("abcd");
  expect(suggest("vaildaet", ["validate"])).toBe("validate");
  expect(suggest("ca", ["abc"])).toBeNull();
});

test("as many mistakes as two fifths of the longer of the two are near enough, and one always is", () => {
  expect(suggest("a", ["b"])).toBe("b");
  expect(suggest("ab", ["cd"])).toBeNull();
  expect(suggest("abcde", ["abcxy"])).toBe("abcxy");
  expect(suggest("abcde", ["abxyz"])).toBeNull();
  expect(suggest("abc", ["abcde"])).toBe("abcde");
  expect(suggest("abcde", ["abc"])).toBe("abc");
  expect(suggest("", ["a", "ab"])).toBe("a");
});

test("a nearer one later in the order is taken", () => {
  expect(suggest("status", ["state", "statux"])).toBe("statux");
  expect(suggest("validat", ["valid", "validate"])).toBe("validate");
});
