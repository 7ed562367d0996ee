import * as fc from "fast-check";
import { expect, test } from "vitest";
import { itemsOf, nextHeading, outline, proseUnder, restOfItem, withoutComments } from "../../src/base/markdown.ts";
import { sourceText } from "../../src/base/source-text.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const parse = (text: string) => outline(sourceText(text));
const titles = (text: string) => parse(text).headings.map((heading) => heading.title);
const items = (text: string) => itemsOf(parse(text).prose);
const boxes = (text: string) => items(text).map((item) => item.checked);

test.each([
  ["# Title", 1, "Title"],
  ["###### Six", 6, "Six"],
  ["   ## Three blanks", 2, "Three blanks"],
  ["##\tTab", 2, "Tab"],
  ["##", 2, ""],
  ["## ", 2, ""],
  ["## Closed ##", 2, "Closed"],
  ["## Closed ####  \t", 2, "Closed"],
  ["## Closed\t#", 2, "Closed"],
  ["## C#", 2, "C#"],
  ["## #", 2, ""],
  ["## Phase 10: Titles", 2, "Phase 10: Titles"],
  ["## Phase 1: Planning (COMPLETE)", 2, "Phase 1: Planning (COMPLETE)"],
  ["## ✅ COMPLETE", 2, "✅ COMPLETE"],
  ["# Title\u2028on", 1, "Title\u2028on"],
])("reads %j as a heading", (line, level, title) => {
  const text = `before\n${line}\nafter`;
  const [heading, ...more] = parse(text).headings;
  expect(more).toEqual([]);
  expect(heading?.level).toBe(level);
  expect(heading?.title).toBe(title);
  expect(heading?.line.number).toBe(2);
  expect(text.slice(heading?.titleSpan.start, heading?.titleSpan.end)).toBe(title);
});

test.each(["####### Seven", "#Title", "    # Four blanks", "\t# Tab", "\\# Escaped", "text # not", "> # Quoted"])(
  "does not read %j as a heading",
  (line) => {
    expect(titles(line)).toEqual([]);
  },
);

test.each([
  ["- [ ] a", null, false, "a", 0],
  ["* [x] a", null, true, "a", 0],
  ["+ [X] a", null, true, "a", 0],
  ["1. [ ] a", 1, false, "a", 0],
  ["12) [x] a", 12, true, "a", 0],
  ["  - [ ] nested", null, false, "nested", 2],
  ["\t- [x] tab", null, true, "tab", 4],
  ["-   [ ]   blanks  ", null, false, "blanks", 0],
  ["- [ ]", null, false, "", 0],
  ["- plain", null, null, "plain", 0],
  ["3. Read this file", 3, null, "Read this file", 0],
  ["-", null, null, "", 0],
  ["- [x](link)", null, null, "[x](link)", 0],
  ["- [x]text", null, null, "[x]text", 0],
  ["- [y] a", null, null, "[y] a", 0],
  ["- [] a", null, null, "[] a", 0],
  ["- a [x] b", null, null, "a [x] b", 0],
  ["- - - a", null, null, "- - a", 0],
])("reads the item %j", (line, ordinal, checked, text, indent) => {
  const [item, ...more] = items(`a\n${line}`);
  expect(more).toEqual([]);
  expect(item).toMatchObject({ ordinal, checked, text, indent });
  expect(item?.line.number).toBe(2);
});

test.each([
  "* * *",
  "- - -",
  "  *  *  *  ",
  "- --",
  "-\t-\t-",
  "-a",
  "1.a",
  "1234567890. a",
  "[ ] a",
  "a - [ ] b",
  "> - [ ] quoted",
  "# - [ ] heading",
])("does not read %j as an item", (line) => {
  expect(items(line)).toEqual([]);
});

