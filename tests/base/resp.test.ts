import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeRequest, type Reply, respReader } from "../../src/base/resp.ts";

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);

/** As a server writes it. */
function written(reply: Reply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (typeof reply === "string") return `$${bytes(reply).length}\r\n${reply}\r\n`;
  return `*${reply.length}\r\n${reply.map(written).join("")}`;
}

const { tree } = fc.letrec<{ tree: Reply }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.maxSafeInteger(),
    fc.constantFrom(null, "\ufeffmark", "\r\n", ""),
    fc.array(tie("tree"), { maxLength: 5 }),
  ),
}));

describe("answers", () => {
  test("come out as they went in, wherever the bytes are cut", () => {
    const property = fc.property(
      fc.array(tree),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (replies, cuts) => {
        const whole = bytes(replies.map(written).join(""));
        const reader = respReader();
        const found: unknown[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const end = at + (cuts[turn % cuts.length] ?? 1);
          const read = reader.push(whole.subarray(at, end));
          if (!read.ok) throw new Error(read.error);
          found.push(...read.value);
          at = end;
        }
        expect(found).toEqual(replies.map((value) => ({ ok: true, value })));
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  test("say a word, a refusal, and a refusal within a list", () => {
    const read = respReader().push(bytes("+OK\r\n-ERR no\r\n*2\r\n:1\r\n-WRONGTYPE x\r\n*-1\r\n*0\r\n"));
    expect(read).toEqual({
      ok: true,
      value: [
        { ok: true, value: "OK" },
        { ok: false, error: "ERR no" },
        { ok: false, error: "WRONGTYPE x" },
        { ok: true, value: null },
        { ok: true, value: [] },
      ],
    });
  });

  test.each([
    ["HTTP/1.1 400 Bad Request\r\n", "something else than answers"],
    [`+${"x".repeat(70_000)}`, "a line without end"],
    ["$99999999999\r\n", "a length that is none"],
    ["$99999999\r\n", "a text that is too long"],
    ["$2\r\nabc\r\n", "a text of another length"],
    [":one\r\n", "a number that is none"],
    ["*1\r\n".repeat(40), "lists in lists without end"],
  ])("that are none end the stream: %#", (text, error) => {
    expect(respReader().push(bytes(text))).toEqual({ ok: false, error });
  });

  test("bytes of any kind are answers or an error, and no exception", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom("*2\r\n", "$3\r\n", "+", "\r\n").map(bytes),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const reader = respReader();
        for (const one of pieces) if (!reader.push(one).ok) return;
      }),
    );
  });
});

test("a request counts bytes, not characters", () => {
  expect(encodeRequest(["SET", "é", ""])).toBe("*3\r\n$3\r\nSET\r\n$2\r\né\r\n$0\r\n\r\n");
});
