import type { RecordedRun } from "./facts.ts";
import { groupBy } from "./hooks-of.ts";

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
  const timed = runs.flatMap((run) => (run.ms === null ? [] : [{ ...run, ms: run.ms }]));
  const groups = groupBy(timed, ({ name, command }) => (each === "hook" ? name : `${name}\n${command}`));
  return groups
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const sorted = group.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const command = each === "hook" ? null : first.command;
      return [
        {
          hook: first.name,
          command,
          count: sorted.length,
          median: at(sorted, 0.5),
          p95: at(sorted, 0.95),
          max: at(sorted, 1),
        },
      ];
    })
    .toSorted((a, b) => (a.hook === b.hook ? compare(a.command ?? "", b.command ?? "") : compare(a.hook, b.hook)));
}

/** The smallest value that at least this share of all values does not exceed (nearest rank). */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