test.each([
  ["backticks", "```\n# no\n- [ ] no\n```\n# yes"],
  ["tildes", "~~~\n# no\n~~~\n# yes"],
  ["backticks inside tildes", "~~~\n```\n# no\n```\n# no\n~~~\n# yes"],
  ["tildes inside backticks", "```\n~~~\n# no\n```\n# yes"],
  ["three inside four", "````\n```\n# no\n```\n# no\n````\n# yes"],
  ["a longer closer", "```\n# no\n`````  \n# yes"],
  ["a closer with a word, which closes nothing", "```\n# no\n```js\n# no\n```\n# yes"],
  ["a closer that is indented too far, by blanks or a tab", "```\n    ```\n\t```\n# no\n   ```\n# yes"],
  ["an info string", '```js title="a b"\n# no\n```\n# yes'],
  ["a tilde fence whose info string holds backticks", "~~~ `a`\n# no\n~~~\n# yes"],
  ["three blanks", "   ```\n# no\n  ```\n# yes"],
  ["an empty one", "```\n```\n# yes"],
  ["CRLF", "```\r\n# no\r\n```\r\n# yes"],
  ["CR", "```\r# no\r```\r# yes"],
  ["a BOM", "\uFEFF```\n# no\n```\n# yes"],
])("passes over fenced code: %s", (_name, text) => {
  expect(titles(text)).toEqual(["yes"]);
  expect(items(text)).toEqual([]);
});

test("a fence that is not closed runs to the end", () => {
  expect(titles("# yes\n```\n# no\n\n# no")).toEqual(["yes"]);
  expect(boxes("- [x] yes\n~~~\n- [ ] no")).toEqual([true]);
});

test("a line of inline code opens no fence", () => {
  expect(titles("```code``` and\n# yes")).toEqual(["yes"]);
  expect(titles("``\n# yes")).toEqual(["yes"]);
});

test.each([
  ["below its text", "- [x] a\n  ```\n  - [ ] no\n  ```\n- [x] b"],
  ["deeper than the page allows", "- [x] a\n    ```\n    - [ ] no\n    ```\n- [x] b"],
  ["two levels down", "- [x] a\n  - [x] b\n    - text\n      ```\n      - [ ] no\n      ```"],
  ["of a numbered list", "10. [x] a\n    ~~~\n    - [ ] no\n    ~~~\n11. [x] b"],
  ["with tabs", "- [x] a\n\t```\n\t- [ ] no\n\t```\n- [x] b"],
  ["on the item's own line", "- [x] a\n- ```\n  - [ ] no\n  ```\n- [x] b"],
  ["that the list's end closes", "- [x] a\n  ```\n  - [ ] no\n- [x] b"],
  ["with blank lines", "- [x] a\n\n  ```\n\n  - [ ] no\n\n  ```\n\n- [x] b"],
])("passes over fenced code in a list item: %s", (_name, text) => {
  expect(boxes(text).filter((box) => box !== null)).toEqual([true, true]);
});

test("a heading after a list item whose fence was left open is seen", () => {
  expect(titles("- ```\n  # no\n# yes")).toEqual(["yes"]);
});

test("a fence that is indented as code opens nothing", () => {
  expect(titles("text\n\n    ```\n\n# yes")).toEqual(["yes"]);
  expect(titles("- a\n\n      ```\n\n# yes")).toEqual(["yes"]);
});

test.each([
  ["on one line", "<!-- # no -->\n# yes"],
  ["over lines", "<!--\n# no\n- [ ] no\n-->\n# yes"],
  ["with a fence inside", "<!--\n```\n-->\n# yes"],
  ["opened behind text", "text <!-- a\n# no\n--> b\n# yes"],
  ["closed and opened on one line", "<!-- a\n--> <!-- b\n# no\n-->\n# yes"],
  ["the shortest", "<!-->\n# yes"],
  ["the second shortest", "<!--->\n# yes"],
  ["behind another, which begins its line", "<!-- a --> b <!-- c\n\n# no\n-->\n# yes"],
  ["behind another's end, which began a line", "<!-- a\n--> <!-- b\n\n# no\n-->\n# yes"],
  ["with dashes", "<!-- a -- b --\n# no -->\n# yes"],
  ["in a quote, which it begins", "> <!-- a\n\n# no\n-->\n# yes"],
  ["with CRLF", "<!--\r\n# no\r\n-->\r\n# yes"],
])("passes over comments: %s", (_name, text) => {
  expect(titles(text)).toEqual(["yes"]);
  expect(items(text)).toEqual([]);
});

