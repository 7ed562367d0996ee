import { quote } from "../../base/quote.ts";
import { sectionOf } from "../parse.ts";
import type { Rule } from "../rule.ts";
import { SECTION_FORMS } from "../sections.ts";

const REQUIRED = SECTION_FORMS.filter((form) => form.need === "required");

/** There is one place for each thing. */
export const duplicateSectionRule: Rule = {
  code: "duplicate-section",
  severity: "warning",
  summary: `A required section (${REQUIRED.map((form) => `\`${form.name}\``).join(", ")}) stands once.`,
  why: "The first of two counts; what stands in the second is missed, or contradicts it.",
  good: REQUIRED.map((form) => `## ${form.name}\n…`).join("\n\n"),
  mends: null,
  check(file) {
    return REQUIRED.flatMap((form) => {
      const first = sectionOf(file, form.kind);
      return file.sections
        .filter((section) => section.kind === form.kind && section !== first)
        .map((section) => ({
          span: section.heading.titleSpan,
          message: `Expected one section "## ${form.name}", found ${quote(`## ${section.heading.title}`)} after the one on line ${first?.heading.line.number}`,
          hint: "Move what it holds to the first one.",
        }));
    });
  },
};
