import { invariant } from "../base/invariant.ts";
import type { RecordedRun } from "./facts.ts";
import { type Group, groupBy } from "./hooks-of.ts";

/** How long the runs of one hook took, in milliseconds, as the client wrote it down. */
export interface Durations {
  /** As the client calls it, such as `SessionStart:compact`. */
  readonly hook: string;
  /** Null for all commands of the hook together. */
  readonly command: string | null;
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** The times of our hooks in the transcripts, by hook, and where it is asked for by command as well. */
export function durationsOf(runs: readonly RecordedRun[], each: "hook" | "command"): readonly Durations[] {
  const timed = runs.flatMap(({ name, command, ms }) =>
    ms === null ? [] : [{ name, command, ms, key: each === "hook" ? name : `${name}\n${command}` }],
  );
  const sorted = timed.toSorted((a, b) => compare(a.key, b.key) || a.ms - b.ms);
  return groupBy(sorted, ({ key }) => key).map((group) => {
    const [{ name, command }] = group;
    return {
      hook: name,
      command: each === "hook" ? null : command,
      count: group.length,
      median: at(group, 0.5),
      p95: at(group, 0.95),
      max: at(group, 1),
    };
  });
}

/** The smallest value that at least this share of all values does not exceed (nearest rank). */
function at(sorted: Group<{ readonly ms: number }>, share: number): number {
  const run = sorted[Math.ceil(share * sorted.length) - 1];
  invariant(run !== undefined, "a share is more than 0 and at most 1");
  return run.ms;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
