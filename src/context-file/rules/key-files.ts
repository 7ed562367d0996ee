import { missingSection } from "../missing-section.ts";
import { sectionOf } from "../parse.ts";
import type { Rule } from "../rule.ts";
import { SECTIONS } from "../sections.ts";

const FORM = SECTIONS["key-files"];

/** The files that matter are named. */
export const keyFilesRule: Rule = {
  code: "key-files",
  severity: "warning",
  summary: `A \`##\` heading that starts with \`${FORM.name}\` exists.`,
  why: "Finding the files again costs the context that was just won.",
  good: `## ${FORM.name}\n- \`test/test.hiveMind\` — 31 test cases`,
  mends: "Renames an old heading. The section is not added: only its writer knows what belongs there.",
  check: (file) => (sectionOf(file, FORM.kind) === null ? [missingSection(file, FORM, null)] : []),
};
