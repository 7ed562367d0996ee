import { quote } from "../../base/quote.ts";
import { sectionOf } from "../parse.ts";
import type { Rule } from "../rule.ts";
import { findLookalike } from "../section-lookalike.ts";
import { SECTION_FORMS } from "../sections.ts";

/** Sections go by one name. */
export const headingNameRule: Rule = {
  code: "heading-name",
  severity: "info",
  summary: "A section goes by its canonical name, where the file has it under an old one only.",
  why: "Tools and other agents look for a section by its name; `## Completed This Session` is not found.",
  good: SECTION_FORMS.map((form) => `## ${form.name}`).join("\n"),
  mends: `Renames ${SECTION_FORMS.map((form) => `${form.oldNames.map((name) => `\`${name}\``).join(", ")} to \`${form.name}\``).join("; ")}; and the same in other letters, behind a number or an emoji, or with one hash.`,
  check(file) {
    return SECTION_FORMS.filter((form) => sectionOf(file, form.kind) === null).flatMap((form) => {
      const lookalike = findLookalike(file, form);
      if (lookalike === null) return [];
      const { heading, wanted, fix } = lookalike;
      return [
        {
          span: heading.titleSpan,
          message: `The canonical name of ${quote(heading.title)} is ${quote(wanted)}`,
          hint: "Rename the heading.",
          ...(fix === null ? {} : { fix }),
        },
      ];
    });
  },
};
