import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fixContextFile } from "../../src/context-file/fix.ts";
import { validateContextFile } from "../../src/context-file/validate.ts";
import { DAMAGES } from "./damages.ts";

const FILE = new URL("fixtures/damages.json", import.meta.url);
const OPTIONS = { role: "oosh-expert", lastRecovery: new Date("2026-01-15T08:00:00Z") };

interface Page {
  readonly findings: readonly string[];
  /** What the fix did, where it did anything: the first line that it changed, those that went, those that came. */
  readonly fixed?: readonly string[];
  readonly left?: readonly string[];
}

function pageOf(text: string): Page {
  const { diagnostics } = validateContextFile(text, OPTIONS);
  const findings = diagnostics.map(
    ({ start, severity, code, message, hint = "", fix }) =>
      `${start.line}:${start.column} ${severity} ${code}: ${message}. ${hint}${fix === undefined ? "" : " [has a fix]"}`,
  );
  const mended = fixContextFile(text, OPTIONS);
  if (mended.text === text) return { findings };
  const left = mended.diagnostics.map(({ start, code }) => `${start.line}:${start.column} ${code}`);
  return { findings, fixed: difference(text.split("\n"), mended.text.split("\n")), left };
}

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const gone = before.slice(head, before.length - tail).map((line) => `- ${line}`);
  const come = after.slice(head, after.length - tail).map((line) => `+ ${line}`);
  return [`@ ${head + 1}`, ...gone, ...come];
}

// Every word that a person is told about a damaged file, and every byte of its fix. After a change made on purpose:
// UPDATE_PAGES=1 npx vitest run --config tests/vitest.config.ts tests/context-file/pages.test.ts, then read the difference.
if (process.env.UPDATE_PAGES) {
  const pages = Object.entries(DAMAGES).map(([name, text]) => [name, pageOf(text)]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(pages), null, 1)}\n`);
}
const pages: Readonly<Record<string, Page>> = JSON.parse(readFileSync(FILE, "utf8"));

test.each(Object.entries(DAMAGES))("%s", (name, text) => {
  expect(pageOf(text)).toEqual(pages[name]);
});

test("there is a page for each damage, and no other", () => {
  expect(Object.keys(pages)).toEqual(Object.keys(DAMAGES));
});
