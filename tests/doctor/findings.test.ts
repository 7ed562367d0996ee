import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FINDING_CODES } from "../../src/doctor/docs-findings.ts";
import { placeText } from "../../src/doctor/finding.ts";
import { judge } from "../../src/doctor/judge.ts";
import { CASES } from "./cases.ts";
import { HEALTHY } from "./healthy.ts";

const FILE = new URL("fixtures/findings.json", import.meta.url);

function told(name: string): readonly string[] {
  return judge({ ...HEALTHY, ...CASES[name] }).flatMap(({ id, findings }) =>
    findings.map(
      ({ severity, code, place, message, hint, fixable }) =>
        `${id}: ${severity} ${code} ${place === null ? "-" : placeText(place)}: ${message} ${hint}${fixable ? " [--fix]" : ""}`,
    ),
  );
}

// Every word that a person is told. After a change made on purpose:
// UPDATE_PAGES=1 npx vitest run --config tests/vitest.config.ts tests/doctor/findings.test.ts, then read the difference.
if (process.env.UPDATE_PAGES) {
  const pages = Object.fromEntries(Object.keys(CASES).map((name) => [name, told(name)]));
  writeFileSync(FILE, `${JSON.stringify(pages, null, 1)}\n`);
}
const pages: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(FILE, "utf8"));

test.each(Object.keys(CASES))("%s", (name) => {
  expect(told(name)).toEqual(pages[name]);
});

test("each kind of finding is met in a case, and there is no other page", () => {
  const met = Object.keys(CASES).flatMap((name) =>
    judge({ ...HEALTHY, ...CASES[name] }).flatMap(({ findings }) => findings.map(({ code }) => code)),
  );
  expect([...new Set(met)].toSorted()).toEqual([...FINDING_CODES].toSorted());
  expect(Object.keys(pages)).toEqual(Object.keys(CASES));
});
