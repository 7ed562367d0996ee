import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { random } from "../random.ts";
import { readTexts, writeText } from "./folder.ts";
import { reached } from "./reached.ts";
import { shrink } from "./shrink.ts";
import { vary } from "./vary.ts";

test("a place is a block entered about so often: the same order of magnitude is nothing new", () => {
  const places = reached(2);
  const hits = (count: number) => Uint32Array.of(0, count);
  const fresh = [1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 127, 128, 100_000].map((count) => places.add(hits(count)).length);
  expect(fresh).toEqual([1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
  expect([places.blocks(), places.has(0), places.has(1)]).toEqual([1, false, true]);
  const [place] = reached(2).add(hits(5));
  if (place === undefined) throw new Error("nothing is new");
  expect([5, 6, 8, 0].map((count) => places.holds(hits(count), [place]))).toEqual([true, true, false, false]);
});

test("a text is made as short as it may be, within the tries", () => {
  let tries = 0;
  const holds = (text: string): boolean => {
    tries += 1;
    return text.includes("x") && text.includes("y");
  };
  expect(shrink("aaaaaaaaxbbbbbbbbbbbycc", holds, 1000)).toBe("xy");
  tries = 0;
  shrink("a".repeat(5000), holds, 25);
  expect(tries).toBe(25);
});

test("kept texts come back as they were, half of a character and all, in the same order", () => {
  const folder = mkdtempSync(join(tmpdir(), "context-corpus-"));
  try {
    expect(readTexts(join(folder, "none"))).toEqual([]);
    const texts = ["", "\uD800 \0\r\n", "é\u2028"];
    for (const text of [...texts, ...texts]) writeText(folder, text);
    const read = readTexts(folder);
    expect([...read].sort()).toEqual([...texts].sort());
    for (const text of texts.toReversed()) writeText(folder, text);
    expect(readTexts(folder)).toEqual(read);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a variation is the same for the same chance, holds the code's own words and parts of the other text", () => {
  const make = (name: string) =>
    vary(random(name), "key: value\nnext: 1\n", { other: "OTHER text", words: ["session_id"] });
  const all = Array.from({ length: 400 }, (_, index) => make(String(index)));
  expect(all).toEqual(Array.from({ length: 400 }, (_, index) => make(String(index))));
  expect(new Set(all).size).toBeGreaterThan(300);
  expect(all.some((text) => text.includes("session_id"))).toBe(true);
  expect(all.some((text) => text.includes("OTHER"))).toBe(true);
  expect(vary(random("1"), "", { other: "", words: [] })).toBeTypeOf("string");
});
