import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256OfFew } from "../../src/base/sha256.ts";
import { sha256 } from "../../src/platform/sha256.ts";

const reference = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("gives the digests that the standard's own examples have", () => {
  const digest = (text: string) => sha256OfFew(new TextEncoder().encode(text));
  expect(digest("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

test("is what Node's own hash is, at every length around a block's end and for any bytes", () => {
  for (let length = 0; length <= 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 151 + length) % 256);
    expect(sha256OfFew(bytes)).toBe(reference(bytes));
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => sha256OfFew(bytes) === reference(bytes)));
});

test("is the same on both sides of the size from which Node's own is loaded", () => {
  for (const length of [8191, 8192, 8193, 100_000]) {
    const bytes = new Uint8Array(length).fill(7);
    expect(sha256(bytes)).toBe(reference(bytes));
  }
});

test("reads a part of a larger buffer, as a file's bytes mostly are", () => {
  const bytes = new TextEncoder().encode("before, abc and after").subarray(8, 11);
  expect(sha256OfFew(bytes)).toBe(reference(new TextEncoder().encode("abc")));
});
