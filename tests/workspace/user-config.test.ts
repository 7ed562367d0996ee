import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ONBOARDING } from "../../src/workspace/onboarding.ts";
import type { UserConfig } from "../../src/workspace/open-user-config.ts";
import { parseUserConfigFast } from "../../src/workspace/parse-user-config-fast.ts";
import { parseUserConfigYaml } from "../../src/workspace/parse-user-config-yaml.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const FIXTURE = readFileSync(new URL("../fixtures/nexus/user-config.yaml", import.meta.url), "utf8");

function parseBoth(text: string): UserConfig {
  const yaml = parseUserConfigYaml(text);
  const fast = parseUserConfigFast(text);
  if (fast !== "needs-yaml") expect(fast).toEqual(yaml);
  return yaml;
}

function pendingIn(text: string): readonly string[] {
  const { pending, diagnostics } = parseBoth(text);
  expect(diagnostics).toEqual([]);
  return pending.map(({ name }) => name);
}

function tracker(...lines: readonly string[]): string {
  return ["learning_tracker:", "  completed:", ...lines.map((line) => `    ${line}`), ""].join("\n");
}

describe("the originals' configuration", () => {
  test("is read without a YAML parser, with every item pending in the order of the offer", () => {
    expect(parseUserConfigFast(FIXTURE)).toEqual({ pending: ONBOARDING, diagnostics: [] });
    expect(ONBOARDING.map(({ name, minutes }) => `${name} (${minutes} min)`)).toEqual([
      "setup-memory (8 min)",
      "setup-workspace (5-8 min)",
      "learn-projects (8-10 min)",
      "learn-skills (10-12 min)",
      "learn-integrations (10-12 min)",
      "learn-nexus (15-18 min)",
    ]);
  });

  test("has nothing pending once all is done", () => {
    const done = FIXTURE.replace(/(setup|learn)_(\w+): false/g, "$1_$2: true");
    expect(pendingIn(done)).toEqual([]);
    expect(parseUserConfigFast(done)).toEqual({ pending: [], diagnostics: [] });
  });

  test.each(ONBOARDING.map(({ name }) => name))("loses %s alone when that is done", (name) => {
    const key = name.replaceAll("-", "_");
    const rest = ONBOARDING.map((item) => item.name).filter((other) => other !== name);
    expect(pendingIn(FIXTURE.replace(`${key}: false`, `${key}: true`))).toEqual(rest);
  });
});

