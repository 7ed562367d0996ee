import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellQuote, shellWord } from "../../src/base/shell-word.ts";

test("a shell reads any text back, quoted or not", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab'\"\\$`!*~#;&|<> \n\té/.-=") });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (words) => {
      const line = `printf '%s\\0' ${words.map((word) => `${shellWord(word)} ${shellQuote(word)}`).join(" ")}`;
      const said = execFileSync("sh", ["-c", line]).toString().split("\0").slice(0, -1);
      expect(said).toEqual(words.flatMap((word) => [word, word]));
    }),
    { numRuns: 40 },
  );
});

test("what no shell changes stands as it is, and the empty text in quotes", () => {
  expect(shellWord("/srv/a-b_c.d")).toBe("/srv/a-b_c.d");
  expect(shellWord("")).toBe("''");
  expect(shellWord("it's")).toBe("'it'\\''s'");
});
