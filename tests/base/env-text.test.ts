import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type EnvItem, formatEnv, parseEnv, quoteEnvValue, setEnvValues } from "../../src/base/env-text.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { need } from "../helpers/need.ts";

const owns = (key: string) => key.startsWith("S_");

function pairs(text: string): [string, string][] {
  const parsed = need(parseEnv(text, owns));
  return parsed.flatMap((item): [string, string][] => (item.kind === "pair" ? [[item.key, item.value]] : []));
}

function rewritten(text: string, values: Record<string, string>, before: string | null = null): string {
  const parsed = need(parseEnv(text, owns));
  return formatEnv(setEnvValues(parsed, new Map(Object.entries(values)), before));
}

test.each([
  ["plain", "S_A=a.b/c:d+e-f_1", "a.b/c:d+e-f_1"],
  ["empty", "S_A=", ""],
  ["empty quotes", "S_A=''\"\"", ""],
  ["single quotes", "S_A='a  \"b\" $c `d` \\'", 'a  "b" $c `d` \\'],
  ["a quote in single quotes, as we write it", "S_A='it'\\''s'", "it's"],
  ["double quotes", 'S_A="a b"', "a b"],
  ["escapes in double quotes", 'S_A="\\" \\\\ \\$ \\` \\n"', '" \\ $ ` \\n'],
  ["a newline that a backslash takes out of double quotes", 'S_A="a\\\nb"', "ab"],
  ["pieces side by side", "S_A=a'b c'\"d\"\\ e", "ab cd e"],
  ["a newline in single quotes", "S_A='a\nb'", "a\nb"],
  ["blanks before", "  \tS_A=a", "a"],
  ["blanks after", "S_A=a  \t", "a"],
  ["a comment after", "S_A=a # b 'c", "a"],
  ["a hash that begins no comment", "S_A='a'", "a"],
  ["export", "export S_A=a", "a"],
  ["declare", 'declare -x S_A="a"', "a"],
  ["marks that no shell takes for its own", "S_A=a,b@c%d=e", "a,b@c%d=e"],
])("reads %s", (_name, line, value) => {
  for (const ending of ["\n", "\r\n", ""]) expect(pairs(`# x\n${line}${ending}`)).toEqual([["S_A", value]]);
});

test.each([
  ["a single quote that is not closed", "S_A='a\nS_B=b\n", 1],
  ["a double quote that is not closed", '# x\nS_A="a\n', 2],
  ["a variable", 'S_A="$HOME"\n', 1],
  ["a variable without quotes", "S_A=$HOME\n", 1],
  ["a command", 'S_A="$(touch x)"\n', 1],
  ["a command without quotes", "S_A=$(touch x)\n", 1],
  ["backticks", "S_A=`touch x`\n", 1],
  ["a second command", "S_A=a; touch x\n", 1],
  ["a command to run with it", "S_A=a touch x\n", 1],
  ["a second assignment", "S_A=a S_B=b\n", 1],
  ["a pipe", "S_A=a|b\n", 1],
  ["a home folder", "S_A=~/x\n", 1],
  ["a glob", "S_A=*\n", 1],
  ["braces", "S_A={a,b}\n", 1],
  ["an array", "S_A=(a b)\n", 1],
  ["a hash without a blank before it", "S_A='a'#b\n", 1],
  ["a carriage return on its own", "S_A=a\rb\n", 1],
  ["the line after a value of two lines", "S_A='a\nb'\n\nS_B=$x\n", 4],
])("refuses %s and names the line", (_name, text, line) => {
  const parsed = parseEnv(text, owns);
  expect(parsed.ok).toBe(false);
  if (!parsed.ok) expect(parsed.error.line).toBe(line);
});

test("a key that is not ours may hold what it likes", () => {
  expect(pairs('OTHER=$(touch x)\nS_A=a\nPATH="$HOME:$PATH"\nS_B=b\n')).toEqual([
    ["S_A", "a"],
    ["S_B", "b"],
  ]);
});

test.each([
  ["an array over lines", 'x=([0]="a" \\\n[1]="S_A=no" \\\n[2]=\'c\')\n'],
  ["an array with a key of ours on a line", "x=(\nS_A=no\n)\n"],
  ["a comment with a quote and a parenthesis", "# it's (not closed\n"],
  ["a comment in an array", "x=( # it's\nS_A=no )\n"],
  ["a quote over lines", "x='\nS_A=no\n'\n"],
  ["a double quote over lines with an escaped one", 'x="\n\\"\nS_A=no\n"\n'],
  ["a line that goes on", "x=a\\\nS_A=no\n"],
  ["a closing parenthesis too many", "x) y\n"],
])("passes over %s", (_name, other) => {
  expect(pairs(`${other}S_A=yes\n${other}`)).toEqual([["S_A", "yes"]]);
  expect(rewritten(`${other}S_A=yes\n${other}`, { S_A: "new" })).toBe(`${other}S_A=new\n${other}`);
});

test.each(["x=(\n", "x='\n", 'x="\n', 'x=" \\"\n'])("what never closes, %j, hides nothing that follows", (other) => {
  expect(pairs(`${other}S_A=a\n# x\n`)).toEqual([["S_A", "a"]]);
});

