import { compareDiagnostics, type Diagnostic } from "../base/diagnostic.ts";
import { invariant } from "../base/invariant.ts";
import { applyEdits, type TextEdit } from "../base/text-edit.ts";
import { parseContextFile } from "./parse.ts";
import type { ValidateOptions } from "./rule.ts";
import { findingsByRule } from "./validate.ts";

export interface FixResult {
  readonly text: string;
  /** What was mended; each place is that of the text as its round of fixes found it. */
  readonly fixed: readonly Diagnostic[];
  /** What is left, in the order of the result: none of it has a fix. */
  readonly diagnostics: readonly Diagnostic[];
}

// A dozen rules, each of which needs a round or two; more would mean that two fixes undo each other.
const MOST_ROUNDS = 40;

/** Applies the fixes of one rule after the other until no finding has one; what no fix touches stays byte for byte. */
export function fixContextFile(text: string, options: ValidateOptions = {}): FixResult {
  const fixed: Diagnostic[] = [];
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const findings = findingsByRule(parseContextFile(current), options);
    const fixable = findings
      .map((ofRule) => ofRule.filter(({ fix }) => fix !== undefined))
      .find((list) => list.length > 0);
    if (fixable === undefined) return { text: current, fixed, diagnostics: findings.flat().sort(compareDiagnostics) };
    current = applyEdits(current, withoutRepeats(fixable.flatMap(({ fix }) => fix ?? [])));
    fixed.push(...fixable);
  }
  invariant(false, "the fixes of a context file come to an end");
}

/** Two findings may ask for the same change: an insertion is then made once. */
function withoutRepeats(edits: readonly TextEdit[]): readonly TextEdit[] {
  return [...new Map(edits.map((edit) => [`${edit.span.start} ${edit.span.end} ${edit.text}`, edit])).values()];
}
