import { quote } from "../../base/quote.ts";
import { sectionOf, stepsOf } from "../parse.ts";
import type { Rule } from "../rule.ts";
import { FIRST_STEP } from "../sections.ts";

/** The first thing to do is to read on. */
export const firstStepRule: Rule = {
  code: "first-step",
  severity: "warning",
  summary: `The first recovery step is "${FIRST_STEP}".`,
  why: "An agent that is told of another file first leaves this one, and the rest of its memory, unread.",
  good: `## Recovery Steps\n1. ${FIRST_STEP}\n2. Check with the orchestrator for the next task`,
  // Steps refer to each other by number: an inserted one would make those references wrong.
  mends: null,
  check(file) {
    const section = sectionOf(file, "recovery-steps");
    const step = section === null ? undefined : stepsOf(section)[0];
    if (step === undefined || isFirstStep(step.text)) return [];
    return [
      {
        span: step.line.span,
        message: `Expected the first recovery step to be "${FIRST_STEP}", found ${quote(step.text)}`,
        hint: `Put "1. ${FIRST_STEP}" before it and renumber the others.`,
      },
    ];
  },
};

/** Emphasis and what follows the sentence do not matter: "**Read this file** (you are here)". */
function isFirstStep(text: string): boolean {
  const start = text
    .slice(0, 2 * FIRST_STEP.length)
    .replace(/[*_`]/g, "")
    .toLowerCase();
  return start.startsWith(FIRST_STEP.toLowerCase()) && !/^[a-z0-9]/.test(start.slice(FIRST_STEP.length));
}
