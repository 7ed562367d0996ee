import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { canonical } from "../../src/install/json-edit.ts";
import { type JsonNode, readJson } from "../../src/install/json-tree.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { settingsText } from "./odd-settings.ts";

/** Text near JSON: mostly broken, some of it whole. */
const nearJson = fc
  .array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "0",
      ".5",
      "e3",
      "true",
      "nul",
      "//",
      "/*",
      "*/",
      " ",
      "\n",
      "\\",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

function plainValue(node: JsonNode): unknown {
  return JSON.parse(canonical(node));
}

describe("reading JSON with places", () => {
  test("agrees with another reader on what is JSON, and on the value", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nearJson,
          settingsText.map(({ text }) => text.replace(/^\uFEFF/, "")),
        ),
        (text) => {
          const errors: { error: number; offset: number; length: number }[] = [];
          const expected: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
          const document = readJson(text);
          expect(document.ok).toBe(errors.length === 0);
          if (!document.ok) return;
          const { root } = document.value;
          // Its objects lose a name that is `__proto__`.
          if (text.includes("__proto__")) return;
          // Written as JSON, minus zero is zero.
          const written = expected === undefined ? undefined : JSON.parse(JSON.stringify(expected));
          expect(root === null ? undefined : plainValue(root)).toEqual(written);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("agrees with the client's reader on what plain JSON does not know", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nearJson,
          settingsText.map(({ text }) => text.replace(/^\uFEFF/, "")),
        ),
        (text) => {
          const document = readJson(text);
          const plain = document.ok && document.value.root !== null && document.value.extension === null;
          expect(plain).toBe(parses(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["{", 1, 'found the end of the file, expected a name in double quotes or "}"'],
    ['{"a" 1}', 5, 'found "1", expected ":"'],
    ['{"a": 1 "b": 2}', 8, 'found """, expected "," or "}"'],
    ["[1 2]", 3, 'found "2", expected "," or "]"'],
    ["{'a': 1}", 1, `found "'", expected a name in double quotes or "}"`],
    ['{"a": yes}', 6, 'found "yes", expected a value'],
    ['{"a": +1}', 6, 'found "+", expected a value'],
    ['{"a": .5}', 6, 'found ".", expected a value'],
    ['{"a": -}', 6, 'found "-", expected a number'],
    ['{"a": 01}', 7, 'found "1", expected "," or "}"'],
    ['{"a": "b\n"}', 6, "a string begins and does not end on its line"],
    ['{"a": "\t"}', 7, "found the character U+0009 in a string, expected an escape such as \\t"],
    ['{"a": "\\x"}', 7, "a backslash in a string begins no escape that JSON knows"],
    ["{} {}", 3, 'found "{", expected the end of the file'],
    ["{\u00A0}", 1, 'found the character U+00A0, expected a name in double quotes or "}"'],
    ["{} /* x", 3, "a comment begins and does not end"],
    ["[,]", 1, 'found ",", expected a value'],
    ["[1,,]", 3, 'found ",", expected a value'],
  ])("says of %j what was expected, and where", (text, offset, message) => {
    expect(readJson(text)).toEqual({ ok: false, error: { offset, message } });
  });

  test("refuses nesting that would end the program", () => {
    for (const text of ["[".repeat(1_000_000), '{"a":'.repeat(200_000)]) {
      expect(readJson(text)).toMatchObject({ ok: false, error: { message: "more than 100 levels of nesting" } });
    }
    expect(readJson("[".repeat(100) + "]".repeat(100)).ok).toBe(true);
  });

  test.each([
    ["one name in no quotes", `{${"a".repeat(1_000_000)}`],
    ["quotes", '"'.repeat(1_000_000)],
    ["backslashes", `"${"\\".repeat(1_000_000)}`],
    ["slashes", "/".repeat(1_000_000)],
    ["comments", "//\n".repeat(300_000)],
    ["openings of a comment", "/*".repeat(500_000)],
    ["digits", `[${"1".repeat(1_000_000)}`],
    ["commas", `[${"1,".repeat(150_000)}`],
    ["blanks", " ".repeat(1_000_000)],
    ["carriage returns", "\r".repeat(1_000_000)],
  ])("reads a long run of %s in linear time", (_, text) => {
    const started = cpuTime();
    readJson(text);
    expect(cpuTime() - started).toBeLessThan(2000);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
