import type { SectionKind } from "./model.ts";

export interface SectionForm {
  readonly kind: Exclude<SectionKind, "other">;
  /** A `##` heading that starts with this is the section. */
  readonly name: string;
  readonly need: "required" | "recommended";
  /** One phrase on what the section holds. */
  readonly holds: string;
  /** Headings that teams used for it before the schema: renamed by `--fix`. */
  readonly oldNames: readonly string[];
}

/** The sections the schema speaks of, in the order a file should have them. */
export const SECTIONS = {
  "recovery-steps": {
    kind: "recovery-steps",
    name: "Recovery Steps",
    need: "required",
    holds: "numbered steps to take after the memory was lost, the most important first",
    oldNames: ["Recovery", "Recovery Step", "Recovery Instructions", "Recovery Checklist", "Recovery Procedure"],
  },
  "completed-work": {
    kind: "completed-work",
    name: "Completed Work",
    need: "required",
    holds: "what is done, as `### Task N:` subsections with a mark, or as a numbered list",
    oldNames: [
      "Completed This Session",
      "Completed in This Session",
      "Completed Tasks",
      "Completed",
      "Work Completed",
      "Work Done",
      "Done This Session",
      "Done",
    ],
  },
  pending: {
    kind: "pending",
    name: "Pending",
    need: "recommended",
    holds: "work that is open or blocked",
    oldNames: ["Outstanding Work", "Outstanding", "Remaining Work", "Remaining", "To Do", "Todo"],
  },
  "key-files": {
    kind: "key-files",
    name: "Key Files",
    need: "recommended",
    holds: "paths in backticks, each with a word on why it matters",
    oldNames: ["Important Files", "Relevant Files"],
  },
} as const satisfies { readonly [K in SectionForm["kind"]]: SectionForm & { readonly kind: K } };

/** The same as a list, in that order. */
export const SECTION_FORMS: readonly SectionForm[] = Object.values(SECTIONS);

/** Sections that files often have and that no rule asks for. */
export const OPTIONAL_SECTIONS: readonly string[] = [
  "Current Team Layout",
  "Current State",
  "Key Rules",
  "Key Architecture Decisions",
  "Git Status",
  "Next Tasks",
  "Test Suites",
];

/** What a section says that has nothing to tell yet. */
export const NONE_RECORDED = "- none recorded";

/** The step that every recovery starts with. */
export const FIRST_STEP = "Read this file";

/** Which section a heading begins: its title may go on behind the name. */
export function sectionKind(title: string): SectionKind {
  return SECTION_FORMS.find((form) => title.startsWith(form.name))?.kind ?? "other";
}
