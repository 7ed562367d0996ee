import { expect, test } from "vitest";
import { isSessionId } from "../../src/base/session-id.ts";

test.each([
  "b9ff7b48-ef86-4ef0-86d3-7835c69ec06b",
  "a",
  "0.x_y-z",
  "a".repeat(128),
  "console",
  "comma",
  "icon",
  "auxx.1",
  "lpt",
])("%j can be a session's", (id) => {
  expect(isSessionId(id)).toBe(true);
});

test.each([
  "",
  ".",
  "..",
  "../x",
  "a/b",
  "a\\b",
  "-x",
  "a".repeat(129),
  "a\0b",
  "a b",
  "é",
  "a\n",
  "CON",
  "nul.json",
  "com1",
  "LPT2.log",
])("%j can be no session's: it would be no file's name on every system", (id) => {
  expect(isSessionId(id)).toBe(false);
});
