import fc from "fast-check";
import { expect, test } from "vitest";
import { fixContextFile } from "../../src/context-file/fix.ts";
import { contextFileTemplate } from "../../src/context-file/template.ts";
import { validateContextFile } from "../../src/context-file/validate.ts";

const role = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,4}$/);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "\n",
    "a\r\n## b",
    "<!--",
    "`<!--",
    "$(touch x)",
    "(a)",
    ")",
    "**Role**: x",
    "\u2028",
    "```\n# x",
  ),
);
const date = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .chain((day) => fc.constantFrom(day.toISOString(), day.toISOString().slice(0, 10)));

test("has no finding for any role, description, pane and date, and says them", () => {
  fc.assert(
    fc.property(role, text, text, date, (role, description, pane, date) => {
      const template = contextFileTemplate({ role, description, pane, date });
      const { diagnostics, file } = validateContextFile(template, { role });
      expect(diagnostics).toEqual([]);
      expect(file.data.role?.name).toBe(role);
      expect(file.data.updated).toBe(date);
      expect(file.data.pane).not.toBeNull();
      expect(file.source.lines.length).toBe(19);
      expect(fixContextFile(template, { role }).text).toBe(template);
    }),
    { numRuns: 1000 },
  );
});

test("is this page, byte for byte", () => {
  const values = { role: "oosh-expert", pane: "0.4", date: "2026-02-03" };
  const page = `# Oosh Expert — Session Context

**Updated**: 2026-02-03
**Role**: oosh-expert
**Pane**: 0.4

## Recovery Steps
1. Read this file
2. Read \`.claude/agents/oosh-expert/SKILL.md\`
3. Check with the orchestrator for the next task

## Completed Work
- none recorded

## Pending
- none recorded

## Key Files
- \`session/agents/oosh-expert.context.md\` — this file
`;
  expect(contextFileTemplate(values)).toBe(page);
  const told = contextFileTemplate({ ...values, description: "a <!-- b", pane: " " });
  expect(told).toBe(
    page.replace("**Role**: oosh-expert", "**Role**: oosh-expert (a < !-- b)").replace("0.4", "unknown"),
  );
});

test("starts with the role's name as a title", () => {
  const [first] = contextFileTemplate({ role: "oosh-expert-2", pane: "0.4", date: "2026-02-03" }).split("\n");
  expect(first).toBe("# Oosh Expert 2 — Session Context");
});

test("puts a description or a pane of many lines on one", () => {
  const template = contextFileTemplate({
    role: "a",
    description: " x\r\ny\u0000 ",
    pane: "0.4\n## z",
    date: "2026-02-03",
  });
  expect(template).toContain("**Role**: a (x y)\n**Pane**: 0.4 ## z\n");
});
