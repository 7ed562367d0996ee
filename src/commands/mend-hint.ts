import type { CheckedFile } from "./report.ts";

export interface MendWays {
  /** Checks the files again. */
  readonly again: string;
  /** Applies the safe fixes. */
  readonly fix: string;
  /** Writes the file from the template. */
  readonly anew: string | null;
  /** How git gives back a file that was emptied: a sentence. */
  readonly kept?: string | null;
}

/**
 * The one thing to do next about context files that are not valid. Who runs it as it stands gets on: the fixes are named
 * where there is something for them to mend, and not once they have done what they can.
 */
export function mendHint(files: readonly CheckedFile[], { again, fix, anew, kept }: MendWays): string {
  const [only] = files;
  // A file without findings may have left its text out.
  const blank = files.length === 1 && only !== undefined && only.diagnostics.length > 0 && only.text.trim() === "";
  if (blank && kept) return kept;
  if (blank && anew !== null) return `Run ${anew}, fill the file in, then run ${again}.`;
  const fixable = files.some(({ diagnostics }) => diagnostics.some((finding) => finding.fix !== undefined));
  return fixable ? `Run ${fix}, then ${again}.` : `Mend what is listed above, then run ${again}.`;
}
