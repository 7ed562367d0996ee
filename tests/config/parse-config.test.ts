import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Config } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test("the defaults that are spelled out are those of the schema", () => {
  expect(DEFAULT_CONFIG).toEqual(Config.parse({}));
});

test.each(["", "# a comment\n", "---\n", "\uFEFF", "{}\n"])("the defaults hold for %j", (text) => {
  expect(parseConfig(text)).toEqual({ value: DEFAULT_CONFIG, problems: [] });
});

test("reads the file of the format's definition", () => {
  const text = `layout: {system: 00-system, memory: 01-memory, projects: 02-projects, skills: 03-skills, workspace: 04-workspace}
budgets: {startup: 20000, compact: 10000}     # tokens
delivery: {cap: 10000, parts: 4}              # characters a hook may inject; hook entries to split over
tone: firm                                    # firm | plain
recovery: {architecture: docs/oosh-architecture.md}
redact: []                                    # further patterns, linear-time only
`;
  expect(parseConfig(text)).toEqual({ value: DEFAULT_CONFIG, problems: [] });
});

test("one key leaves the others at their defaults, with any newlines and a BOM", () => {
  for (const newline of ["\n", "\r\n"]) {
    const text = `\uFEFF${["layout:", "  projects: work", "tone: plain", "redact:", "  - a.b", ""].join(newline)}`;
    expect(parseConfig(text)).toEqual({
      value: {
        ...DEFAULT_CONFIG,
        layout: { ...DEFAULT_CONFIG.layout, projects: "work" },
        tone: "plain",
        redact: ["a.b"],
      },
      problems: [],
    });
  }
});

test.each(["", "\uFEFF"])(
  "says that a merge was left open, and where: what YAML makes of it tells nobody (%j)",
  (begin) => {
    const sides = ["<<<<<<< HEAD", "budgets:", "  startup: 1000", "=======", "tone: firm", ">>>>>>> theirs"];
    expect(parseConfig([`${begin}tone: plain`, ...sides, ""].join("\n"))).toEqual({
      value: DEFAULT_CONFIG,
      problems: ["line 2: it holds two versions, git left a merge open"],
    });
  },
);

test.each([
  ["an unknown key", "tones: x", 'tones is not a known key; did you mean "tone"?'],
  ["an unknown key below", "layout: {project: x}", 'layout.project is not a known key; did you mean "projects"?'],
  ["a key like no other", "xyzzy: 1", "xyzzy is not a known key"],
  ["a key of prototypes", "__proto__: {tone: plain}", "__proto__ is not a known key"],
  ["another key of prototypes", "constructor: {tone: plain}", "constructor is not a known key"],
])("%s is said, and changes nothing", (_name, text, problem) => {
  expect(parseConfig(text)).toEqual({ value: DEFAULT_CONFIG, problems: [problem] });
});

test.each([
  ["tone: Firm", "tone"],
  ["tone: null", "tone"],
  ["tone: [firm]", "tone"],
  ["layout: x", "layout"],
  ["layout: {system: 5}", "layout.system"],
  ["layout: {projects: ../out}", "layout.projects"],
  ["layout: {skills: a/../../out}", "layout.skills"],
  ["layout: {memory: /etc}", "layout.memory"],
  ["layout: {workspace: ~/work}", "layout.workspace"],
  ["layout: {system: 'C:\\\\sys'}", "layout.system"],
  ['layout: {projects: "a\\0b"}', "layout.projects"],
  ['recovery: {architecture: "a\\0b"}', "recovery.architecture"],
  ["budgets: {startup: many}", "budgets.startup"],
  ["budgets: {startup: 1.5}", "budgets.startup"],
  ["budgets: {startup: -1}", "budgets.startup"],
  ["budgets: {startup: .inf}", "budgets.startup"],
  ["budgets: {startup: .nan}", "budgets.startup"],
  ["delivery: {cap: 1000000}", "delivery.cap"],
  ["delivery: {parts: 0}", "delivery.parts"],
  ["redact: x", "redact"],
  ["redact: [1]", "redact.0"],
  ["compact: {ask: /clear}", "compact.ask"],
  ["compact: {ask: ''}", "compact.ask"],
])("a wrong value, %s, is named and replaced by its default", (text, place) => {
  const { value, problems } = parseConfig(text);
  expect(value).toEqual(DEFAULT_CONFIG);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${place.replaceAll(".", "\\.")}: .*; the default is used$`));
});

test("a folder of the layout may be any inside the project", () => {
  const layout = { system: "a/../b", memory: "./m", projects: "..p", skills: "s/.", workspace: "w/x/../.." };
  expect(parseConfig(JSON.stringify({ layout }))).toEqual({ value: { ...DEFAULT_CONFIG, layout }, problems: [] });
});

test("what is good beside a wrong value holds", () => {
  const { value, problems } = parseConfig(
    "tone: plain\nbudgets: {startup: x, compact: 5000}\ndelivery: 5\nredact: [a, 1]\n",
  );
  expect(problems).toHaveLength(3);
  expect(value).toEqual({ ...DEFAULT_CONFIG, tone: "plain", budgets: { startup: 20_000, compact: 5000 } });
});

test.each([
  ["a tab", "layout:\n\tsystem: x\n", /^line 2, column 1: /],
  ["an open quote", 'tone: "firm\n', /^line \d, column \d+: /],
  ["a key twice", "tone: firm\ntone: plain\n", /^line 2, column 1: /],
  ["two documents", "tone: firm\n---\ntone: plain\n", /^line 2, column 1: /],
  ["an alias of nothing", "tone: *x\n", /Unresolved alias/],
  ["a list at the top", "- tone\n", /^expected keys and values at the top$/],
  ["a text at the top", "firm\n", /^expected keys and values at the top$/],
])("bad YAML is refused as a whole, with its place: %s", (_name, text, problem) => {
  const { value, problems } = parseConfig(text);
  expect(value).toEqual(DEFAULT_CONFIG);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

test("aliases that multiply are refused", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(8)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  const start = cpuTime();
  const { value, problems } = parseConfig(lines.join("\n"));
  expect(cpuTime() - start).toBeLessThan(2_000);
  expect(value).toEqual(DEFAULT_CONFIG);
  expect(problems).toEqual([expect.stringContaining("alias")]);
});

test.each(["[", "{", "- ", "? ", "a: ", '"', "'", "*a ", "&a ", "!a ", "\n ", "\t", "#", "%", "|\n", "--- \n"])(
  "64 kB of %j are answered in time, without a throw",
  (unit) => {
    const start = cpuTime();
    for (const before of ["", "redact: ", "tone: |\n"]) parseConfig(before + unit.repeat(65_536 / unit.length));
    expect(cpuTime() - start).toBeLessThan(4000);
  },
);

test("any text is answered without a throw by a whole configuration", () => {
  const part = fc.constantFrom(
    "tone",
    ": ",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "&a",
    "*a",
    "!!str ",
    "redact",
    "#",
    "1",
    "|",
    "layout",
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 15 }).map((parts) => parts.join("")),
      (text) => {
        expect(Config.safeParse(parseConfig(text).value).success).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test("a key that is a list or a map prints no warning of the reader's own", () => {
  const { emitWarning } = process;
  const warned: unknown[] = [];
  process.emitWarning = (warning: unknown) => void warned.push(warning);
  try {
    expect(parseConfig("? [a, b]\n: 1\ntone: plain\n").value.tone).toBe("plain");
    expect(warned).toEqual([]);
  } finally {
    process.emitWarning = emitWarning;
  }
});
