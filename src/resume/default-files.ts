/** The names that each planning file has, the newer first. */
const PLANNING_FILES = [
  ["01-planning/01-overview.md", "01-planning/overview.md"],
  ["01-planning/03-plan.md", "01-planning/plan.md"],
  ["01-planning/04-steps.md", "01-planning/steps.md"],
] as const;

/** Overview, plan and steps under the names they have here; under their usual names where none is there. */
export function defaultFiles(existing: readonly string[]): readonly string[] {
  const known = new Set(existing);
  const found = PLANNING_FILES.flatMap((names) => names.find((name) => known.has(name)) ?? []);
  return found.length > 0 ? found : PLANNING_FILES.map(([name]) => name);
}