describe("one meaning for every way to write it", () => {
  const expected = pendingIn(tracker("learn_nexus: true"));
  test.each([
    ["a BOM", `\uFEFF${tracker("learn_nexus: true")}`],
    ["CRLF", tracker("learn_nexus: true").replaceAll("\n", "\r\n")],
    ["a comment behind the value", tracker("learn_nexus: true  # at last")],
    [
      "comments and blank lines between",
      tracker("", "# x", "learn_nexus: true").replace("  completed", "\n# y\n  completed"),
    ],
    ["quotes", tracker('learn_nexus: "true"')],
    ["another word for true", tracker("learn_nexus: Yes")],
    ["a switch", tracker("learn_nexus: ON")],
    ["a number", tracker("learn_nexus: 1")],
    ["blanks within quotes", tracker('learn_nexus: " true "')],
    ["blanks within what is dismissed", "learning_tracker:\n  dismissed: [' learn_nexus ']\n"],
    ["a key that is quoted", tracker('"learn_nexus": true')],
    ["a map of another name", `${tracker("learn_nexus: true")}learning_tracker_completed:\n  learn_skills: true\n`],
    ["a map of a name within", tracker("learn_nexus: true", "x:", "  learn_skills: true")],
    ["hyphens in the key", tracker("learn-nexus: true")],
    ["one blank of indentation", "learning_tracker:\n completed:\n  learn_nexus: true\n"],
    ["a flow map", "learning_tracker: {completed: {learn_nexus: true}}\n"],
    ["an alias", "x: &x {learn_nexus: true}\nlearning_tracker:\n  completed: *x\n"],
    ["an open line of dashes", `---\n${tracker("learn_nexus: true")}`],
    ["two lines of dashes", `---\n${tracker("learn_nexus: true")}---\n`],
    ["dismissed", "learning_tracker:\n  dismissed:\n    - learn-nexus\n"],
    [
      "a key of the same name elsewhere",
      `other:\n  completed:\n    learn_skills: true\n${tracker("learn_nexus: true")}`,
    ],
    ["the first of two", tracker("learn_nexus: true", "learn_nexus: false")],
  ])("%s", (_, text) => {
    expect(expected).toHaveLength(5);
    expect(pendingIn(text)).toEqual(expected);
  });

  test.each([
    ["an empty file", ""],
    ["no tracker", "a: 1\n"],
    ["a tracker that is text", "learning_tracker: true\n"],
    ["nothing completed", "learning_tracker:\n  completed:\n"],
    ["an empty map", "learning_tracker:\n  completed: {}\n"],
    ["an alias of nothing", "learning_tracker: *x\n"],
    ["an alias of nothing within", "learning_tracker:\n  completed: *x\n  dismissed: [*y]\n"],
    ["a list of names", "learning_tracker:\n  completed:\n    - learn_nexus\n"],
    [
      "false, null, a word and a map",
      tracker("learn_nexus: false", "learn_skills: ~", "learn_projects: soon", "setup_memory:", "  at: 1"),
    ],
    ["a tracker inside another map", `x:\n${tracker("learn_nexus: true").replace(/^/gm, "  ")}`],
  ])("%s leaves everything pending", (_, text) => {
    expect(pendingIn(text)).toHaveLength(6);
  });
});

describe("a file that is no YAML", () => {
  test("is reported with its place, and what was done is not offered again", () => {
    const { pending, diagnostics } = parseBoth(`a: b: c\n${tracker("learn_nexus: true", "learn_skills: false")}`);
    expect(diagnostics).toMatchObject([{ code: "user-config", severity: "error", start: { line: 1 } }]);
    expect(pending.map(({ name }) => name)).not.toContain("learn-nexus");
    expect(pending).toHaveLength(5);
  });

  test.each([
    [
      "a fault of YAML",
      "a: [1\nb: 2\n",
      "2:1-2:2 Expected YAML in the configuration, found a fault: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    [
      "a fault at its very end",
      'a: "x',
      '1:6-1:6 Expected YAML in the configuration, found a fault: Missing closing "quote',
    ],
    [
      "a fault between lines of dashes",
      "---\na: b: c\n---\n",
      "2:4-2:5 Expected YAML in the configuration, found a fault: Nested mappings are not allowed in compact mappings",
    ],
    [
      "a fault behind a line of dashes that nothing closes",
      "---\na: b: c\n",
      "2:4-2:5 Expected YAML in the configuration, found a fault: Nested mappings are not allowed in compact mappings",
    ],
    [
      "more than a configuration holds",
      `a: ${"x".repeat(400_000)}\n`,
      "1:1-1:1 Expected a configuration of a few short lines, but it has 400004 characters, more than 32768",
    ],
  ])("with %s is told where and what", (_, text, told) => {
    const { diagnostics } = parseBoth(text);
    expect(
      diagnostics.map(
        ({ start, end, message }) => `${start.line}:${start.column}-${end.line}:${end.column} ${message}`,
      ),
    ).toEqual([told]);
    expect(diagnostics.map(({ hint }) => hint)).toEqual(["Mend the line, or start again from the template."]);
  });

  test("has done what its own lines say, and not what a comment or a longer word says", () => {
    const rest = (line: string) => parseBoth(`a: b: c\n${line}\n`).pending.length;
    expect(["  learn_nexus: true", "\tlearn_nexus:TRUE", "  learn_nexus:   true # x"].map(rest)).toEqual([5, 5, 5]);
    expect(["learn_nexus: true", "  # learn_nexus: true", "  learn_nexus: truely"].map(rest)).toEqual([6, 6, 6]);
  });

  test("or is far too long is reported and not parsed", () => {
    const { diagnostics } = parseBoth(`${tracker("learn_nexus: true")}a: ${"x".repeat(400_000)}\n`);
    expect(diagnostics).toMatchObject([{ code: "user-config", start: { line: 1, column: 1 } }]);
  });

  test("with aliases of aliases is read in no time", () => {
    const rounds = Array.from({ length: 12 }, (_, n) => `k${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}*a${n}]`);
    const start = cpuTime();
    expect(
      pendingIn(`k0: &a0 lol\n${rounds.join("\n")}\nlearning_tracker: {completed: *a12, dismissed: *a12}\n`),
    ).toHaveLength(6);
    expect(cpuTime() - start).toBeLessThan(2_000);
  });
});

