/** A context file without findings; parts can be put in place of its own. */
export function contextText(
  parts: {
    title?: string;
    updated?: string;
    role?: string;
    pane?: string;
    recovery?: string;
    completed?: string;
    rest?: string;
  } = {},
): string {
  return [
    parts.title ?? "# OOSH Expert — Session Context",
    "",
    parts.updated ?? "**Updated**: 2026-02-03T12:15Z",
    parts.role ?? "**Role**: oosh-expert (implementation & architecture)",
    parts.pane ?? "**Pane**: 0.4 in cursorOrchestrator",
    "",
    parts.recovery ?? "## Recovery Steps\n1. Read this file\n2. Ask for work",
    "",
    parts.completed ?? "## Completed Work\n### Task 8: Navigation (DONE — commit c2c326f)\n- tree output",
    "",
    parts.rest ?? "## Pending\n- none\n\n## Key Files\n- `hiveMind` — registry",
    "",
  ].join("\n");
}
