import { expect, test } from "vitest";
import { holdsSomething } from "../../src/session-start/holds-something.ts";

test("the document has something of a file but where it is not there, empty, blank, or no text", () => {
  expect(holdsSomething({ kind: "text", text: "# Map" })).toBe(true);
  expect(holdsSomething({ kind: "text", text: " \n\t" })).toBe(false);
  expect(holdsSomething({ kind: "missing", reason: "does not exist" })).toBe(false);
  expect(holdsSomething({ kind: "empty", reason: "is empty" })).toBe(false);
  expect(holdsSomething({ kind: "binary", reason: "is not UTF-8" })).toBe(false);
});
