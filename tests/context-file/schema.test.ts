import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixContextFile } from "../../src/context-file/fix.ts";
import { RULES } from "../../src/context-file/rules/index.ts";
import { rulesMarkdown } from "../../src/context-file/rules-text.ts";
import { contextFileJsonSchema } from "../../src/context-file/schema-json.ts";
import { schemaMarkdown } from "../../src/context-file/schema-text.ts";
import { validateContextFile } from "../../src/context-file/validate.ts";
import { contextText } from "./context-text.ts";

test("the rules carry the codes and severities that others rely on", () => {
  expect(RULES.map(({ code, severity }) => `${code} ${severity}`).sort()).toEqual([
    "completed-work error",
    "done-marker warning",
    "duplicate-section warning",
    "first-step warning",
    "heading-name info",
    "key-files warning",
    "merge-conflict error",
    "metadata error",
    "pending warning",
    "recovery-steps error",
    "role-mismatch warning",
    "stale-context warning",
    "title error",
    "updated-date error",
  ]);
});

test("the pages in docs/ are these texts", () => {
  expect(rulesMarkdown()).toBe(readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8"));
  expect(schemaMarkdown()).toBe(readFileSync(new URL("../../docs/context-file.md", import.meta.url), "utf8"));
});

describe("the schema as text", () => {
  const schema = schemaMarkdown();

  test("shows a structure that is valid but for its placeholders", () => {
    const structure = /```markdown\n([\s\S]*?)```/.exec(schema)?.[1] ?? "";
    const { diagnostics } = validateContextFile(structure);
    expect(diagnostics.map(({ code, start }) => [code, start.line])).toEqual([
      ["updated-date", 3],
      ["done-marker", 12],
    ]);
  });

  test("names every rule in a table row", () => {
    for (const { code, severity, mends } of RULES)
      expect(schema).toContain(`| \`${code}\` | ${severity} | ${mends === null ? "no" : "yes"} |`);
    expect(schema.split("\n").filter((line) => /^\| `[a-z-]+` \| (?:error|warning|info)/.test(line))).toHaveLength(
      RULES.length,
    );
  });
});

test("the page on the rules has a chapter for each, in order, with a fence that closes", () => {
  const page = rulesMarkdown();
  expect([...page.matchAll(/^## ([a-z-]+)$/gm)].map(([, code]) => code)).toEqual(RULES.map(({ code }) => code));
  expect(page.match(/^```/gm)).toHaveLength(RULES.length * 2);
});

/** A text that breaks each rule; where the rule says that it mends, the text is one that it can mend. */
const BROKEN = {
  title: contextText({ title: "# A - Session Context" }),
  metadata: contextText({ pane: "Pane: 1" }),
  "updated-date": contextText({ updated: "**Updated**: 2026/02/03" }),
  "recovery-steps": contextText({ recovery: "" }),
  "completed-work": contextText({ completed: "" }),
  "first-step": contextText({ recovery: "## Recovery Steps\n1. Go" }),
  pending: contextText({ rest: "## Todo\n## Key Files" }),
  "key-files": contextText({ rest: "## Pending\n## KEY FILES" }),
  "done-marker": contextText({ completed: "## Completed Work\n### Task 1: x (done)" }),
  "stale-context": contextText(),
  "role-mismatch": contextText({ role: "**Role**: OOSH Expert" }),
  "duplicate-section": contextText({ rest: "## Pending\n## Key Files\n## Recovery Steps\n1. Go" }),
  "merge-conflict": contextText({ rest: "## Pending\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> main\n## Key Files" }),
  "heading-name": contextText({ completed: "## Completed This Session" }),
};

test.each(RULES.map((rule) => ({ ...rule })))("what $code says of --fix is true", ({ code, mends }) => {
  const text = new Map(Object.entries(BROKEN)).get(code) ?? "";
  const noon = new Date("2026-02-03T12:00:00Z");
  const options = { role: "oosh-expert", lastRecovery: code === "stale-context" ? noon : null, modified: noon };
  const { diagnostics } = validateContextFile(text, options);
  const found = diagnostics.find((diagnostic) => diagnostic.code === code);
  expect(found).toBeDefined();
  expect(found?.fix !== undefined).toBe(mends !== null);
  expect(fixContextFile(text, options).diagnostics.some((left) => left.code === code)).toBe(mends === null);
});

test("the JSON Schema describes the parsed model", () => {
  const schema = contextFileJsonSchema();
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { keyFiles: { type: "array", items: { type: "string" } } },
    additionalProperties: false,
  });
  const committed = readFileSync(new URL("../../schemas/context_file_v1.json", import.meta.url), "utf8");
  expect(JSON.parse(committed)).toEqual(schema);
});
