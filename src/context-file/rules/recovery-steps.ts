import type { TextEdit } from "../../base/text-edit.ts";
import { fieldsBear } from "../field-reach.ts";
import { missingSection } from "../missing-section.ts";
import { type ParsedContextFile, type Section, sectionOf, stepsOf } from "../parse.ts";
import { isPlain, lineInsertionAfter } from "../places.ts";
import type { Rule } from "../rule.ts";
import { FIRST_STEP, SECTIONS } from "../sections.ts";

const FORM = SECTIONS["recovery-steps"];
const SKELETON = [`## ${FORM.name}`, `1. ${FIRST_STEP}`];
// A list that is longer is not a list of steps.
const MOST_BULLETS = 50;

/** There is a way back. */
export const recoveryStepsRule: Rule = {
  code: "recovery-steps",
  severity: "error",
  summary: `\`## ${FORM.name}\` exists and holds at least one numbered item.`,
  why: "An agent without memory does what the list says, in its order; without a list it guesses.",
  good: `${SKELETON.join("\n")}\n2. Read \`.claude/agents/oosh-expert/SKILL.md\``,
  mends: `Renames an old heading, numbers a plain list of bullets, and adds the section or its first step, "${FIRST_STEP}", which is true of every file.`,
  check(file) {
    const section = sectionOf(file, FORM.kind);
    if (section === null) {
      const before = file.outline.headings.find((heading) => heading.level === 2) ?? null;
      return [missingSection(file, FORM, { lines: SKELETON, before })];
    }
    if (stepsOf(section).length > 0) return [];
    const found = section.items.length === 0 ? "no list" : "a list without numbered text";
    const fix = firstStepAdded(file, section) ?? bulletsNumbered(file, section);
    return [
      {
        span: section.heading.titleSpan,
        message: `Expected at least one numbered step under "## ${FORM.name}", found ${found}`,
        hint: `Start with "1. ${FIRST_STEP}".`,
        ...(fix === null ? {} : { fix }),
      },
    ];
  },
};

function firstStepAdded(file: ParsedContextFile, { heading, items }: Section): readonly TextEdit[] | null {
  if (items.length > 0 || !isPlain(file, heading.line) || !fieldsBear(file, 2, heading.line.number)) return null;
  return [lineInsertionAfter(file, heading.line, `1. ${FIRST_STEP}`)];
}

function bulletsNumbered(file: ParsedContextFile, { items, span }: Section): readonly TextEdit[] | null {
  // Code that stands under a bullet would have to move with its text: else what follows may become code.
  if (/```|~~~/.test(file.source.text.slice(span.start, span.end))) return null;
  const indent = items[0]?.indent;
  const isFlat = items.every(
    (item) => item.ordinal === null && item.indent === indent && item.text !== "" && isPlain(file, item.line),
  );
  if (items.length === 0 || items.length > MOST_BULLETS || !isFlat) return null;
  return items.map(({ line }, index) => {
    const start = line.span.start + line.text.length - line.text.trimStart().length;
    return { span: { start, end: start + 1 }, text: `${index + 1}.` };
  });
}
