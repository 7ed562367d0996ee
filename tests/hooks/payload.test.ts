import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { parsePayload, payloadWatch } from "../../src/hooks/payload.ts";

afterEach(() => vi.restoreAllMocks());

/** After which of the pieces it first holds, of bytes that come one behind the other; -1 for never. */
function firstWhole(pieces: readonly Buffer[]): number {
  const isWhole = payloadWatch();
  return pieces.findIndex((_, index) => isWhole(Buffer.concat(pieces.slice(0, index + 1))));
}

/** The same, by parsing every beginning of the bytes. */
function firstParsed(pieces: readonly Buffer[]): number {
  return pieces.findIndex((_, index) => {
    const text = Buffer.concat(pieces.slice(0, index + 1))
      .toString("utf8")
      .replace(/^\uFEFF/, "");
    return [...text].some((_unit, at) => /[\]}]/.test(text[at] ?? "") && isContainer(text.slice(0, at + 1)));
  });
}

function isContainer(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
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

test("of several values at once the first is the payload, and nothing else is", () => {
  const first = { session_id: "s1", source: "compact", "}": ["{", '"', "\\"] };
  for (const behind of ["", "\n", '{"session_id":"s2"}', "\n[]", " and more", "}", '"', "\0"]) {
    const bytes = Buffer.from(`${JSON.stringify(first)}${behind}`);
    expect(payloadWatch()(bytes)).toBe(true);
    expect(parsePayload(bytes)).toMatchObject({ ok: true, value: { sessionId: "s1", source: "compact" } });
  }
  for (const before of ["x", "}", ",", "[]", "1 "]) {
    expect(parsePayload(Buffer.from(`${before}{"session_id":"s1"}`)).ok).toBe(false);
  }
});

test("a transcript in `~` is in the home folder, and nothing else is", () => {
  const path = (transcript_path: string, home?: string) => {
    const read = parsePayload(Buffer.from(JSON.stringify({ transcript_path })), home);
    return read.ok ? read.value?.transcriptPath : read.error;
  };
  expect(path("~/.claude/a.jsonl", "/home/$&")).toBe("/home/$&/.claude/a.jsonl");
  expect(path("~/.claude/a.jsonl")).toBe("~/.claude/a.jsonl");
  for (const other of ["~", "~other/a.jsonl", "/a/~/b.jsonl", "a~/b"]) expect(path(other, "/home")).toBe(other);
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
