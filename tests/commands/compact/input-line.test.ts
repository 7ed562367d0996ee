import { describe, expect, test } from "vitest";
import { readScreen, withoutBlanks } from "../../../src/commands/compact/input-line.ts";

const RULE = `\u001b[38;5;244m${"─".repeat(60)}\u001b[39m`;
/** As 2.1.332 draws it, with the cursor that it draws itself. */
const screen = (...box: readonly string[]) =>
  [
    "❯ good morning",
    "\u001b[38;5;231m●\u001b[39m Hello there.",
    "",
    RULE,
    ...box,
    RULE,
    "\u001b[39m  ? for shortcuts",
  ].join("\n");

describe("the client's input line", () => {
  test.each<[string, string]>([
    ["with its cursor", "\u001b[39m❯\u00a0\u001b[7m \u001b[0m\u001b[39m\u001b[49m"],
    ["where a hint stands on it, in a faint colour", '❯ \u001b[7mT\u001b[27m\u001b[2mry "edit index.ts"\u001b[22m'],
    ["where a hint stands on it, in grey", "❯ \u001b[7mT\u001b[0m\u001b[38;5;246mry this\u001b[39m"],
    ["with the older prompt", "> "],
    ["in a box", "│ > │"],
  ])("is empty %s", (_name, row) => {
    expect(readScreen(screen(row)).input).toEqual({ kind: "empty" });
  });

  test("holds what is typed, whatever its rows and colours", () => {
    expect(readScreen(screen("❯\u00a0bring it up to date,", "  then stop\u001b[7m \u001b[0m")).input).toEqual({
      kind: "text",
      text: withoutBlanks("bring it up to date, then stop"),
    });
    expect(readScreen(screen("❯\u00a0\u001b[38;5;153m/compact\u001b[7m\u001b[39m \u001b[0m")).input).toEqual({
      kind: "text",
      text: "/compact",
    });
    expect(readScreen(screen("❯ a ❯ b > c")).input).toEqual({ kind: "text", text: "a❯b>c" });
  });

  test.each<[string, string]>([
    ["a question", ["Do you want to go on?", "❯ 1. Yes", "  2. No"].join("\n")],
    ["a question below an input line that stands in what was said", `${screen("❯ ")}\n Go on?\n ❯ 1. Yes\n   2. No`],
    ["a shell", "ready> ls\nfile\nready> "],
    ["a quoted line", "> quoted\n> again\n"],
    ["nothing", ""],
    ["an input line whose end is not drawn yet", `${RULE}\n❯ `],
  ])("is not seen in %s", (_name, capture) => {
    expect(readScreen(capture).input).toEqual({ kind: "none" });
  });

  test("what stands below it, such as a clock, is no sign of work; what stands above it is", () => {
    const idle = screen("❯ ");
    expect(readScreen(`${idle}\n12:00:01`).above).toBe(readScreen(`${idle}\n12:00:02`).above);
    expect(readScreen(idle.replace("Hello", "Working")).above).not.toBe(readScreen(idle).above);
  });
});
