import type { Finding } from "../base/diagnostic.ts";
import type { Span } from "../base/source-text.ts";
import type { EntryValue } from "./front-matter-entry.ts";
import type { ManifestKey } from "./manifest.ts";

/** A value that is not what its key takes. */
export function wrong(key: ManifestKey, found: string, expected: string, span: Span): Finding {
  return {
    code: "manifest-value",
    severity: "error",
    message: `\`${key}\` is ${found}; expected ${expected}.`,
    span,
    hint: exampleOf(key),
  };
}

/** A value as a phrase of a finding. */
export function describe(value: EntryValue): string {
  return value.kind === "scalar" ? shownValue(value.source) : KINDS[value.kind];
}

const KINDS = {
  list: "a list",
  map: "a nested value",
  empty: "empty",
} as const satisfies Record<Exclude<EntryValue["kind"], "scalar">, string>;

/** In quotes, cut to a line. */
export function shownValue(text: string): string {
  return JSON.stringify(shown(text));
}

/** A file may hold a key or a value of any length. */
export function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A line that is right, as a hint. */
export function exampleOf(key: ManifestKey): string {
  return `For example: ${EXAMPLES[key]}`;
}

const EXAMPLES = {
  resume_schema_version: 'resume_schema_version: "1.0"',
  project_id: "project_id: 24-demo",
  project_name: 'project_name: "Demo"',
  current_phase: "current_phase: execution",
  next_action: "next_action: execute-project",
  files_to_load: "files_to_load: [01-planning/01-overview.md, 01-planning/04-steps.md]",
  last_updated: 'last_updated: "2026-01-03T15:30:00Z"',
  current_section: "current_section: 2",
  current_task: "current_task: 15",
  progress: 'progress: "14/40 tasks complete"',
  session_id: 'session_id: ""',
  session_ids: "session_ids: []",
  total_tasks: "total_tasks: 40",
  tasks_completed: "tasks_completed: 14",
  continue_at: 'continue_at: ""',
  blockers: "blockers: []",
} as const satisfies Record<ManifestKey, string>;
