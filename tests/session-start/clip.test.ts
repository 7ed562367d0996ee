import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { characterEnd, clip, clipLine, clipPath } from "../../src/session-start/clip.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe("a place to cut", () => {
  test.each([
    ["a rocket", "a🚀b", 2, 1],
    ["a family", "x👨‍👩‍👧y", 6, 1],
    ["a skin tone", "x👍🏽y", 3, 1],
    ["a flag", "x🇩🇪🇫🇷y", 3, 1],
    ["the second flag's start", "x🇩🇪🇫🇷y", 5, 5],
    ["a letter and its mark", "xe\u0301y", 2, 1],
    ["a CRLF", "x\r\ny", 2, 1],
    ["plain letters", "abcd", 2, 2],
  ])("does not part %s", (_, text, end, expected) => {
    expect(characterEnd(text, end)).toBe(expected);
  });

  test("parts a long pile of marks rather than nothing, and never a pair", () => {
    const pile = `${"ab".repeat(100)}${"\u0301".repeat(1000)}`;
    expect(characterEnd(pile, 600)).toBe(600);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, end) => {
        const cut = characterEnd(text, end);
        expect(cut).toBeLessThanOrEqual(Math.max(0, Math.min(end, text.length)));
        expect(LONE.test(text.slice(0, cut))).toBe(false);
      }),
    );
  });
});

describe("a clipped text", () => {
  test("counts what it was and stays within its limit", () => {
    expect(clip("short", 10)).toBe("short");
    expect(clip("x".repeat(100), 40)).toBe(`${"x".repeat(22)}… (100 characters)`);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.nat(100), (text, limit) => {
        for (const cut of [clip, clipLine, clipPath]) expect(cut(text, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test("on one line has no newline, and a path keeps its blanks", () => {
    expect(clipLine("a\n\n  b\tc ", 100)).toBe("a b c");
    expect(clipPath("a  b\nc", 100)).toBe("a  b c");
  });

  test.each([" ", "a", "\n", "\u0301"])("takes linear time on a megabyte of %j", (character) => {
    const started = cpuTime();
    clipLine(character.repeat(1_000_000), 300);
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});
