import { readFileSync } from "node:fs";

/** A file of `tests/fixtures/nexus`. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/nexus/${name}`, import.meta.url), "utf8");
}

/** A manifest without a finding, its front matter's lines changed by `change`. */
export function manifestText(change: (lines: string[]) => readonly string[] = (lines) => lines): string {
  return `---\n${change([...GOOD]).join("\n")}\n---\n\n# Validation Gate\n\n- [ ] Which task comes next?\n`;
}

const GOOD = [
  'resume_schema_version: "1.0"',
  'last_updated: "2026-01-03T15:30:00"',
  "project_id: 24-demo",
  'project_name: "Demo: the app"',
  "current_phase: execution",
  "next_action: execute-project",
  "files_to_load:",
  "  - 01-planning/01-overview.md",
  "  - 01-planning/04-steps.md  # the boxes",
  "current_section: 2",
  "current_task: 15",
  'progress: "14/40 tasks complete"',
];

/** The lines with one key's line replaced; null removes it. */
export function replacing(key: string, line: string | null): (lines: string[]) => readonly string[] {
  return (lines) => lines.flatMap((old) => (old.startsWith(`${key}:`) ? (line === null ? [] : [line]) : [old]));
}
