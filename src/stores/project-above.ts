import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { RoleName } from "../lifecycle/role.ts";
import { contextFilePath, machinePath, projectPaths } from "./paths.ts";
import { mainCheckout } from "./worktree.ts";

/**
 * The project that a root belongs to which has the role, or any roles where none is named: the main checkout of a worktree, else
 * the nearest above; null where there is none. A folder with a `.git` or a `.claude` of its own is a root, and an agent that works
 * in one may mean the other.
 */
export function projectAbove(root: string, role: RoleName | null): string | null {
  const main = mainCheckout(root);
  if (main !== null && hasRole(main, role)) return main;
  for (let at = root; dirname(at) !== at; ) {
    at = dirname(at);
    if (hasRole(at, role)) return at;
  }
  return null;
}

/** Whether a root has a role, or any roles where none is named. */
export function hasRole(root: string, role: RoleName | null): boolean {
  const paths = projectPaths(root, {});
  const marks = role === null ? [paths.agents] : [contextFilePath(paths, role), machinePath(paths, role)];
  return marks.some((mark) => existsSync(mark));
}
