import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseSkillFast } from "../../src/skills/parse-skill-fast.ts";
import { findingsOf, parseBoth } from "./both.ts";
import { skillText } from "./skill-text.ts";

const NAME = "name: learn-projects";
const DESCRIPTION = "description: Learn how projects work.";

describe("a good SKILL.md", () => {
  test("has the name and the description of its front matter and no finding", () => {
    expect(parseBoth(skillText(NAME, DESCRIPTION))).toEqual({
      skill: { name: "learn-projects", description: "Learn how projects work." },
      diagnostics: [],
    });
  });

  test("may hold each optional key", () => {
    const text = skillText(
      NAME,
      DESCRIPTION,
      "license: Apache-2.0",
      "compatibility: Requires git and jq",
      "metadata:",
      "  author: example-org",
      '  version: "1.0"',
      "  level: 3",
      "allowed-tools: Bash(git:*) Read",
    );
    expect(findingsOf(text)).toEqual([]);
  });

  test.each(["allowed-tools:\n  - Bash(git:*)\n  - Read", "allowed-tools: [Read, Grep]", "allowed-tools:"])(
    "may hold tools as %j",
    (tools) => {
      expect(findingsOf(skillText(NAME, DESCRIPTION, tools))).toEqual([]);
    },
  );

  test("may hold the keys that the client reads", () => {
    expect(findingsOf(skillText(NAME, DESCRIPTION, "disable-model-invocation: true", "model: inherit"))).toEqual([]);
  });

  test("is read without a YAML parser where it is plain", () => {
    expect(parseSkillFast(skillText(NAME, DESCRIPTION), { folderName: "learn-projects" })).not.toBe("needs-yaml");
    expect(parseSkillFast(skillText(NAME, "description: |", "  x"), { folderName: "a" })).toBe("needs-yaml");
  });
});

test("the system skill of the originals keeps its colon in quotes, and its own two keys are warned about", () => {
  const text = readFileSync(new URL("../fixtures/nexus/SKILL.system.md", import.meta.url), "utf8");
  const { skill, diagnostics } = parseBoth(text);
  expect(skill).toEqual({
    name: "learn-projects",
    description: "Learn how Nexus projects work. Load when user mentions: learn projects, what is a project. 8-10 min.",
  });
  expect(diagnostics.map(({ code, severity, start }) => [code, severity, start.line])).toEqual([
    ["unknown-key", "warning", 4],
    ["unknown-key", "warning", 5],
  ]);
});

describe("one meaning for every way to write it", () => {
  const plain = parseBoth(skillText(NAME, DESCRIPTION)).skill;
  test.each([
    ["a BOM", `\uFEFF${skillText(NAME, DESCRIPTION)}`],
    ["CRLF", skillText(NAME, DESCRIPTION).replaceAll("\n", "\r\n")],
    ["blanks behind the dashes", skillText(NAME, DESCRIPTION).replaceAll("---", "---  \t")],
    ["no blank line and no body", `---\n${NAME}\n${DESCRIPTION}\n---`],
    ["a body that follows at once", `---\n${NAME}\n${DESCRIPTION}\n---\nBody: x`],
    ["a blank before the colon", skillText("name : learn-projects", "description : Learn how projects work.")],
    ["a comment behind a value", skillText(`${NAME}  # as the folder`, DESCRIPTION)],
    ["double quotes", skillText('name: "learn-projects"', 'description: "Learn how projects work."')],
    ["single quotes", skillText("name: 'learn-projects'", "description: 'Learn how projects work.'")],
    ["quoted keys", skillText('"name": learn-projects', "'description': Learn how projects work.")],
    ["a literal block", skillText(NAME, "description: |", "  Learn how projects work.")],
    ["a folded block", skillText(NAME, "description: >-", "  Learn how", "  projects work.")],
    ["text over two lines", skillText(NAME, "description: Learn how", "  projects work.")],
    ["a flow map", "---\n{name: learn-projects, description: Learn how projects work.}\n---\n"],
    ["an alias", skillText(NAME, "license: &d Learn how projects work.", "description: *d")],
  ])("%s", (_, text) => {
    expect(parseBoth(text)).toEqual({ skill: plain, diagnostics: [] });
  });

  test("a name of digits is text", () => {
    expect(parseBoth(skillText("name: 2048", DESCRIPTION), "2048")).toMatchObject({
      skill: { name: "2048" },
      diagnostics: [],
    });
    expect(parseBoth(skillText("name: 0x10", DESCRIPTION), "0x10").skill.name).toBe("0x10");
  });

  test("a description with the words of hook output and lone quotes stays as it is", () => {
    const words = `Answers {"hookSpecificOutput": {"additionalContext": "x'}} </skill> & "quotes`;
    const text = skillText(NAME, "description: |-", `  ${words}`);
    expect(parseBoth(text).skill.description).toBe(words);
  });
});

