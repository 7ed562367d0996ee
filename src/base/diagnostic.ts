import { type Position, positionAt, type SourceText, type Span } from "./source-text.ts";
import type { TextEdit } from "./text-edit.ts";

export type Severity = "error" | "warning" | "info";

/** A finding: where it is, what stands there and what was expected, and the way out. */
export interface Diagnostic {
  /** Stable name of the rule, kebab-case. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence, present tense: what was found and what was expected. */
  readonly message: string;
  readonly start: Position;
  /** Exclusive; on the same line as `start` or later. */
  readonly end: Position;
  /** The way out, in one sentence. */
  readonly hint?: string;
  /** Edits that mend this finding and break nothing else. */
  readonly fix?: readonly TextEdit[];
}

/** The finding's own part, before its place is worked out. */
export type Finding = Omit<Diagnostic, "start" | "end"> & { readonly span: Span };

/** A finding with its place worked out, in lines and columns. */
export function diagnosticAt(source: SourceText, finding: Finding): Diagnostic {
  const { span, ...rest } = finding;
  return { ...rest, start: positionAt(source, span.start), end: positionAt(source, span.end) };
}

/** Source order, then severity, then code: the same list for the same text. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    a.start.line - b.start.line ||
    a.start.column - b.start.column ||
    SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
  );
}

const SEVERITY_ORDER = { error: 0, warning: 1, info: 2 } satisfies Record<Severity, number>;

/** Errors, warnings and notes of a list. */
export function countBySeverity(diagnostics: readonly Diagnostic[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const diagnostic of diagnostics) counts[diagnostic.severity] += 1;
  return counts;
}
