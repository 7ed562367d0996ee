import { expect, test } from "vitest";
import { clipped } from "../../src/base/clipped.ts";

test("what fits stays as it is, what does not ends in an ellipsis, and no character is cut in two", () => {
  expect(clipped("saved", 5)).toBe("saved");
  expect(clipped("saving", 5)).toBe("savi…");
  expect(clipped("👩👩👩", 3)).toBe("👩👩👩");
  expect(clipped("👩👩👩👩", 3)).toBe("👩👩…");
});
