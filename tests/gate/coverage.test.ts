import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstUnseen, isSeen, linesSeen, together, UNSEEN, WHOLE } from "../../src/gate/coverage.ts";

describe("what was seen of a file", () => {
  test.each([
    ["nothing", UNSEEN, 1],
    ["all", WHOLE, null],
    ["the start, and not how long it is", linesSeen(1, 40, null), 41],
    ["the start", linesSeen(1, 40, 90), 41],
    ["the end alone", linesSeen(41, 90, 90), 1],
    ["every line", linesSeen(1, 90, 90), null],
    ["every line but the empty one behind the last newline", linesSeen(1, 89, 90), null],
    ["every line but two", linesSeen(1, 88, 90), 89],
    ["the one line there is", linesSeen(1, 1, 1), null],
    ["an empty file", linesSeen(1, 0, 0), null],
    ["two pieces with a gap", together(linesSeen(1, 10, 30), linesSeen(12, 30, 30)), 11],
    ["two pieces that touch", together(linesSeen(1, 10, 30), linesSeen(11, 30, 30)), null],
    ["a cut file, read on from where it was cut", together(linesSeen(1, 40, null), linesSeen(41, 90, 90)), null],
    ["a file that grew since", together(linesSeen(1, 40, 40), linesSeen(1, 10, 90)), 41],
  ] as const)("%s: reading goes on where it ended", (_what, coverage, line) => {
    expect(firstUnseen(coverage)).toBe(line);
  });

  test("no range is nothing seen", () => {
    expect(isSeen(linesSeen(5, 4, 90))).toBe(false);
    expect(isSeen(linesSeen(5, 5, 90))).toBe(true);
    expect([isSeen(UNSEEN), isSeen(WHOLE)]).toEqual([false, true]);
  });

  test("agrees with a set of line numbers, in whatever order and overlap the pieces come", () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (ranges, total) => {
        const pieces = ranges.map(([first, length]) => linesSeen(first, first + length - 1, total));
        const seen = new Set(ranges.flatMap(([first, length]) => Array.from({ length }, (_, at) => first + at)));
        let next = 1;
        while (seen.has(next)) next += 1;
        const expected = next > Math.max(1, total - 1) ? null : next;
        const start = linesSeen(1, 0, total);
        expect(firstUnseen(pieces.reduce(together, start))).toBe(expected);
        expect(firstUnseen(pieces.toReversed().reduce(together, start))).toBe(expected);
      }),
    );
  });
});
