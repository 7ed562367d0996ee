export interface ContextParts {
  readonly role?: string;
  readonly title?: string;
  readonly updated?: string;
  readonly pane?: string;
  readonly steps?: readonly string[];
  readonly keyFiles?: readonly string[];
  /** Lines after everything else. */
  readonly more?: readonly string[];
}

/** A context file without a finding, but for what the parts make of it. */
export function contextText(parts: ContextParts = {}): string {
  const {
    role = "oosh-expert",
    title = "# OOSH Expert Agent — Session Context",
    updated = "2026-02-03T12:15Z",
    pane = "0.4 in cursorOrchestrator",
    steps = ["Read this file", `Read \`.claude/agents/${role}/SKILL.md\``],
    keyFiles = [],
    more = [],
  } = parts;
  return [
    title,
    "",
    `**Updated**: ${updated}`,
    `**Role**: ${role} (implementation)`,
    `**Pane**: ${pane}`,
    "",
    "## Recovery Steps",
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    "",
    "## Completed Work",
    "### Task 8: Navigation by name (DONE — commit c2c326f)",
    "- Part A: tree output",
    "",
    "## Pending",
    "- Task 10: session ids",
    "",
    "## Key Files",
    ...keyFiles.map((path) => `- \`${path}\` — needed`),
    ...more,
    "",
  ].join("\n");
}

/** One text for each error of the schema, under the code of its finding. */
export const INVALID_TEXTS: Readonly<Record<string, string>> = {
  title: contextText({ title: "# OOSH Expert Agent" }),
  metadata: contextText().replace("**Updated**: 2026-02-03T12:15Z\n", ""),
  "updated-date": contextText({ updated: "2026-02-30" }),
  "recovery-steps": contextText().replace("## Recovery Steps", "## Other"),
  "completed-work": contextText().replace("## Completed Work", "## Other"),
};