test("a rewrite touches the values that change and no other byte", () => {
  const text =
    "\uFEFF# note\r\n\r\n  S_A='a'   # old  \r\nexport S_B=\"b\"\t\nOTHER=\"$(x)\"\nS_C=c\nS_D='d'\n\n# end, no newline";
  expect(rewritten(text, { S_A: "a", S_B: "b", S_C: "c" })).toBe(text);
  expect(rewritten(text, { S_A: "new value" })).toBe(text.replace("'a'", "'new value'"));
  expect(rewritten(text, { S_B: "x" })).toBe(text.replace('"b"', "x"));
  expect(rewritten(text, { S_NEW: "n" })).toBe(`${text}\nS_NEW=n\n`);
  expect(rewritten(text, { S_NEW: "n", S_A: "1" }, "S_C")).toBe(
    text.replace("'a'", "1").replace("S_C=c", "S_NEW=n\nS_C=c"),
  );
});

test("a key that stands twice is replaced at both places", () => {
  expect(rewritten("S_A=a\nS_B=b\nS_A=a\n", { S_A: "new" })).toBe("S_A=new\nS_B=b\nS_A=new\n");
});

test.each([
  ["", ""],
  ["abc", "abc"],
  ["2026-02-03T12:15:07.120Z", "2026-02-03T12:15:07.120Z"],
  ["a b", "'a b'"],
  ["it's", "'it'\\''s'"],
  ["$(touch x)", "'$(touch x)'"],
  ["~", "'~'"],
  ["a\nb", "'a\nb'"],
  ["a\0b", "'ab'"],
])("writes %j as %s", (value, expected) => {
  expect(quoteEnvValue(value)).toBe(expected);
});

const NASTY = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        "\\",
        "$",
        "`",
        "$(touch x)",
        "\n",
        "\r",
        " ",
        "#",
        "(",
        ")",
        ";",
        "=",
        "é",
        "🚀",
        "\uFEFF",
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);

test("every value without NUL is read back as it was written", () => {
  fc.assert(
    fc.property(fc.array(NASTY, { maxLength: 4 }), (list) => {
      const wanted = list.map((value, index): [string, string] => [`S_${index}`, value.replaceAll("\0", "")]);
      const items = wanted.map(([key, value]): EnvItem => ({ kind: "pair", key, value }));
      expect(pairs(formatEnv(items))).toEqual(wanted);
      // Also where the values replace others, between lines of other tools.
      const old = wanted.map(([key]) => `x=("'" \\\n'"')\n${key}="old 'value'" # it's\n`).join("");
      expect(pairs(rewritten(old, Object.fromEntries(wanted)))).toEqual(wanted);
    }),
    { numRuns: 250 },
  );
});

test("any text is read without a throw, and what is read is written back byte for byte", () => {
  const part = fc.constantFrom(
    "S_A",
    "=",
    "'",
    '"',
    "\\",
    "$",
    "(",
    ")",
    "#",
    " ",
    "\n",
    "\r\n",
    "a",
    "x=",
    "export ",
    "declare -x ",
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 30 }).map((parts) => parts.join("")),
      (text) => {
        const parsed = parseEnv(text, owns);
        if (parsed.ok) expect(formatEnv(parsed.value)).toBe(text);
        else expect(parsed.error.line).toBeLessThanOrEqual(text.split("\n").length);
      },
    ),
    { numRuns: 2500 },
  );
});

test.each([
  "(\n",
  ")",
  "'",
  '"',
  "'\n",
  '"\n',
  "x='\n",
  'x="\\"\n',
  "#\n",
  "# '\n",
  "\n",
  "a",
  "a=",
  "=",
  "\\",
  "\\\n",
  " ",
  "S_A",
  "S_A=\n",
  "S_A=' '\n",
  "S_A=a #\n",
  "S_A=\\ ",
  "x=(\ny='\n",
  "$(",
])("reads and writes half a megabyte of %j in time that grows with the text only", (unit) => {
  const text = unit.repeat(500_000 / unit.length);
  const start = cpuTime();
  const parsed = parseEnv(text, owns);
  if (parsed.ok) formatEnv(setEnvValues(parsed.value, new Map([["S_A", "new"]])));
  expect(cpuTime() - start).toBeLessThan(1250);
});

test.each(["A='", "B=(1\n2\n", "echo \\", "echo \\\n", 'x="\nSTATE_A=1\n', "C=1\n: '\n"])(
  "a new key is read again behind %j, which a shell never sees the end of",
  (text) => {
    const owns = (key: string) => key === "STATE_NEW";
    const read = need(parseEnv(text, owns));
    expect(formatEnv(read)).toBe(text);
    const written = formatEnv(setEnvValues(read, new Map([["STATE_NEW", "it's $x"]])));
    expect(written.endsWith(text)).toBe(!text.startsWith("C=1"));
    const again = parseEnv(written, owns);
    expect(again.ok && again.value.filter(({ kind }) => kind === "pair")).toMatchObject([{ value: "it's $x" }]);
  },
);
