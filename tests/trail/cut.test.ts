import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut } from "../../src/trail/cut.ts";

describe("cut", () => {
  it("leaves a text that fits as it is", () => {
    expect(cut("abc", 3)).toBe("abc");
  });

  it.each(["🚀", "👨‍👩‍👧‍👦", "🇩🇪", "e\u0301", "👍🏽", "🏳️‍🌈"])("takes %s whole or not at all", (character) => {
    const text = `ab${character.repeat(4)}`;
    for (let limit = 1; limit < text.length; limit += 1) {
      const shown = cut(text, limit);
      expect(shown.length).toBeLessThanOrEqual(limit);
      const kept = shown.slice(0, -1);
      expect(["", "a", ...[0, 1, 2, 3].map((times) => `ab${character.repeat(times)}`)]).toContain(kept);
    }
  });

  it("cuts a character of very many marks, and no pair in it", () => {
    const marks = `a${"\u{1D165}".repeat(200)}`;
    expect([300, 301].map((limit) => cut(marks, limit))).toEqual([
      `a${"\u{1D165}".repeat(117)}…`,
      `a${"\u{1D165}".repeat(117)}…`,
    ]);
  });

  it("never leaves half a pair, and keeps any limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer({ min: 0, max: 50 }), (text, limit) => {
        const shown = cut(text, limit);
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(shown).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
      }),
    );
  });
});
