import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { payloadWatch } from "../../src/hooks/payload.ts";

afterEach(() => vi.restoreAllMocks());

/** After which of the pieces it first holds, of bytes that come one behind the other; -1 for never. */
function firstWhole(pieces: readonly Buffer[]): number {
  const isWhole = payloadWatch();
  return pieces.findIndex((_, index) => isWhole(Buffer.concat(pieces.slice(0, index + 1))));
}

/** The same, by parsing everything anew with each piece. */
function firstParsed(pieces: readonly Buffer[]): number {
  return pieces.findIndex((_, index) => {
    try {
      const text = Buffer.concat(pieces.slice(0, index + 1)).toString("utf8");
      return typeof JSON.parse(text.replace(/^\uFEFF/, "")) === "object" && /[\]}]\s*$/.test(text);
    } catch {
      return false;
    }
  });
}

function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter((piece) => piece.length > 0);
}

const text = fc.oneof(
  fc.json(),
  fc
    .tuple(fc.constantFrom("", "\uFEFF", " \n"), fc.json(), fc.constantFrom("", "\r\n ", "x", "}", '{"a":1}'))
    .map((of) => of.join("")),
  fc.string({ unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", "1", "é", " ", "\n") }),
);

test("bytes are whole with the piece that ends a JSON object or array, wherever they are cut", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 6 }), (whole, places) => {
      const pieces = cut(Buffer.from(whole), places);
      expect(firstWhole(pieces)).toBe(firstParsed(pieces));
    }),
    { numRuns: 2000 },
  );
});

test("an escape is cut in two, and a character", () => {
  const bytes = Buffer.from('{"a":"\\"}é\\\\"}');
  for (let at = 1; at < bytes.length; at++) expect(firstWhole(cut(bytes, [at]))).toBe(1);
});

test("what every piece of a large one ends with is a brace, and it is parsed twice at most", () => {
  const piece = Buffer.from("}".repeat(1000));
  const pieces = [Buffer.from('{"content":"'), ...Array.from({ length: 200 }, () => piece), Buffer.from('"}')];
  const parse = vi.spyOn(JSON, "parse");
  expect(firstWhole(pieces)).toBe(pieces.length - 1);
  expect(parse.mock.calls.length).toBeLessThanOrEqual(2);
  parse.mockClear();
  expect(firstWhole([Buffer.from("}"), ...pieces])).toBe(-1);
  expect(parse.mock.calls.length).toBeLessThanOrEqual(2);
});
