import type { Finding, Severity } from "../base/diagnostic.ts";
import type { ParsedContextFile } from "./parse.ts";

/** What is known about the file beside its text; what is not known is not checked. */
export interface ValidateOptions {
  /** The role whose file it is, by the file's name. */
  readonly role?: string | undefined;
  /** When the role last recovered from a compaction. */
  readonly lastRecovery?: Date | null | undefined;
  /** When the file was last written. */
  readonly modified?: Date | null | undefined;
}

/** A finding without what its rule already says: code and severity. */
export type Problem = Omit<Finding, "code" | "severity">;

/** One demand on a context file: what it is, why it is made, a good example, and the check. */
export interface Rule {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence. */
  readonly summary: string;
  /** What goes wrong for the reader of a file that breaks it. */
  readonly why: string;
  /** Markdown that passes. */
  readonly good: string;
  /** What `--fix` does about it; null where a person must. */
  readonly mends: string | null;
  readonly check: (file: ParsedContextFile, options: ValidateOptions) => readonly Problem[];
}
