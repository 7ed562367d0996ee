import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type FrontMatterValue, scanFrontMatter, splitFrontMatter, yamlHazard } from "../../src/base/frontmatter.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test("parts front matter from the body", () => {
  const text = "---\na: 1\n---\nbody\n";
  const parts = splitFrontMatter(text);
  expect(parts).toEqual({ kind: "found", raw: "a: 1\n", span: { start: 4, end: 9 }, body: "body\n", bodyStart: 13 });
});

test.each([
  ["a BOM", "\uFEFF---\na: 1\n---\nbody", "a: 1\n", "body"],
  ["CRLF", "---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n"],
  ["blanks behind the dashes", "--- \t\na: 1\n---  \nbody", "a: 1\n", "body"],
  ["no blank line and no newline at the end", "---\na: 1\n---", "a: 1\n", ""],
  ["nothing between the lines", "---\n---\nbody", "", "body"],
  [
    "dashes inside a value",
    "---\na: x --- y\n----\nb: '---'\n ---\n---\nbody",
    "a: x --- y\n----\nb: '---'\n ---\n",
    "body",
  ],
  ["more dashes in the body", "---\na: 1\n---\nx\n---\ny\n", "a: 1\n", "x\n---\ny\n"],
])("reads front matter with %s", (_name, text, raw, body) => {
  const parts = splitFrontMatter(text);
  expect(parts).toMatchObject({ kind: "found", raw, body });
  if (parts.kind !== "found") return;
  expect(text.slice(parts.span.start, parts.span.end)).toBe(raw);
  expect(text.slice(parts.bodyStart)).toBe(body);
});

test.each([
  ["no dashes", "# Title\n"],
  ["an empty text", ""],
  ["a blank line first", "\n---\na: 1\n---\n"],
  ["a blank first", " ---\na: 1\n---\n"],
  ["four dashes", "----\na: 1\n----\n"],
  ["a word behind the dashes", "--- yaml\na: 1\n---\n"],
])("finds none with %s", (_name, text) => {
  expect(splitFrontMatter(text)).toEqual({ kind: "absent", body: text, bodyStart: 0 });
});

test.each([["---"], ["---\n"], ["\uFEFF---\na: 1\n----\n"], ["---\na: 1\n--- x\n...\n"]])(
  "says where front matter opens that nothing closes: %j",
  (text) => {
    const start = text.startsWith("\uFEFF") ? 1 : 0;
    expect(splitFrontMatter(text)).toEqual({ kind: "unclosed", opening: { start, end: start + 3 } });
  },
);

test("scans simple keys, lists, comments and blank lines", () => {
  const raw = [
    "# what to load",
    'resume_schema_version: "1.0"',
    "id: 05-website-development",
    "name : Web: no, Web-site",
    "created: 2025-10-15",
    "section: 2",
    "part: 2.50",
    "done: false",
    "none:",
    "files:",
    "  # the plan",
    "  - a b.md",
    "  - 'c: d.md'",
    "",
    'tags: [x, "y z", 3]',
    "empty: []",
    "same:",
    "- one",
  ].join("\r\n");
  expect(scanFrontMatter(raw.replace("Web: no", "Web, no"))).toEqual(
    new Map<string, unknown>([
      ["resume_schema_version", "1.0"],
      ["id", "05-website-development"],
      ["name", "Web, no, Web-site"],
      ["created", "2025-10-15"],
      ["section", 2],
      ["part", 2.5],
      ["done", false],
      ["none", null],
      ["files", ["a b.md", "c: d.md"]],
      ["tags", ["x", "y z", 3]],
      ["empty", []],
      ["same", ["one"]],
    ]),
  );
  expect(scanFrontMatter(raw)).toBeNull();
});

test.each([
  "a: b # comment",
  'a: "x\\n"',
  "a: 'it''s'",
  "a: &x b",
  "a: *x",
  "a: !!str 5",
  "a: |\n  b",
  "a: {b: c}",
  "a: [b, [c]]",
  'a: ["b, c"]',
  "a:\n  b: c",
  "a: b\n  c",
  " a: b",
  "a: 1\na: 2",
  "a:\n  - b\n   - c",
  "a:\n  - b: c",
  "a: 0x10",
  "a: 1e3",
  "a: 007",
  "a: .inf",
  "a: ~",
  "null: a",
  "true: a",
  "FALSE: a",
  "? a",
  "%YAML 1.2",
  "a: b\n...",
  "a:b",
  "a: b\tc",
  "a: b: c",
  "just words",
])("leaves to a real parser: %j", (raw) => {
  expect(scanFrontMatter(raw)).toBeNull();
});

const PIECES = [
  ..."abc019-+._:,#[]{}&*!|>'\"%@`~?=<\\ \t\u00A0\u3000\u2028\uFEFFé🚀/()",
  ": ",
  " #",
  "- ",
  "  ",
  "\n",
  "\n  - ",
  "\n- ",
  "\nk: ",
  "\nkey:",
  "\r\n",
  "\r",
  "null",
  "true",
  "No",
  "on",
  "12",
  "1.5",
  "1e3",
  "0x1f",
  "0o17",
  ".inf",
  "2026-01-03",
  "T15:30:00Z",
  '"a b"',
  "'c d'",
  "[a, b]",
  "---",
  "...",
];

