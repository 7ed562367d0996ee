import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, type TextEdit } from "../../src/base/text-edit.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const edit = (start: number, end: number, text: string): TextEdit => ({ span: { start, end }, text });

test("inserts, deletes and replaces at the places of the text as it was", () => {
  expect(applyEdits("0123456789", [edit(8, 10, ""), edit(0, 0, "<"), edit(2, 4, "XYZ")])).toBe("<01XYZ4567");
  expect(applyEdits("", [edit(0, 0, "a")])).toBe("a");
  expect(applyEdits("abc", [])).toBe("abc");
});

test("keeps insertions at one place in the order they were asked for, before a replacement that begins there", () => {
  expect(applyEdits("ab", [edit(1, 2, "X"), edit(1, 1, "1"), edit(1, 1, "2")])).toBe("a12X");
  expect(applyEdits("ab", [edit(2, 2, "1"), edit(0, 2, "X")])).toBe("X1");
});

test.each([edit(-1, 1, ""), edit(2, 1, ""), edit(0, 4, "")])(
  "throws on an edit that does not lie in its text: %j",
  (wrong) => {
    expect(() => applyEdits("abc", [wrong])).toThrow(/Invariant broken/);
  },
);

/** What the rule says, in the plainest way: each edit is compared with all that were kept before it. */
function reference(text: string, edits: readonly TextEdit[]): string {
  const kept: TextEdit[] = [];
  for (const candidate of edits) {
    const meets = (other: TextEdit) => candidate.span.start < other.span.end && other.span.start < candidate.span.end;
    if (!kept.some(meets)) kept.push(candidate);
  }
  const order = kept.map((_, index) => index);
  order.sort((a, b) => {
    const [x, y] = [kept[a]?.span, kept[b]?.span];
    return (x?.start ?? 0) - (y?.start ?? 0) || (x?.end ?? 0) - (y?.end ?? 0) || a - b;
  });
  let result = "";
  let at = 0;
  for (const index of order) {
    const next = kept[index];
    if (next === undefined) continue;
    result += text.slice(at, next.span.start) + next.text;
    at = next.span.end;
  }
  return result + text.slice(at);
}

test("of edits that overlap the first in the list is kept, as by comparing each with each", () => {
  const anyEdit = fc
    .tuple(fc.nat(12), fc.nat(12), fc.constantFrom("", "x", "yz"))
    .map(([a, b, text]) => edit(Math.min(a, b), Math.max(a, b), text));
  fc.assert(
    fc.property(fc.array(anyEdit, { maxLength: 9 }), (edits) => {
      expect(applyEdits("0123456789ab", edits)).toBe(reference("0123456789ab", edits));
    }),
    { numRuns: 2000 },
  );
});

test("drops overlapping edits in time that grows with their number only", () => {
  const edits = Array.from({ length: 60_000 }, (_, i) => edit(i * 2, i * 2 + 1, "b"));
  edits.push(edit(0, 120_000, "never"));
  const start = cpuTime();
  expect(applyEdits("aa".repeat(60_000), edits)).toBe("ba".repeat(60_000));
  expect(cpuTime() - start).toBeLessThan(2_000);
});