const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("true", "false", "yes", "true  # done", "'true'", "2026-01-02") },
  fc.constantFrom(
    "true",
    "false",
    "",
    "yes",
    '"true"',
    "'a'",
    "[]",
    "{}",
    "null",
    "~",
    "[a]",
    "- a",
    "|",
    "a: b",
    "a:",
    "true # c",
    "#c",
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(..."ab: #'\"[]{},\t-&*!|>\\\r\u0085"), maxLength: 6 }),
);
const key = fc.constantFrom("learning_tracker", "completed", "learn_nexus", "learn_skills", "dismissed", "x", "#", "-");
const anyLine = fc
  .tuple(fc.constantFrom("", " ", "  ", "    ", "      ", "\t"), key, fc.constantFrom(":", ": ", " : "), value)
  .map((parts) => parts.join(""));
const anyLines = fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(anyLine, { maxLength: 2 }));
const items = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom("    learn_nexus: ", "    learn_skills: ", "    setup_memory: "), value)
      .map((parts) => parts.join("")),
    { weight: 1, arbitrary: anyLine },
  ),
  { maxLength: 4 },
);
const file = fc
  .tuple(anyLines, fc.constant(["learning_tracker:"]), anyLines, fc.constant(["  completed:"]), items, anyLines)
  .map((parts) => parts.flat());

test("the two readers say the same wherever the fast one answers", () => {
  let answered = 0;
  fc.assert(
    fc.property(file, fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "", "\r", "    \r"), (parts, newline, end) => {
      const text = parts.join(newline) + end;
      const fast = parseUserConfigFast(text);
      if (fast === "needs-yaml") return;
      if (fast.pending.length < 6) answered += 1;
      expect(fast).toEqual(parseUserConfigYaml(text));
    }),
    { numRuns: 4000 },
  );
  // Otherwise it would hold for a reader that never answers.
  expect(answered).toBeGreaterThan(100);
});

test.each(["\r", "    \r", "a: 1\r", "# c\r"])("of a file that ends with %j the two readers say the same", (end) => {
  const text = `${tracker("learn_nexus: true")}${end}`;
  const fast = parseUserConfigFast(text);
  expect(fast === "needs-yaml" ? parseUserConfigYaml(text) : fast).toEqual(parseUserConfigYaml(text));
});

test("a quarter of a megabyte of one thing takes less than a second, and half of what is parsed as YAML", () => {
  for (const unit of [
    "a",
    " ",
    "\t",
    "\n",
    "\r",
    "---\n",
    "a:\n",
    "a: ",
    " a:\n",
    "a: b\n",
    "#",
    '"',
    "[",
    "- ",
    "\u0000",
  ])
    for (const size of [250_000, 16_000])
      for (const head of ["", "---\n", "learning_tracker:\n  completed:\n    learn_nexus: "]) {
        const text = head + unit.repeat(Math.ceil(size / unit.length));
        const start = cpuTime();
        parseUserConfigFast(text);
        parseUserConfigYaml(text);
        expect(cpuTime() - start).toBeLessThan(1_000);
      }
});
