import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isInside } from "../platform/contain.ts";
import type { ProjectPaths } from "../stores/paths.ts";

/**
 * Other spellings of the project's root: of a worktree that the agent went to, the project that its session began in; and
 * the root of the worktree that its shell stands in, the nearest folder from there upwards that holds projects, which is
 * none below the project itself.
 */
export function otherRoots({ root, main }: ProjectPaths, projects: string, cwd: string | null): readonly string[] {
  const tree = cwd !== null && isAbsolute(cwd) && !isInside(root, cwd) ? holding(projects, cwd) : null;
  return [main?.root ?? null, tree].filter((found) => found !== null);
}

function holding(projects: string, cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, projects))) return at;
    if (dirname(at) === at) return null;
  }
}
