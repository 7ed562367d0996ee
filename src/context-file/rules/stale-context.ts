import { fileStart } from "../places.ts";
import type { Rule } from "../rule.ts";

/** What is saved was written after the last loss. */
export const staleContextRule: Rule = {
  code: "stale-context",
  severity: "warning",
  summary: "The file was written since the role last recovered from a compaction (checked where both times are known).",
  why: "A file from before the last recovery passes every other check and says nothing of the work done since.",
  good: "**Updated**: 2026-02-03T12:15Z",
  mends: null,
  check(file, { lastRecovery, modified }) {
    if (lastRecovery == null || modified == null || modified.getTime() > lastRecovery.getTime()) return [];
    return [
      {
        span: file.fields.Updated?.line.span ?? fileStart(file),
        message: `Expected a file written after the last recovery at ${lastRecovery.toISOString()}, found one of ${modified.toISOString()}`,
        hint: "Write down what was done since, and save again.",
      },
    ];
  },
};
