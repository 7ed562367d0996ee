import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { RoleName } from "../lifecycle/role.ts";
import { contextFilePath, machinePath, projectPaths } from "./paths.ts";

/**
 * The nearest project above a root that has the role, or any roles where none is named; null where there is none. A folder with a
 * `.git` or a `.claude` of its own is a root, and an agent that works in one may mean the project around it.
 */
export function projectAbove(root: string, role: RoleName | null): string | null {
  for (let at = root; dirname(at) !== at; ) {
    at = dirname(at);
    const paths = projectPaths(at, {});
    const marks = role === null ? [paths.agents] : [contextFilePath(paths, role), machinePath(paths, role)];
    if (marks.some((mark) => existsSync(mark))) return at;
  }
  return null;
}
