import type { ProjectSummary } from "./facts.ts";

/** Active projects, the most useful first: the one in hand, the one worked on last, in progress before planning, then by id. */
export function activeProjects(projects: readonly ProjectSummary[], inHand: string | null): readonly ProjectSummary[] {
  return ranked(projects, inHand)
    .sort(compare)
    .map(({ project }) => project);
}

/** The first of them where none is in hand. */
export function firstActive(projects: readonly ProjectSummary[]): ProjectSummary | undefined {
  let [first, ...others] = ranked(projects, null);
  for (const other of others) if (first !== undefined && compare(other, first) < 0) first = other;
  return first?.project;
}

interface Ranked {
  readonly project: ProjectSummary;
  readonly id: string;
  readonly updated: string;
  readonly isPlanning: boolean;
  readonly isInHand: boolean;
}

/** What each comparison looks at, worked out once. */
function ranked(projects: readonly ProjectSummary[], inHand: string | null): Ranked[] {
  const list: Ranked[] = [];
  for (const project of projects) {
    const { id, status, updated, active } = project;
    if (!active) continue;
    const isPlanning = status.toUpperCase() === "PLANNING";
    list.push({ project, id, updated: updated ?? "", isPlanning, isInHand: id === inHand });
  }
  return list;
}

/** Texts by UTF-16 unit, whatever the locale. */
function compare(a: Ranked, b: Ranked): number {
  if (a.isInHand !== b.isInHand) return a.isInHand ? -1 : 1;
  if (a.updated !== b.updated) return a.updated > b.updated ? -1 : 1;
  if (a.isPlanning !== b.isPlanning) return a.isPlanning ? 1 : -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
