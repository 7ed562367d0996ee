import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isInside } from "../platform/contain.ts";
import { mainCheckout } from "../stores/worktree.ts";

/**
 * Other spellings of the project's root: where it is a worktree, its main checkout, in which a session may have begun; and
 * the root of the worktree that the agent's shell stands in, the nearest folder from there upwards that holds projects,
 * which is none below the project itself.
 */
export function otherRoots(root: string, projects: string, cwd: string | null): readonly string[] {
  const main = mainCheckout(root);
  const tree = cwd !== null && isAbsolute(cwd) && !isInside(root, cwd) ? holding(projects, cwd) : null;
  return [main, tree].filter((found) => found !== null);
}

function holding(projects: string, cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, projects))) return at;
    if (dirname(at) === at) return null;
  }
}
