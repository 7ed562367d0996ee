import type { TimedEntry } from "../lifecycle/intervals.ts";
import type { LifecycleState } from "../lifecycle/states.ts";
import type { MarkFacts } from "./facts.ts";

export interface Compaction {
  /** When it began, or when its end was reported where its beginning was not. */
  readonly at: number;
  readonly sessionId: string | null;
  /** Where the role stood: `saved` is as it should be. */
  readonly from: LifecycleState;
  /** Milliseconds from its announcement to its end; null where one of the two was not reported. */
  readonly lasted: number | null;
  readonly outcome: "done" | "given up" | "running" | "not announced";
  readonly mark: MarkFacts | null;
}

/** The clocks of hooks and client are one, but a hook that has no announcement to go by runs some time after the mark's. */
const EARLY_MS = 5_000;
const UNANNOUNCED_EARLY_MS = 600_000;

/** A role's compactions, oldest first, each with the transcript's mark of it where one is known. */
export function compactionsOf(timed: readonly TimedEntry[], marks: readonly MarkFacts[]): readonly Compaction[] {
  return withMarks(fromHistory(timed), marks);
}

function fromHistory(timed: readonly TimedEntry[]): Compaction[] {
  const found: Compaction[] = [];
  for (const [index, { at, entry }] of timed.entries()) {
    const base = { at, sessionId: entry.session_id, from: entry.from, mark: null };
    if (entry.event === "COMPACT") {
      const next = timed[index + 1];
      if (next === undefined) found.push({ ...base, lasted: null, outcome: "running" });
      else if (next.entry.event === "COMPACTED") found.push({ ...base, lasted: next.at - at, outcome: "done" });
      else found.push({ ...base, lasted: null, outcome: "given up" });
    } else if (entry.event === "COMPACTED" && timed[index - 1]?.entry.event !== "COMPACT") {
      found.push({ ...base, lasted: null, outcome: "not announced" });
    }
  }
  return found;
}

/** The first mark of the session that lies between a compaction's beginning and the next one's. */
function withMarks(compactions: readonly Compaction[], marks: readonly MarkFacts[]): Compaction[] {
  const left = [...marks].sort((a, b) => a.at - b.at);
  return compactions.map((compaction, index) => {
    if (compaction.sessionId === null || compaction.outcome === "given up") return compaction;
    const early = compaction.outcome === "not announced" ? UNANNOUNCED_EARLY_MS : EARLY_MS;
    const next = compactions.slice(index + 1).find(({ sessionId }) => sessionId === compaction.sessionId);
    const found = left.findIndex(
      (mark) =>
        mark.sessionId === compaction.sessionId &&
        mark.at >= compaction.at - early &&
        mark.at < (next?.at ?? Number.POSITIVE_INFINITY),
    );
    if (found === -1) return compaction;
    const [mark = null] = left.splice(found, 1);
    return { ...compaction, mark };
  });
}
