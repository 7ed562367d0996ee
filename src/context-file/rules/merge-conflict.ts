import { MERGE_HINT, OURS, PARTING, THEIRS } from "../../base/merge-marks.ts";
import { quote } from "../../base/quote.ts";
import type { Rule } from "../rule.ts";

/** A file that git could not merge is two files in one. */
export const mergeConflictRule: Rule = {
  code: "merge-conflict",
  severity: "error",
  summary: `No merge is left open: there are no lines \`${OURS.trim()}\`, \`${PARTING}\` and \`${THEIRS.trim()}\` of git's.`,
  why: "An agent that reads both sides takes up what one of them has long done, or trusts what the other has found to be wrong.",
  good: "## Pending\n- what is left to do by both sides",
  mends: null,
  check({ source, outline }) {
    if (!source.text.includes(OURS)) return [];
    const line = outline.prose.find(({ text }) => text.startsWith(OURS));
    if (line === undefined) return [];
    // Of a fence that each side closes, the first one's end is behind the marks: these may be code to whoever reads on.
    const behind = source.lines.slice(line.number);
    const parting = behind.findIndex(({ text }) => text.trimEnd() === PARTING);
    const isOpen = behind.some(({ text }, at) => at > parting && text.startsWith(THEIRS));
    if (parting < 0 || !isOpen) return [];
    return [
      {
        span: line.span,
        message: `Expected one version of the file, found two of a merge, from ${quote(line.text)} on`,
        hint: MERGE_HINT,
      },
    ];
  },
};
