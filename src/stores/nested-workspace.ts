import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Config } from "../config/config.ts";
import { isInside } from "../platform/contain.ts";
import type { ProjectPaths } from "./paths.ts";
import { realPath, worktreeRoot } from "./worktree.ts";

/**
 * A workspace of its own within this one that holds `cwd`: what belongs to the one is nothing to the other. Null where there
 * is none, where this one holds nothing itself, and for a worktree of the same repository.
 */
export function nestedWorkspace(paths: ProjectPaths, config: Config, cwd: string | null): string | null {
  if (cwd === null || !isAbsolute(cwd)) return null;
  const root = realPath(paths.root);
  const from = realPath(cwd);
  if (from === root || !isInside(root, from) || !isWorkspace(root, config)) return null;
  for (let at = from; at !== root && isInside(root, at); at = dirname(at)) {
    if (isWorkspace(at, config)) return worktreeRoot(root, at) === null ? at : null;
  }
  return null;
}

function isWorkspace(folder: string, { layout }: Config): boolean {
  return existsSync(join(folder, layout.projects)) || existsSync(join(folder, "session", "agents"));
}
