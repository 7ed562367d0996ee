import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { loadConfig } from "../stores/config-store.ts";
import { type ProjectPaths, projectPaths } from "../stores/paths.ts";
import { hasRole, projectAbove } from "../stores/project-above.ts";
import { recordReader } from "../stores/record-reader.ts";
import { isProject } from "../stores/root.ts";
import { mainCheckout, realPath, worktreeRoot } from "../stores/worktree.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * The project that has the role, where the one that the client names has not and is none: it was started in a folder below,
 * or in a worktree that git gave no roles. Null where it is the client's after all.
 */
export function projectOfRole({ paths, env }: CommandContext): string | null {
  const role = env.HIVEMIND_ROLE ?? "";
  if (!isRoleName(role) || hasRole(paths.root, role)) return null;
  const main = mainCheckout(realPath(paths.root));
  if (main !== null) return hasRole(main, role) ? main : null;
  return isProject(paths.root) ? null : projectAbove(paths.root, role);
}

/**
 * The worktree of the project that the agent stands in, where what it does there is what counts: it holds what the project
 * holds, and the role was not saved in the project since. Else null.
 */
export async function worktreeInHand(
  { paths, env }: Pick<CommandContext, "paths" | "env">,
  stands: string,
): Promise<string | null> {
  const root = realPath(paths.root);
  const tree = worktreeRoot(mainCheckout(root) ?? root, realPath(stands));
  if (tree === null || tree === root) return null;
  const { value: config } = await loadConfig(paths);
  // What git does not track is not in a worktree.
  const parts = ["session/agents", config.layout.projects];
  if (parts.some((part) => existsSync(join(paths.root, part)) && !existsSync(join(tree, part)))) return null;
  const role = env.HIVEMIND_ROLE ?? "";
  return !isRoleName(role) || isSavedHere(projectPaths(tree, env), paths, role) ? tree : null;
}

function isSavedHere(tree: ProjectPaths, project: ProjectPaths, role: RoleName): boolean {
  if (!hasRole(tree.root, role)) return !hasRole(project.root, role);
  const [here, there] = [tree, project].map((paths) => recordReader(paths)(role)?.savedAt ?? "");
  return (here ?? "") >= (there ?? "");
}
