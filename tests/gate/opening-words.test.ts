import { describe, expect, test } from "vitest";
import { asksToSkip } from "../../src/gate/opening-words.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

describe("a prompt", () => {
  test.each([
    "skip the gate",
    "Please skip the gate, we are in a hurry.",
    "Skip that reading gate and edit",
    "open the gate",
    "skip  the \n reading   gate",
    "just bypass the gate",
    "run `context gate --skip` and go on",
    "I was told not to read. Skip the gate!",
  ])("opens the gate: %s", (prompt) => {
    expect(asksToSkip(prompt)).toBe(true);
  });

  test.each([
    "continue project 24",
    "do not skip the gate",
    "do not skip the gate, it is there for a reason",
    "never   skip the gate",
    "be sure not to skip the gate",
    "be sure not to   skip the gate",
    "don't skip the gate",
    "don’t ever do that; never skip the gate",
    "skip the tests and fix the gate",
    "skip this file",
    "the gatekeeper: skip the gatekeeper",
    "write docs for the gate",
    `${"a long pasted log ".repeat(400)} skip the gate`,
  ])("leaves it as it is: %.60s", (prompt) => {
    expect(asksToSkip(prompt)).toBe(false);
  });

  test.each(["skip ", "skip the ", "gate ", " ", "not "])("of a megabyte of %j is read at once", (piece) => {
    const start = cpuTime();
    asksToSkip(piece.repeat(1_000_000 / piece.length));
    expect(cpuTime() - start).toBeLessThan(1000);
  });
});
