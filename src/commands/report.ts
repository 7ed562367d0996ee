import type { Diagnostic } from "../base/diagnostic.ts";

/** How a command ended; the exit code follows from it. */
export type Outcome = "done" | "failed" | "usage" | "timed-out" | "locked" | "unreachable";

/** A file and what was found in it; the text is there to show the lines. */
export interface CheckedFile {
  /** As a person reads it: relative to the root, or `<stdin>`. */
  readonly path: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

export type ReportPart =
  | { readonly kind: "text"; readonly text: string }
  /** `noted`: a person is told them by the notes. */
  | { readonly kind: "findings"; readonly files: readonly CheckedFile[]; readonly noted?: boolean };

export interface Problem {
  /** Stable, kebab-case. */
  readonly code: string;
  /** One sentence: what is not as it should be. */
  readonly message: string;
  /** One next action. */
  readonly hint?: string;
}

/** What a command has to say, before it is known whether a person or a program listens. */
export interface Report {
  readonly outcome: Outcome;
  /** For stdout. */
  readonly parts: readonly ReportPart[];
  /** For stderr: what was done besides, and what deserves a look. */
  readonly notes: readonly string[];
  /** The same facts for a program. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The JSON document itself, where it has to keep within a budget. */
  readonly document?: string;
  readonly problem?: Problem;
}

/** Of a command that did not do what it was asked for. */
export interface FailedReport extends Report {
  readonly problem: Problem;
}

/** A finding and its way out as running text. */
export function findingText({ message, hint }: Pick<Diagnostic, "message" | "hint">): string {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`;
  return hint === undefined ? message : `${sentence} ${hint}`;
}

/** The report of a command that did what it was asked for. */
export function done(text: string, data: Readonly<Record<string, unknown>>, notes: readonly string[] = []): Report {
  return { outcome: "done", parts: [{ kind: "text", text }], notes, data };
}

/** The report of a command that did not; what it has to show all the same goes into `more`. */
export function failed(
  problem: Problem,
  more: {
    outcome?: Outcome;
    parts?: readonly ReportPart[];
    notes?: readonly string[];
    data?: Readonly<Record<string, unknown>>;
  } = {},
): FailedReport {
  return {
    outcome: more.outcome ?? "failed",
    parts: more.parts ?? [],
    notes: more.notes ?? [],
    data: more.data ?? {},
    problem,
  };
}

/** The report of a command line that cannot be understood. */
export function usage(message: string, hint?: string): FailedReport {
  return failed({ code: "usage", message, ...(hint === undefined ? {} : { hint }) }, { outcome: "usage" });
}

/** A command line that names no project's folder. */
export function noProject(message: string): Report {
  return usage(message, "Name the project's folder with -C.");
}
