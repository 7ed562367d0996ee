import { expect, test } from "vitest";
import { askFault } from "../../src/config/ask-fault.ts";
import { DEFAULT_ASK } from "../../src/config/default-ask.ts";

test.each([DEFAULT_ASK, "save", "- save; then $(stop) #{now} \"x\" 'y'", "é 漢字", "a ! b / c # d"])(
  "%j can be typed",
  (text) => {
    expect(askFault(text)).toBeNull();
  },
);

test.each([
  ["", "found nothing"],
  ["  ", "found nothing"],
  ["!rm -rf x", 'found "!" at the start'],
  ["  /clear", 'found "/" at the start'],
  ["# note", 'found "#" at the start'],
  ["one\ntwo", "one line without control characters"],
  ["\u001b[201~", "one line without control characters"],
  ["goes on \\", "takes for a new line"],
  ["x".repeat(501), "at most 500 characters, found 501"],
])("%j cannot, and what was found is said", (text, found) => {
  expect(askFault(text)).toContain(found);
});
