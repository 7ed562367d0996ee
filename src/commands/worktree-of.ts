import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isInside } from "../platform/contain.ts";

/**
 * The root of the worktree that the agent's shell stands in, as another spelling of the project's: the nearest folder from
 * there upwards that holds projects. None below the project itself.
 */
export function worktreeOf(root: string, projects: string, cwd: string | null): readonly string[] {
  if (cwd === null || !isAbsolute(cwd) || isInside(root, cwd)) return [];
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, projects))) return [at];
    if (dirname(at) === at) return [];
  }
}
