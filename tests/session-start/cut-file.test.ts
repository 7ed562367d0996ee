import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeXml } from "../../src/base/xml.ts";
import { characterEnd } from "../../src/session-start/clip.ts";
import { cutAt, cutText } from "../../src/session-start/cut-file.ts";
import { estimate } from "./facts.ts";

const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join("");
const PLENTY = 1_000_000;

describe("a cut text", () => {
  test("ends with a whole line, and says where to read on and how much is left", () => {
    const cut = cutText(LINES, { units: 100, tokens: PLENTY }, estimate);
    expect(cut).toMatchObject({ line: 14, column: 1, linesLeft: 87, charactersLeft: LINES.length - cut.end });
    expect(cut.escaped).toBe(LINES.slice(0, cut.end));
    expect(cut.escaped.endsWith("line 13\n")).toBe(true);
  });

  test("counts a last line without newline", () => {
    expect(cutAt("a\nb\nc", 2)).toMatchObject({ line: 2, linesLeft: 2, charactersLeft: 3 });
    expect(cutAt("a\nb\n", 4)).toMatchObject({ linesLeft: 0, charactersLeft: 0 });
  });

  test("is measured as it is escaped", () => {
    const cut = cutText('"""""\n'.repeat(20), { units: 100, tokens: PLENTY }, estimate);
    expect(cut.escaped.length).toBe(93);
    expect(cut.line).toBe(4);
  });

  test("parts a line that is too long, at a character", () => {
    const cut = cutText(`# Title\n${"🚀".repeat(200_000)}`, { units: 1001, tokens: PLENTY }, estimate);
    expect(cut.line).toBe(2);
    expect(cut.escaped.length).toBe(1000);
    expect(cut.column).toBe(993);
  });

  test("keeps within the tokens", () => {
    const cut = cutText("漢字仮名".repeat(5000), { units: PLENTY, tokens: 300 }, estimate);
    expect(estimate(cut.escaped)).toBeLessThanOrEqual(300);
    expect(cut.end).toBeGreaterThan(100);
  });

  test("is empty where there is no room", () => {
    expect(cutText(LINES, { units: 0, tokens: PLENTY }, estimate)).toMatchObject({ end: 0, line: 1, linesLeft: 100 });
    expect(cutText(LINES, { units: 50, tokens: 0 }, estimate).end).toBe(0);
  });
});

test("is the longest start that fits, whatever stands at the end of a stretch", () => {
  const pieces = ["a", "&", '"', "<", "\r", "é", "🚀", "\ud83d", "\ude80", "\u0001", "x".repeat(254), "x".repeat(255)];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 1500 }), (text, units) => {
      const fitting = longestFitting(text, units);
      const expected = fitting === text.length ? fitting : fitting < 80 ? 0 : characterEnd(text, fitting);
      const { end, escaped } = cutText(text, { units, tokens: PLENTY }, estimate);
      expect([end, escaped]).toEqual([expected, escapeXml(text.slice(0, expected))]);
    }),
    { numRuns: 2000 },
  );
});

/** Character by character, each escaped alone. */
function longestFitting(text: string, units: number): number {
  let [at, used] = [0, 0];
  for (const character of text) {
    used += escapeXml(character).length;
    if (used > units) break;
    at += character.length;
  }
  return at;
}
