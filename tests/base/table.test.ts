import { expect, test } from "vitest";
import { table } from "../../src/base/table.ts";

test("aligns columns two blanks apart and ends no line in blanks", () => {
  expect(table([["ROLE", "STATE"], ["a", "active"], ["long-role", ""], ["b"]])).toBe(
    "ROLE       STATE\na          active\nlong-role\nb\n",
  );
});

test("counts code points, and is empty without rows", () => {
  expect(
    table([
      ["🚀", "x"],
      ["ab", "y"],
    ]),
  ).toBe("🚀   x\nab  y\n");
  expect(table([])).toBe("");
});
