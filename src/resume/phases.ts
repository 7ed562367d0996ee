/** Phases of a project, in their order. */
export const PHASES = ["research", "planning", "execution", "ready-for-implementation", "testing", "review"] as const;

export type ManifestPhase = (typeof PHASES)[number];

/**
 * A phase as it is meant: `COMPLETE` is what older tools wrote for a project under review, and capitals do not matter.
 * Null for any other word.
 */
export function meantPhase(word: string): ManifestPhase | null {
  const folded = word.trim().toLowerCase();
  if (folded === "complete" || folded === "completed") return "review";
  return PHASES.find((phase) => phase === folded) ?? null;
}