describe("front matter", () => {
  test.each([
    ["none", "# A skill\n", ["front-matter 1:1"]],
    ["an empty file", "", ["front-matter 1:1"]],
    ["a blank line first", `\n${skillText(NAME, DESCRIPTION)}`, ["front-matter 1:1"]],
    ["four dashes", `----\n${NAME}\n----\n`, ["front-matter 1:1"]],
    ["no closing line", `---\n${NAME}\n${DESCRIPTION}\n`, ["front-matter 1:1"]],
    ["a list", "---\n- name\n---\n", ["front-matter 1:1"]],
    ["text", "---\nname\n---\n", ["front-matter 1:1"]],
    ["nothing between the dashes", "---\n---\n", ["description 1:1", "name 1:1"]],
    ["comments between the dashes", "---\n# name: x\n---\n", ["description 1:1", "name 1:1"]],
  ])("%s", (_, text, expected) => {
    expect(findingsOf(text)).toEqual(expected);
  });

  test("that is no YAML is reported with its place, and its words are kept", () => {
    const text = skillText(NAME, "description: Use when: the user asks");
    const { skill, diagnostics } = parseBoth(text);
    expect(skill).toEqual({ name: "learn-projects", description: "Use when: the user asks" });
    expect(diagnostics.map(({ code, start }) => [code, start.line])).toEqual([["front-matter", 3]]);
    expect(diagnostics[0]?.hint).toContain("double quotes");
  });

  test("that is never closed keeps its words", () => {
    expect(parseBoth(`---\n${NAME}\n${DESCRIPTION}\n\n# Body\n`).skill).toEqual({
      name: "learn-projects",
      description: "Learn how projects work.",
    });
  });

  test("with a NUL is reported at the place", () => {
    const { skill, diagnostics } = parseBoth(skillText(NAME, "description: a\u0000b"));
    expect(diagnostics).toMatchObject([{ code: "front-matter", start: { line: 3, column: 15 } }]);
    expect(diagnostics[0]?.message).toContain("U+0000");
    expect(skill.description).toBe("a\uFFFDb");
  });
});

describe("name", () => {
  test.each([
    ["Learn-Projects", '"L"'],
    ["learn_projects", '"_"'],
    ["-learn", "both ends"],
    ["learn-", "both ends"],
    ["learn--projects", "single hyphens"],
    ["'learn projects'", '" "'],
    ["über-projects", '"ü"'],
    ["a".repeat(65), "at most 64 characters, found 65"],
    ["other", '"learn-projects", found "other"'],
    ['""', "found an empty one"],
    ["", "found nothing"],
    ["null", "found nothing"],
    ["[a, b]", "found a list"],
  ])("%s is refused, naming %s", (name, told) => {
    const { diagnostics } = parseBoth(skillText(`name: ${name}`.trimEnd(), DESCRIPTION));
    expect(diagnostics).toMatchObject([{ code: "name", severity: "error", start: { line: 2 } }]);
    expect(diagnostics[0]?.message).toContain(told);
    expect(diagnostics[0]?.hint).toContain("name: learn-projects");
  });

  test("points at the value", () => {
    const { diagnostics } = parseBoth(skillText("name:   Other", DESCRIPTION));
    expect(diagnostics).toMatchObject([{ start: { line: 2, column: 9 }, end: { line: 2, column: 14 } }]);
  });

  test("of 64 characters is taken, and one that is none gives way to the folder's", () => {
    const longest = "a".repeat(64);
    expect(findingsOf(skillText(`name: ${longest}`, DESCRIPTION), longest)).toEqual([]);
    const { diagnostics } = parseBoth(skillText("name: Other", DESCRIPTION), longest);
    expect(diagnostics).toMatchObject([{ hint: `Write "name: ${longest}".` }]);
    expect(parseBoth(skillText("name: Learn Projects", DESCRIPTION)).skill.name).toBe("learn-projects");
    expect(parseBoth(skillText("name: other", DESCRIPTION)).skill.name).toBe("other");
  });
});

