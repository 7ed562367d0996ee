import { missingSection } from "../missing-section.ts";
import { sectionOf } from "../parse.ts";
import type { Rule } from "../rule.ts";
import { NONE_RECORDED, SECTIONS } from "../sections.ts";

const FORM = SECTIONS["completed-work"];

/** What is done is written down. */
export const completedWorkRule: Rule = {
  code: "completed-work",
  severity: "error",
  summary: `A \`##\` heading that starts with \`${FORM.name}\` exists.`,
  why: "An agent that does not know what is done does it again.",
  good: `## ${FORM.name} This Session\n### Task 8: Agent navigation by name (DONE — commit c2c326f)\n- Part A: tree output`,
  mends: `Renames an old heading; else adds the section with the line \`${NONE_RECORDED}\`, which claims nothing.`,
  check(file) {
    if (sectionOf(file, FORM.kind) !== null) return [];
    const recovery = sectionOf(file, "recovery-steps")?.heading.line.number ?? 0;
    // Right behind the recovery steps, above whatever follows them.
    const before =
      file.outline.headings.find((heading) => heading.level <= 2 && heading.line.number > Math.max(1, recovery)) ??
      null;
    return [missingSection(file, FORM, { lines: [`## ${FORM.name}`, NONE_RECORDED], before })];
  },
};