test("a comment that begins an item goes on behind blank lines", () => {
  expect(boxes("- [x] a\n- <!-- later:\n  - [ ] b\n\n  - [ ] c\n  -->\n- [ ] d")).toEqual([true, null, false]);
});

test.each(["- ", "12)  ", "1. ", " * - 3.\t"])("a comment that begins the item %j needs no end", (marker) => {
  expect(titles(`# yes\n${marker}<!-- a\n\n# no`)).toEqual(["yes"]);
  expect(titles(`x ${marker}<!-- a\n\n# yes`)).toEqual(["yes"]);
  expect(titles(`${marker.trim()}<!-- a\n\n# yes`)).toEqual(["yes"]);
});

test("a comment that is not closed runs to the end", () => {
  expect(titles("# yes\n<!--\n# no\n```\n# no")).toEqual(["yes"]);
});

test.each([
  ["nothing", "text <!-- a\n# yes"],
  ["nothing, in an item", "- a <!-- b\n# yes"],
  ["what stands behind the end of its paragraph", "text <!-- a\n\n# yes\n-->"],
  ["what stands behind blanks alone", "text <!-- a\n \t\n# yes\n-->"],
  ["an arrow in code below", "text <!-- a\n \n# yes\n\n```\n# a --> b\n```"],
  ["an arrow in code right below", "text <!-- a\n```\n# a --> b\n```\n# yes"],
  ["an end that stands above", "a --> b <!-- c\n# yes"],
])("a comment mark behind text is text where what would close it is %s", (_name, text) => {
  expect(titles(text)).toEqual(["yes"]);
});

test("boxes below a comment mark that nothing closes count", () => {
  expect(boxes("- [x] Escape <!-- in output\n- [ ] next <!--\n\n- [ ] last")).toEqual([true, false, false]);
  expect(boxes("- [x] a <!-- note\n  and more -->\n- [ ] b <!-- c\n- [ ] d")).toEqual([true, false, false]);
  expect(boxes("- [ ] a <!-- note\n- [ ] b\n- [x] c <!-- done -->")).toEqual([false, false, true]);
});

test("comment marks in inline and fenced code are text", () => {
  expect(titles("`<!--` a\n# yes")).toEqual(["yes"]);
  expect(titles("`` ` <!-- `` a\n# yes")).toEqual(["yes"]);
  expect(titles("```\n<!--\n```\n# yes")).toEqual(["yes"]);
  expect(titles("- ```html <!--\n  a\n  ```\n# yes")).toEqual(["yes"]);
});

test.each([
  ["a `<!--` b -->"],
  ["a `` ` <!-- `` b -->"],
  ["a `b` `<!--` c -->"],
  ["a `b\\` `<!--` c -->"],
  ["a < b -->"],
  ["a \\<!-- b -->"],
  ["```html <!-- a -->"],
  ["a ` <!-- b --> c", "a `            c"],
  ["a `` <!-- ` --> c", "a ``            c"],
  ["a `b`<!-- c --> d", "a `b`           d"],
  ["a \\`` <!-- ` --> d", "a \\``            d"],
  ["a \\`` <!-- `` b --> d", `a \\\`\`${" ".repeat(15)}d`],
  ["a < b <c> <!-- d --> e", "a < b <c>            e"],
])("of the item %j the comments alone are blanked out", (text, shown = text) => {
  expect(items(`- ${text}`)[0]?.text).toBe(shown);
});

test("a comment mark behind a backslash is text, and so is a backtick", () => {
  expect(titles("a \\<!-- b\n# yes")).toEqual(["yes"]);
  expect(titles("a \\` <!-- `\n# no\n-->\n# yes")).toEqual(["yes"]);
  expect(titles("a \\\\<!--\n# no\n-->\n# yes")).toEqual(["yes"]);
});

test("a comment on a line leaves every column where it was", () => {
  const text = "# Title <!-- note --> x\n- [ ] a <!-- [x] --> b";
  const [heading] = parse(text).headings;
  expect(heading?.title).toBe("Title               x");
  expect(text.slice(heading?.titleSpan.start, heading?.titleSpan.end)).toBe("Title <!-- note --> x");
  expect(items(text)[0]?.text).toBe("a              b");
});

