import type { ProjectSummary } from "./facts.ts";

/** Active projects, the most useful first: the one in hand, the one worked on last, in progress before planning, then by id. */
export function activeProjects(projects: readonly ProjectSummary[], inHand: string | null): readonly ProjectSummary[] {
  return projects
    .filter(({ active }) => active)
    .sort(
      (a, b) =>
        Number(b.id === inHand) - Number(a.id === inHand) ||
        compare(b.updated ?? "", a.updated ?? "") ||
        Number(isPlanning(a)) - Number(isPlanning(b)) ||
        compare(a.id, b.id),
    );
}

function isPlanning({ status }: ProjectSummary): boolean {
  return status.toUpperCase() === "PLANNING";
}

/** By UTF-16 unit, whatever the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
