import { expect, test } from "vitest";
import { plural } from "../../src/base/plural.ts";

test("one is one, and all else is many, none among them", () => {
  expect([0, 1, 2].map((count) => plural(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
});
