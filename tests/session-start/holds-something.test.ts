import { expect, test } from "vitest";
import { holdsSomething } from "../../src/session-start/holds-something.ts";

test("a file may tell something but where it is not there, empty, or blank", () => {
  expect(holdsSomething({ kind: "text", text: "# Map" })).toBe(true);
  expect(holdsSomething({ kind: "text", text: " \n\t" })).toBe(false);
  expect(holdsSomething({ kind: "missing", reason: "does not exist" })).toBe(false);
  expect(holdsSomething({ kind: "empty", reason: "is empty" })).toBe(false);
});
