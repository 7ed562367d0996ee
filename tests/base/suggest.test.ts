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
