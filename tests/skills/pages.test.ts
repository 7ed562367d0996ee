import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseBoth } from "./both.ts";
import { DAMAGES } from "./damages.ts";

const FILE = new URL("fixtures/damages.json", import.meta.url);

interface Page {
  readonly name: string;
  readonly description: string;
  readonly findings: readonly string[];
}

function pageOf(text: string, folder?: string): Page {
  const { skill, diagnostics } = parseBoth(text, folder);
  const findings = diagnostics.map(
    ({ start, end, severity, code, message, hint = "" }) =>
      `${start.line}:${start.column}-${end.line}:${end.column} ${severity} ${code}: ${message}. ${hint}`,
  );
  const { name, description } = skill;
  return {
    name,
    description: description.replace(/(.)\1{99,}/gu, (all, one) => `${one}*${[...all].length}`),
    findings,
  };
}

// Every word that a person is told about a damaged skill. After a change made on purpose:
// UPDATE_PAGES=1 npx vitest run --config tests/vitest.config.ts tests/skills/pages.test.ts, then read the difference.
if (process.env.UPDATE_PAGES) {
  const pages = Object.entries(DAMAGES).map(([name, { text, folder }]) => [name, pageOf(text, folder)]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(pages), null, 1)}\n`);
}
const pages: Readonly<Record<string, Page>> = JSON.parse(readFileSync(FILE, "utf8"));

test.each(Object.entries(DAMAGES))("%s", (name, { text, folder }) => {
  expect(pageOf(text, folder)).toEqual(pages[name]);
});

test("there is a page for each damage, and no other", () => {
  expect(Object.keys(pages)).toEqual(Object.keys(DAMAGES));
});