test("a section ends at the next heading of its level or above", () => {
  const parsed = parse("# A\n## B\n- [ ] 1\n### C\n- [ ] 2\n## D\n- [ ] 3\n# E");
  const [a, b, c, d, e] = parsed.headings;
  expect([a, b, c, d, e].map((heading) => heading && nextHeading(parsed, heading)?.title)).toEqual([
    "E",
    "D",
    "D",
    "E",
    undefined,
  ]);
  expect(b && itemsOf(proseUnder(parsed, b)).map((item) => item.text)).toEqual(["1", "2"]);
  expect(c && itemsOf(proseUnder(parsed, c)).map((item) => item.text)).toEqual(["2"]);
  expect(d && proseUnder(parsed, d).map((line) => line.text)).toEqual(["- [ ] 3"]);
  expect(e && proseUnder(parsed, e)).toEqual([]);
});

test("lines of code, and lines that are comments alone, are no prose", () => {
  const { prose } = parse("a\n<!-- b -->\nc <!-- d\ne\n-->\n```\nf\n```\n\ng");
  expect(prose.map(({ number, text }) => [number, text])).toEqual([
    [1, "a"],
    [3, "c       "],
    [9, ""],
    [10, "g"],
  ]);
});

test.each([
  ["b\n\n  c", ""],
  ["b\nc", ""],
  ["b\n c", ""],
  ["b\n  c\n\td\r\n  \t  e\nf", " c d e"],
  ["b\r\n    `c` 1.", " `c` 1."],
  ...["# c", "> c", "| c |", "= c", "* c", "+ c", "- c", "1. c", "[c]: d", "]", "<c>", "```", "~~~", "c -->"].map(
    (line) => [`b\n  ${line}\n  d`, ""],
  ),
])("of the item %j goes on below: %j", (text, rest) => {
  expect(restOfItem(`- ${text}`, 3)).toBe(rest);
});

test("a text without its comments has all else where it was", () => {
  const shown = (text: string) => {
    const source = sourceText(text);
    return withoutComments(source, outline(source));
  };
  expect(shown("\uFEFFa <!-- b --> c\r\n<!--\nd\n-->\n\ne")).toBe("\uFEFFa            c\r\n    \n \n   \n\ne");
  expect(shown("```\na\n```\n")).toBe("```\na\n```\n");
  const part = fc.constantFrom("<!--", "-->", "a", " ", "\n", "\r\n", "- ", "`", "\\");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join("");
      const rest = shown(text);
      expect(rest).toHaveLength(text.length);
      for (const [at, unit] of [...rest].entries()) if (unit !== " ") expect(unit).toBe(text[at]);
      expect(rest.replace(/[^\r\n]/g, "")).toBe(text.replace(/[^\r\n]/g, ""));
    }),
  );
});

test("newline style and BOM change nothing that is read", () => {
  const line = fc.constantFrom(
    "# a",
    "- [ ] b",
    "```",
    "~~~",
    "````js",
    "<!-- c",
    "-->",
    "",
    "    ```",
    "  - [x] d",
    "1. ```",
    "`<!--`",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), fc.constantFrom("\r\n", "\r"), (lines, newline) => {
      const plain = lines.join("\n");
      const other = `\uFEFF${lines.join(newline)}`;
      expect(titles(other)).toEqual(titles(plain));
      expect(items(other).map((item) => [item.text, item.checked, item.line.number])).toEqual(
        items(plain).map((item) => [item.text, item.checked, item.line.number]),
      );
    }),
    { numRuns: 1000 },
  );
});

test.each([
  "#",
  "# ",
  "`",
  "~",
  "<!--",
  "-->",
  "`<!--",
  "- ",
  "1. ",
  "[ ] ",
  " ",
  "\t",
  "- ```\n",
  "  - a\n",
  "```\n",
  "~~~a\n",
  "# a\n",
  "- [ ] a\n",
  "<!-- a\n-->\n",
])("reads a megabyte of %j in time that grows with the text only", (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  const start = cpuTime();
  items(text);
  expect(cpuTime() - start).toBeLessThan(2500);
});
