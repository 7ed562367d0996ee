import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeXml, wellFormed } from "../../src/thread/escape-xml.ts";
import { escapeWithin, textWithin } from "../../src/thread/shorten.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { anyText } from "./arbitrary-event.ts";

const MARK = /\[… (\d{1,3}(?: \d{3})*) characters left out …\]/;

describe("textWithin", () => {
  it("keeps head and tail of a text within the limit, counts what it leaves out and splits no pair", () => {
    fc.assert(
      fc.property(fc.tuple(anyText, fc.nat(30)), fc.nat(200), ([part, times], limit) => {
        const whole = part.repeat(times);
        const text = textWithin(whole, limit);
        expect(text.length).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(text).not.toMatch(/\p{Cs}/u);
        if (whole.length <= limit) expect(text).toBe(wellFormed(whole));
        else if (text.length > 1) expect(text).toMatch(MARK);
      }),
    );
    expect(textWithin(`<${"a".repeat(100)}>`, 60)).toBe(
      `<${"a".repeat(15)}[… 71 characters left out …]${"a".repeat(14)}>`,
    );
  });
});

describe("escapeWithin", () => {
  it("keeps what fits and counts what does not, with thousands apart", () => {
    expect(escapeWithin("a<b", 6)).toEqual({ escaped: "a&lt;b", cut: false });
    const { escaped } = escapeWithin("a".repeat(50_000_000), 2_000);
    expect(escaped).toHaveLength(2_000);
    expect(escaped).toContain("[… 49 998 036 characters left out …]");
  });

  it("never passes the limit, never cuts an entity or a pair, and counts right", () => {
    const text = fc.tuple(anyText, fc.nat(30)).map(([part, times]) => part.repeat(times));
    fc.assert(
      fc.property(text, fc.nat(200), (whole, limit) => {
        const { escaped, cut } = escapeWithin(whole, limit);
        expect(escaped.length).toBeLessThanOrEqual(limit);
        expect(escaped).not.toMatch(/[<>"'\r]|&(?!(?:amp|lt|gt|quot|apos|#13);)|\p{Cs}/u);
        expect(cut).toBe(escapeXml(whole).length > limit);
        if (!cut || escaped.length <= 1) return;
        const marks = [...escaped.matchAll(new RegExp(MARK, "g"))];
        expect(marks.length).toBeGreaterThan(0);
        const fits = marks.some((mark) => {
          const left = Number(mark[1]?.replaceAll(" ", ""));
          const head = escaped.slice(0, mark.index);
          const tail = escaped.slice(mark.index + mark[0].length);
          for (let cutAt = 0; cutAt + left <= whole.length; cutAt++) {
            if (escapeXml(whole.slice(0, cutAt)) === head && escapeXml(whole.slice(cutAt + left)) === tail) return true;
          }
          return false;
        });
        expect(fits).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["an emoji", "🚀"],
    ["a family", "👨‍👩‍👧‍👦"],
    ["a flag", "🇩🇪"],
    ["a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["a skin tone", "👍🏽"],
    ["combining marks", "e\u0301\u0323"],
    ["a variation", "❤️"],
  ])("leaves %s whole on both sides of the mark, at any limit", (_, cluster) => {
    const text = cluster.repeat(60);
    for (let limit = 40; limit < 40 + 4 * cluster.length; limit++) {
      const { escaped } = escapeWithin(text, limit);
      const [head = "", tail = ""] = escaped.replace(MARK, "\n").split("\n");
      expect(head).toBe(cluster.repeat(head.length / cluster.length));
      expect(tail).toBe(cluster.repeat(tail.length / cluster.length));
    }
  });

  it("cuts a character of very many marks, and no pair in it", () => {
    // A mark outside the basic plane, so that each is a pair.
    for (let limit = 300; limit < 304; limit += 1) {
      const { escaped } = escapeWithin("\u{1D165}".repeat(400), limit);
      expect(escaped).not.toMatch(/\p{Cs}/u);
      expect(escaped).toMatch(MARK);
      expect(escaped.length).toBeGreaterThan(limit - 4);
    }
  });

  it("has an answer for limits below the mark", () => {
    expect([0, 1, 20].map((limit) => escapeWithin("x".repeat(99), limit).escaped)).toEqual(["", "…", "…"]);
  });

  it.each(["\u0301", "\u200D", "🇩", "a", "\uD83D"])("stays linear on a megabyte of %j", (part) => {
    const started = cpuTime();
    escapeWithin(part.repeat(1_000_000), 400_000);
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});
