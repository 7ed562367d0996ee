import type { EvidenceKind } from "./evidence.ts";

/** A counted clue with its place in the session. */
export interface ScoredClue {
  readonly project: string;
  readonly kind: Exclude<EvidenceKind, "prompt">;
  /** Ordinal of the activity. */
  readonly index: number;
  readonly row: number;
  /** Compactions between it and now: 0 since the last one. */
  readonly compactionsAgo: number;
}

export interface ProjectScore {
  readonly project: string;
  /** Within its latest stretch of work between compactions; comparable between projects of one stretch only. */
  readonly score: number;
  /** Compactions since its latest work; null where it is only named. */
  readonly compactionsAgo: number | null;
  readonly writes: number;
  readonly reads: number;
  readonly skillCalls: number;
  readonly mentions: number;
  readonly lastIndex: number;
  readonly lastRow: number;
}

// "Later outweighs earlier": each later clue of the same class takes two fifths off, so that one call outweighs the two
// before it (0.6 + 0.36) and yields to three. "Writes outweigh reads": a sum of reads never exceeds 1 / (1 - 0.6) = 2.5.
// A project skill called by name weighs as two writes: it says outright what is in hand.
const FADE = 0.6;
const WRITE_POINTS = 100;
const SKILL_WEIGHT = 2;
// Among three projects or more a glance at two of them must not hide the third: a slower fading that sees the whole
// stretch, by which the lead must be clear, twice the next.
const SLOW_FADE = 0.85;
const CLEAR_LEAD = 2;
const MANY = 3;

type Class = "work" | "read" | "mention";

/** Projects by standing; the clues come in the order of the session: first the one in hand: work since the last compaction first, then by score, then the later. */
export function scoreProjects(clues: readonly ScoredClue[]): readonly ProjectScore[] {
  const projects = [...new Set(clues.map(({ project }) => project))];
  return projects.map((project) => scoreOf(project, clues)).sort(byStanding);
}

/** True when three or more projects were worked on alike and none leads clearly: bulk work, no project in hand. */
export function isBulk(scores: readonly ProjectScore[], clues: readonly ScoredClue[]): boolean {
  const leader = scores[0];
  if (leader === undefined) return false;
  const leading: Class =
    leader.writes + leader.skillCalls > 0 ? "work" : leader.compactionsAgo === null ? "mention" : "read";
  const stretch = clues.filter(
    ({ kind, compactionsAgo }) =>
      classOf(kind) === leading && (leading === "mention" || compactionsAgo === leader.compactionsAgo),
  );
  const totals = [...faded(stretch).values()].sort((a, b) => b - a);
  const [first = 0, second = 0] = totals;
  return totals.length >= MANY && first < CLEAR_LEAD * second;
}

/** Whether any of the projects was worked on: what only names some says nothing against earlier work. */
export function isAnyAtWork(scores: readonly ProjectScore[]): boolean {
  return scores.some(({ compactionsAgo }) => compactionsAgo !== null);
}

function scoreOf(project: string, clues: readonly ScoredClue[]): ProjectScore {
  const own = clues.filter((clue) => clue.project === project);
  const count = (...kinds: readonly EvidenceKind[]): number => own.filter(({ kind }) => kinds.includes(kind)).length;
  const work = own.filter(({ kind }) => classOf(kind) !== "mention");
  const compactionsAgo = work.at(-1)?.compactionsAgo ?? null;
  const stretch = clues.filter((clue) => clue.compactionsAgo === compactionsAgo);
  const points = (cls: Class, from: readonly ScoredClue[]): number =>
    faded(from.filter(({ kind }) => classOf(kind) === cls)).get(project) ?? 0;
  const score =
    compactionsAgo === null
      ? points("mention", clues)
      : WRITE_POINTS * points("work", stretch) + points("read", stretch);
  return {
    project,
    score: Math.round(score * 100) / 100,
    compactionsAgo,
    writes: count("write"),
    reads: count("read"),
    skillCalls: count("skill", "slash-command"),
    mentions: count("mention", "summary"),
    lastIndex: own.at(-1)?.index ?? -1,
    lastRow: own.at(-1)?.row ?? -1,
  };
}

/** Points of each project, clues of one class in order: the latest activity weighs 1, each one before it less. */
function faded(clues: readonly ScoredClue[]): ReadonlyMap<string, number> {
  const fade = new Set(clues.map(({ project }) => project)).size >= MANY ? SLOW_FADE : FADE;
  const points = new Map<string, number>();
  let weight = 1;
  let index: number | undefined;
  for (const clue of clues.toReversed()) {
    if (index !== undefined && clue.index !== index) weight *= fade;
    index = clue.index;
    const worth = weight * (clue.kind === "skill" || clue.kind === "slash-command" ? SKILL_WEIGHT : 1);
    points.set(clue.project, (points.get(clue.project) ?? 0) + worth);
  }
  return points;
}

function classOf(kind: ScoredClue["kind"]): Class {
  switch (kind) {
    case "write":
    case "skill":
    case "slash-command":
      return "work";
    case "read":
      return "read";
    case "mention":
    case "summary":
      return "mention";
    default:
      return kind satisfies never;
  }
}

function byStanding(a: ProjectScore, b: ProjectScore): number {
  return (
    (a.compactionsAgo ?? Number.MAX_SAFE_INTEGER) - (b.compactionsAgo ?? Number.MAX_SAFE_INTEGER) ||
    b.score - a.score ||
    b.lastIndex - a.lastIndex ||
    (a.project < b.project ? -1 : 1)
  );
}