test("reads as the yaml package does whatever it takes", { timeout: 120_000 }, () => {
  let taken = 0;
  const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
  const line = fc.tuple(fc.constantFrom("a", "b_c", "d-e", "f ", "- ", "  - ", "    - "), soup);
  const raw = fc
    .array(
      line.map(([start, value]) => (start.endsWith("- ") ? start + value : `${start}: ${value}`)),
      { maxLength: 6 },
    )
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(raw, (text) => {
      const scanned = scanFrontMatter(text);
      if (scanned === null) return;
      taken += 1;
      expect(byYaml(text)).toEqual(Object.fromEntries(scanned));
    }),
    { numRuns: 40_000 },
  );
  expect(taken).toBeGreaterThan(4000);
});

test("reads as the yaml package does each short value", () => {
  let taken = 0;
  for (const a of PIECES)
    for (const b of PIECES)
      for (const c of ["", "a", "1", " ", '"', "]"]) {
        const text = `k: ${a}${b}${c}`;
        const scanned = scanFrontMatter(text);
        if (scanned === null) continue;
        taken += 1;
        expect([text, byYaml(text)]).toEqual([text, Object.fromEntries(scanned)]);
      }
  expect(taken).toBeGreaterThan(1000);
});

function byYaml(text: string): Record<string, FrontMatterValue> {
  return parse(text) ?? {};
}

test.each([
  ["a line of a million letters", `a: ${"x".repeat(1_000_000)}`],
  ["a million blanks inside a value", `a: x${" ".repeat(1_000_000)}y`],
  ["a million blanks at a line's end", `a: x${" ".repeat(1_000_000)}`],
  ["a million blanks before a dash", `a:\n${" ".repeat(1_000_000)}- x`],
  ["a million digits", `a: ${"1".repeat(1_000_000)}`],
  ["a million quotes", `a: ${'"'.repeat(1_000_000)}`],
  ["a million commas", `a: [${",".repeat(1_000_000)}]`],
  ["half a million items", `a:\n${"- x\n".repeat(250_000)}`],
])("scans %s in time that grows with the text only", (_name, raw) => {
  const start = cpuTime();
  scanFrontMatter(raw);
  splitFrontMatter(`---\n${raw}\n---\n`);
  splitFrontMatter(`---\n${raw}\n`);
  yamlHazard(raw);
  expect(cpuTime() - start).toBeLessThan(2_000);
});

test.each([
  ["too long a text", "x".repeat(40_000), "40000 characters"],
  ["nested brackets", "a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "brackets"],
  ["nested lists", "- ".repeat(40), "lists"],
  ["nested explicit keys", "? ".repeat(200), "question marks"],
])("keeps %s from a YAML parser", (_name, raw, told) => {
  expect(yamlHazard(raw)).toContain(told);
});

test("lets an ordinary front matter through to a YAML parser", () => {
  expect(yamlHazard('a: [b, {c: d}] # why? "[draft]"\nfiles: [a.md, b.md]\n')).toBeNull();
});

test.each([
  ["as long a text as is taken", "x".repeat(32_768), null],
  ["one character more", "x".repeat(32_769), "it has 32769 characters, more than 32768"],
  ["32 lists in each other", "- ".repeat(32), null],
  ["33 lists in each other", `${"- ".repeat(32)}-\t`, "it nests lists deeper than 32"],
  ["33 lists with more blanks", "-  ".repeat(33), "it nests lists deeper than 32"],
  ["many lists beside each other", "- x\n".repeat(100), null],
  ["32 brackets", "[{".repeat(16), null],
  ["33 brackets", `${"[{".repeat(16)}[`, "it nests brackets deeper than 32"],
  ["braces alone", "{".repeat(33), "it nests brackets deeper than 32"],
  ["brackets that close", "[]".repeat(100), null],
  ["braces that close", "{}".repeat(100), null],
  ["brackets that close before they open", `${"]}".repeat(40)}${"[".repeat(32)}`, null],
  ["brackets that close before they open, and too many", `${"]}".repeat(40)}${"[".repeat(33)}`, "brackets"],
  ["100 question marks", "? ".repeat(100), null],
  ["101 question marks before blanks", "? ".repeat(101), "it has more than 100 question marks"],
  ["101 question marks before tabs", "?\t".repeat(101), "question marks"],
  ["101 question marks at line ends", "?\n".repeat(101), "question marks"],
  ["101 question marks at other line ends", "?\r".repeat(101), "question marks"],
  ["the last at the end of the text", `${"? ".repeat(100)}?`, "question marks"],
  ["question marks inside words", "?x".repeat(200), null],
  ["blanks before question marks", " x?y".repeat(200), null],
])("of a YAML parser and %s", (_name, raw, told) => {
  if (told === null) expect(yamlHazard(raw)).toBeNull();
  else expect(yamlHazard(raw)).toContain(told);
});

test.each([
  ["---\r\na: 1\r\n---\r\nbody", "a: 1\r\n", "body"],
  ["---\n---\n", "", ""],
  ["---  \t\na: 1\n--- \n\n", "a: 1\n", "\n"],
  ["---\n\na: 1\n\n---", "\na: 1\n\n", ""],
  ["---\n-\n--\n----\n---x\n---\nb", "-\n--\n----\n---x\n", "b"],
  ["\uFEFF---\na: 1\n---\nb", "a: 1\n", "b"],
])("in %j the front matter is %j and the body %j", (text, raw, body) => {
  expect(splitFrontMatter(text)).toMatchObject({ kind: "found", raw, body });
});

test("a BOM is no part of a body without front matter", () => {
  expect(splitFrontMatter("\uFEFFbody")).toEqual({ kind: "absent", body: "body", bodyStart: 1 });
});

test.each(["", "-", "--", "--\n-", "----\n", "-- -\n", "\n---\n---\n", " ---\n---\n"])("%j opens none", (text) => {
  expect(splitFrontMatter(text)).toMatchObject({ kind: "absent", body: text });
});
