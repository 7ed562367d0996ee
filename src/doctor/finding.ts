import { CATALOGUE, type FindingCode, type Severity } from "./catalogue.ts";

export interface Place {
  /** As a person reads it. */
  readonly file: string;
  /** From 1; null where the file as a whole is meant. */
  readonly line: number | null;
  readonly column: number | null;
}

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly place: Place | null;
  /** What was found and what was expected, a sentence or two. */
  readonly message: string;
  /** One way out. */
  readonly hint: string;
  /** Whether `--fix` can mend it here. */
  readonly fixable: boolean;
}

export interface FindingInput {
  readonly place?: Place | null;
  readonly message: string;
  readonly hint: string;
  /** False where the kind of finding can be mended, and this one cannot. */
  readonly fixable?: boolean;
}

/** A finding of the catalogue; it can be mended where its kind can, unless it is said not to. */
export function finding(code: FindingCode, { place = null, message, hint, fixable = true }: FindingInput): Finding {
  const kind = CATALOGUE[code];
  return { code, severity: kind.severity, place, message, hint, fixable: kind.fixable && fixable };
}

/** A place that is a whole file. */
export function fileOnly(file: string): Place {
  return { file, line: null, column: null };
}

/** `file:line:column`, as far as it is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, ...(line === null ? [] : [line]), ...(line === null || column === null ? [] : [column])].join(":");
}
