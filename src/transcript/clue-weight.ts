import type { Activity } from "./activity.ts";
import type { Clue, ClueContext } from "./evidence.ts";
import { type KnownProjects, type ProjectPlaces, projectFinder } from "./project-path.ts";
import type { ScoredClue } from "./project-score.ts";

/** What is known of the project beside the transcript. */
export interface DetectPlaces extends ProjectPlaces {
  /** Ids of the project folders that exist; null or absent when that was not looked up, and every id counts. */
  readonly knownProjects?: KnownProjects | null | undefined;
  /** The session's working directory, for records without one; outside the root it is taken for a worktree of it. */
  readonly cwd?: string | null | undefined;
}

/** What activities are read with: the places, worked out once. */
export function clueContext(options: DetectPlaces): ClueContext {
  const cwd = options.cwd ?? null;
  // Inside the root the alias changes nothing: the root's own path is tried first.
  const aliases = cwd === null ? (options.aliases ?? []) : [...(options.aliases ?? []), cwd];
  const places = { ...options, aliases };
  return { ...places, cwd, findProject: projectFinder(places), knownProjects: options.knownProjects ?? null };
}

/** Why nothing that the activity says counts; null where it does. */
export function objectionTo(activity: Activity): string | null {
  if (activity.sidechain) return "a sub-agent's work is not the main line's";
  if (activity.kind === "tool-call" && activity.outcome === "failed") return "a call that failed is no work";
  return null;
}

/** Why a clue does not count, whatever it stands in; null where it does. */
export function objectionToClue(clue: Clue, { knownProjects }: ClueContext): string | null {
  if (knownProjects !== null && !knownProjects.has(clue.project)) return "there is no such project folder";
  return clue.counted ? null : clue.why;
}

/** Whether a clue is of work on its project: what only names one is none. */
export function isWork({ kind }: Pick<ScoredClue, "kind">): boolean {
  return kind !== "mention" && kind !== "summary";
}

/** The clues of work on the project. */
export function workOn(project: string, scored: readonly ScoredClue[]): readonly ScoredClue[] {
  return scored.filter((clue) => clue.project === project && isWork(clue));
}

/** High: two calls on its files or more. Medium: one, or a project skill called with it. Low: named only. */
export function confidenceIn(project: string, scored: readonly ScoredClue[]): "high" | "medium" | "low" {
  const work = workOn(project, scored);
  const calls = new Set(work.filter(({ kind }) => kind === "write" || kind === "read").map(({ index }) => index));
  if (calls.size >= 2) return "high";
  return work.length > 0 ? "medium" : "low";
}
