import { describe, expect, test } from "vitest";
import { cpuTime } from "../helpers/cpu-time.ts";
import { partDocuments, wholeDocument } from "./documents.ts";
import { compactFacts, estimate, file, skill, startupFacts, summary } from "./facts.ts";

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

/** The median of nine, warm. */
function milliseconds(work: () => unknown): number {
  for (let run = 0; run < 5; run++) work();
  const times = many(9, () => {
    const started = cpuTime();
    work();
    return cpuTime() - started;
  }).sort((a, b) => a - b);
  return times[4] ?? 0;
}

/** Ratios hold where milliseconds do not: what the machine takes to estimate a text of 80 000 characters. */
const UNIT = milliseconds(() => estimate("A sentence with some words, marks and 42 numbers.\n".repeat(1600)));

describe("a start", () => {
  test("with 1 000 skills and 500 projects takes no longer than a few estimates of its size", () => {
    const facts = startupFacts({
      projects: many(500, (index) => summary(`${index + 10}-project`)),
      skills: many(1000, (index) => skill(`skill-${index}`, index % 2 === 0 ? "system" : "user", `c${index % 9}`)),
    });
    const took = [
      milliseconds(() => partDocuments(facts, estimate)),
      milliseconds(() => wholeDocument(facts, estimate)),
    ];
    for (const time of took) expect(time / UNIT).toBeLessThan(200);
  });

  test.each(["x", '"', "\ud800", "漢", "\n", " ", "\u0301", "&"])(
    "takes linear time on half a megabyte of %j in every place",
    (unit) => {
      const text = unit.repeat(500_000);
      const facts = compactFacts(
        { id: text, currentTask: text, files: [file("a/04-steps.md", text), file(text, text)] },
        { workTrail: text, session: { id: text, source: text, timestamp: text } },
      );
      const started = cpuTime();
      partDocuments(facts, estimate);
      wholeDocument(facts, estimate);
      expect(cpuTime() - started).toBeLessThan(2000);
    },
  );
});
