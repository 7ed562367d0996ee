import { describe, expect, test } from "vitest";
import { validateContextFile } from "../../src/context-file/validate.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { contextText } from "./context-text.ts";

function fastest(runs: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = cpuTime();
    work();
    best = Math.min(best, cpuTime() - start);
  }
  return best;
}

test("checks a good file of 20 kB many times over in no time", () => {
  const tasks = "### Task 8: Agent navigation by name (DONE — commit c2c326f)\n- Part A: `tree` output\n\n".repeat(230);
  const text = contextText({ completed: `## Completed Work\n${tasks}` });
  expect(text.length).toBeGreaterThan(20_000);
  expect(validateContextFile(text).diagnostics).toEqual([]);
  expect(fastest(200, () => validateContextFile(text))).toBeLessThan(50);
});

describe("50 kB of one thing take linear time", () => {
  const SIZE = 50_000;
  const units = [
    "#",
    " ",
    "\t",
    "*",
    "`",
    "~",
    "_",
    "-",
    "—",
    "(",
    "<!--",
    "-->",
    "<!---->",
    "` <!-- ",
    "1",
    "2026-02-0",
    "0-",
    "\u2028",
    "🚀",
    "(DONE — commit ",
    "(DONE — commit aaaa,",
    "context ",
    " - ",
    ": ",
    "a",
  ];
  const heads = ["", "# ", "## ", "### Task 1: ", "**Updated**: ", "**Role**: (", "Updated", "- ", "1. ", "- [ ]"];

  test.each(units)("%j on one line, behind every kind of start", (unit) => {
    for (const head of heads) {
      const hostile = head + unit.repeat(SIZE / unit.length);
      const places = [hostile, `${hostile}\u2028x`, contextText({ title: hostile }), contextText({ updated: hostile })];
      places.push(contextText({ completed: `## Completed Work\n${hostile}` }), contextText({ recovery: hostile }));
      for (const text of places) expect(fastest(1, () => validateContextFile(text, { role: "a" }))).toBeLessThan(1_000);
    }
  });

  test.each([
    "\n",
    "#\n",
    "##\n",
    "## Recovery\n",
    "## Completed Work\n",
    "### Task 1: x\n",
    "- a\n",
    "1.\n",
    "```\n",
    "<!--\n",
    "**Pane**:\n",
    "Pane: \n",
    "\r",
    "## x <!-- y -->\n",
  ])("%j on lines of its own", (line) => {
    for (const start of ["", "# A — Context\n", "## Recovery Steps\n", "# A — Context\n## Completed Work\n"]) {
      const text = start + line.repeat(SIZE / line.length);
      expect(fastest(1, () => validateContextFile(text, { role: "a" }))).toBeLessThan(1_000);
    }
  });
});

test("a megabyte on one line takes linear time", () => {
  for (const unit of ["#", " ", "*", "`", "<!--"]) {
    const text = contextText({ title: `# ${unit.repeat(1_000_000 / unit.length)}` });
    expect(fastest(1, () => validateContextFile(text, { role: "a" }))).toBeLessThan(5_000);
  }
});
