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
