import type { SourceLine } from "../base/source-text.ts";

export type FieldName = "Updated" | "Role" | "Pane";

export interface FieldForm {
  readonly name: FieldName;
  readonly value: string;
  readonly example: string;
  /** Other names for the same thing, lower case: renamed by `--fix`. */
  readonly otherNames: readonly string[];
}

/** The metadata fields, in the order a file should have them. */
export const FIELDS = {
  Updated: {
    name: "Updated",
    value: "YYYY-MM-DD, with an optional time",
    example: "2026-02-03T12:15Z",
    otherNames: ["update", "last updated", "last update", "updated at", "updated on"],
  },
  Role: {
    name: "Role",
    value: "name of the role, with an optional description in parentheses",
    example: "oosh-expert (implementation & architecture)",
    otherNames: ["role name", "agent role", "roles", "rol"],
  },
  Pane: {
    name: "Pane",
    value: "id of the pane, with an optional session",
    example: "0.4 in cursorOrchestrator",
    otherNames: ["pane id", "tmux pane", "panes", "pan"],
  },
} as const satisfies { readonly [K in FieldName]: FieldForm & { readonly name: K } };

/** The same as a list, in that order. */
export const FIELD_FORMS: readonly FieldForm[] = Object.values(FIELDS);

/** The metadata stands in the lines up to this one. */
export const LAST_METADATA_LINE = 6;

/** A line of the form `**Key**: value`; the value may be empty. */
export interface Field {
  readonly name: FieldName;
  readonly value: string;
  readonly line: SourceLine;
  /** Offset of the value in the text. */
  readonly valueStart: number;
}

const FIELD = /^\*\*(Updated|Role|Pane)\*\*:/;

/** Reads a line that starts with `**Key**:`, exactly so written. */
export function readField(line: SourceLine): Field | null {
  if (!line.text.startsWith("**")) return null;
  const match = FIELD.exec(line.text);
  const name = FIELD_FORMS.find((form) => form.name === match?.[1])?.name;
  if (match === null || name === undefined) return null;
  const rest = line.text.slice(match[0].length);
  const value = rest.trim();
  const blanks = rest.length - rest.trimStart().length;
  return { name, value, line, valueStart: line.span.start + match[0].length + (value === "" ? 0 : blanks) };
}

/** The name of a role and, in parentheses after it, what it is. */
export function readRole(value: string): { name: string; description: string | null } {
  const open = value.indexOf("(");
  if (open === -1) return { name: value, description: null };
  const close = value.lastIndexOf(")");
  const description = value.slice(open + 1, close > open ? close : undefined).trim();
  return { name: value.slice(0, open).trim(), description: description === "" ? null : description };
}
