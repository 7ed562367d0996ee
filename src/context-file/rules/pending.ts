import { missingSection } from "../missing-section.ts";
import { sectionOf } from "../parse.ts";
import type { Rule } from "../rule.ts";
import { SECTIONS } from "../sections.ts";

const FORM = SECTIONS.pending;

/** What is left to do is written down. */
export const pendingRule: Rule = {
  code: "pending",
  severity: "warning",
  summary: `A \`##\` heading that starts with \`${FORM.name}\` exists.`,
  why: "Open and blocked work that is not written down is forgotten by the next session.",
  good: `## ${FORM.name} Tasks\n- Session ids cannot be told for sessions without \`--resume\``,
  mends: "Renames an old heading. The section is not added: only its writer knows what belongs there.",
  check: (file) => (sectionOf(file, FORM.kind) === null ? [missingSection(file, FORM, null)] : []),
};
