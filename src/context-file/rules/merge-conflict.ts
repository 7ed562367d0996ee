import { quote } from "../../base/quote.ts";
import type { Rule } from "../rule.ts";

// What git writes: seven of each mark, at the start of a line, the first and the last with a name behind a blank.
const OURS = "<<<<<<< ";
const PARTING = "=======";
const THEIRS = ">>>>>>> ";

/** A file that git could not merge is two files in one. */
export const mergeConflictRule: Rule = {
  code: "merge-conflict",
  severity: "warning",
  summary: `No merge is left open: there are no lines \`${OURS.trim()}\`, \`${PARTING}\` and \`${THEIRS.trim()}\` of git's.`,
  why: "An agent that reads both sides takes up what one of them has long done, or trusts what the other has found to be wrong.",
  good: "## Pending\n- what is left to do by both sides",
  mends: null,
  check({ source, outline }) {
    if (!source.text.includes(OURS)) return [];
    const start = outline.prose.findIndex(({ text }) => text.startsWith(OURS));
    const parting = outline.prose.findIndex(({ text }, at) => at > start && text.trimEnd() === PARTING);
    const isOpen = outline.prose.some(({ text }, at) => at > parting && text.startsWith(THEIRS));
    const line = outline.prose[start];
    if (line === undefined || parting < 0 || !isOpen) return [];
    return [
      {
        span: line.span,
        message: `Expected one version of the file, found two of a merge, from ${quote(line.text)} on`,
        hint: "Keep what is right of both, and take git's marks out.",
      },
    ];
  },
};
