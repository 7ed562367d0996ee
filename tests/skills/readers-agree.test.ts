import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSkillFast } from "../../src/skills/parse-skill-fast.ts";
import { parseSkillYaml } from "../../src/skills/parse-skill-yaml.ts";

const key = fc.constantFrom(
  "name",
  "description",
  "license",
  "metadata",
  "allowed-tools",
  "Name",
  "onboarding",
  "model",
);
const scalar = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("Learn how.", "learn-projects", "MIT", "", '"a: b"', "12", "[a, b]", "true", "it's"),
  },
  fc.constantFrom("", "null", "true", "12", "0x1f", "1.50", "2026-01-02", "learn-projects", "a: b", "a #b", '"a: b"'),
  fc.constantFrom(
    "'it''s'",
    '"\\n"',
    "[a, b]",
    "[]",
    "- a",
    "|",
    "> ",
    "*a",
    "&a b",
    "~",
    "@x",
    "`x`",
    "# c",
    "x  # c",
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(..."ab:-#'\"[]{}, \t&*!|>%@`\\\r"), maxLength: 12 }),
);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(key, fc.constantFrom(":", ": ", " : ", ":  "), scalar).map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom("- ", "  - ", "  ", "    ", "#"), scalar).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: scalar },
);
/** The usual one ten times in thirteen. */
function mostly(usual: string, ...others: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 10, arbitrary: fc.constant(usual) }, { weight: 3, arbitrary: fc.constantFrom(...others) });
}

const file = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    mostly("---", "--- ", "----", ""),
    fc.array(line, { maxLength: 6 }),
    mostly("---", "---\t", "", "..."),
    mostly("\n", "\r\n", "\r"),
  )
  .map(([bom, opening, lines, closing, newline]) => bom + [opening, ...lines, closing, "", "Body"].join(newline));

const options = { folderName: "learn-projects" };

test("the two readers say the same, word for word and place for place, wherever the fast one answers", () => {
  let answered = 0;
  fc.assert(
    fc.property(file, (text) => {
      const fast = parseSkillFast(text, options);
      if (fast === "needs-yaml") return;
      answered += fast.diagnostics.some(({ code }) => code === "front-matter") ? 0 : 1;
      expect(fast).toEqual(parseSkillYaml(text, options));
    }),
    { numRuns: 2000 },
  );
  // Otherwise it would hold for a reader that never answers.
  expect(answered).toBeGreaterThan(200);
});

test("any text gives a name and a bounded description, and every place lies in the text", () => {
  fc.assert(
    fc.property(fc.oneof(file, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
      const { skill, diagnostics } = parseSkillYaml(text, options);
      expect(skill.name).not.toBe("");
      expect([...skill.description].length).toBeLessThanOrEqual(1024);
      const lines = text.split(/\r\n|\r|\n/);
      for (const { start, end } of diagnostics) {
        expect(start.line).toBeLessThanOrEqual(lines.length);
        expect(start.column).toBeLessThanOrEqual((lines[start.line - 1]?.length ?? 0) + 1);
        expect(end.line > start.line || (end.line === start.line && end.column >= start.column)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
