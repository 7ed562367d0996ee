import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { linesWith } from "../../src/platform/lines-with.ts";

const folder = mkdtempSync(join(tmpdir(), "context lines "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "é.jsonl");

test("finds the same lines as a reader that holds the whole file, wherever blocks end", () => {
  const line = fc.oneof(
    fc.constant("needle"),
    fc.constant(""),
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll("\n", " ")),
    // Longer than a block, with the word at its start, its end, or over a block's end.
    fc.integer({ min: 1024 * 1024 - 10, max: 1024 * 1024 + 4 }).map((length) => `${"x".repeat(length)}needle`),
    fc.constant(`needle${"y".repeat(2_200_000)}`),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), (lines, ended) => {
      const text = lines.join("\n") + (ended ? "\n" : "");
      writeFileSync(file, text);
      const expected = text.split("\n").slice(0, -1);
      expect(linesWith(file, "needle", 2_000_000)).toEqual(
        expected.filter((each) => each.includes("needle") && each.length <= 2_000_000),
      );
    }),
    { numRuns: 60 },
  );
});

test("what is no file is null, and a folder hurts nobody", () => {
  expect(linesWith(join(folder, "nothing"), "x", 10)).toBeNull();
  expect(linesWith(folder, "x", 10)).toBeNull();
});
