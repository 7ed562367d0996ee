import type { ScoredClue } from "./project-score.ts";

/** What the newest activities agree on so far. */
export interface Agreement {
  /** The one project that they write to; null before the first that writes. */
  readonly project: string | null;
  /** The stretch between compactions that they all stand in; null before the first that works on anything. */
  readonly compactionsAgo: number | null;
  /** Activities that wrote to it, or called a project skill with it. */
  readonly works: number;
  /** Those of them that wrote. */
  readonly writes: number;
}

/** Nothing that agrees. */
export const NO_AGREEMENT: Agreement = { project: null, compactionsAgo: null, works: 0, writes: 0 };

/**
 * Ten activities in a row that work on one project leave at most 0.85^10 / 0.15 = 1.3 points, for skill calls twice that,
 * to whatever is older, against 5.3 of its own: it leads, and so clearly that it is no bulk work (`project-score.ts`; where
 * fading is faster, the more so). What others only read adds at most 6.7 hundredths of a point.
 */
const WORKS = 10;
/** Makes the confidence `high`, which nothing takes back. */
const WRITES = 2;

/** Whether no earlier activity can change which project is in hand, and how sure that is. */
export function isSettled({ works, writes }: Agreement): boolean {
  return works >= WORKS && writes >= WRITES;
}

/** The agreement with one more activity, older than all before, as its clues; null where they disagree. */
export function agree(before: Agreement, clues: readonly ScoredClue[]): Agreement | null {
  const real = clues.filter(({ kind }) => kind !== "mention" && kind !== "summary");
  const work = real.filter(({ kind }) => kind !== "read");
  const project = before.project ?? work[0]?.project ?? null;
  const compactionsAgo = before.compactionsAgo ?? real[0]?.compactionsAgo ?? null;
  if (real.some((clue) => clue.compactionsAgo !== compactionsAgo)) return null;
  if (work.some((clue) => clue.project !== project)) return null;
  const writes = before.writes + Number(work.some(({ kind }) => kind === "write"));
  return { project, compactionsAgo, works: before.works + Number(work.length > 0), writes };
}