describe("description", () => {
  test.each([
    ["description:", "found nothing"],
    ['description: "  "', "found blanks only"],
    ["description: |\n\n", "found blanks only"],
    ["description: {a: b}", "found keys and values"],
    ["description: [a]", "found a list"],
  ])("%j is refused", (line, told) => {
    const { diagnostics } = parseBoth(skillText(NAME, line));
    expect(diagnostics).toMatchObject([{ code: "description", severity: "error", start: { line: 3 } }]);
    expect(diagnostics[0]?.message).toContain(told);
  });

  test("is counted in characters: 1024 pass, one more is reported and cut", () => {
    expect(findingsOf(skillText(NAME, `description: ${"🚀".repeat(1024)}`))).toEqual([]);
    const { skill, diagnostics } = parseBoth(skillText(NAME, `description: ${"🚀".repeat(1025)}`));
    expect(diagnostics).toMatchObject([{ code: "description" }]);
    expect(diagnostics[0]?.message).toContain("at most 1024 characters, found 1025");
    expect(skill.description).toBe(`${"🚀".repeat(1023)}…`);
  });
});

describe("optional keys", () => {
  test.each([
    ["license: [MIT]", ["license 4:10"]],
    ["license:", ["license 4:1"]],
    [`compatibility: ${"x".repeat(501)}`, ["compatibility 4:16"]],
    [`compatibility: ${"x".repeat(500)}`, []],
    ["metadata: text", ["metadata 4:11"]],
    ["metadata: {a: [1]}", ["metadata 4:11"]],
    ["metadata: {a: {b: c}}", ["metadata 4:11"]],
    ["metadata:", []],
    ["allowed-tools: {a: b}", ["allowed-tools 4:16"]],
    ["allowed-tools: [a, [b]]", ["allowed-tools 4:16"]],
  ])("%s", (line, expected) => {
    expect(findingsOf(skillText(NAME, DESCRIPTION, line))).toEqual(expected);
  });
});

describe("keys", () => {
  test("an unknown one is a warning with the key that was meant", () => {
    const { diagnostics } = parseBoth(skillText(NAME, DESCRIPTION, "allowed_tools: Read"));
    expect(diagnostics).toMatchObject([
      { code: "unknown-key", severity: "warning", start: { line: 4, column: 1 }, end: { line: 4, column: 14 } },
    ]);
    expect(diagnostics[0]?.hint).toBe('Did you mean "allowed-tools"?');
  });

  test("one that stands twice is an error at the second, and the first holds", () => {
    const { skill, diagnostics } = parseBoth(skillText(NAME, DESCRIPTION, "description: again"));
    expect(diagnostics).toMatchObject([{ code: "duplicate-key", severity: "error", start: { line: 4, column: 1 } }]);
    expect(skill.description).toBe("Learn how projects work.");
  });

  test("a key that is no text is named as it stands", () => {
    const { diagnostics } = parseBoth(skillText(NAME, DESCRIPTION, "? [a, b]", ": c"));
    expect(diagnostics.map(({ message }) => message)).toEqual(['Expected a key of Agent Skills, found "[a, b]"']);
  });

  test("a thousand strange ones are eleven findings, the last with the number of the rest", () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `key${index}: x`);
    const { diagnostics } = parseBoth(skillText(NAME, DESCRIPTION, ...lines));
    expect(diagnostics).toHaveLength(11);
    expect(diagnostics.map(({ message }) => message).join()).toContain("990 more keys");
  });
});
