import { existsSync } from "node:fs";
import { join } from "node:path";
import { isoText } from "../base/iso-text.ts";
import { isRoleName, type RoleName } from "../lifecycle/role.ts";
import { sha256 } from "../platform/sha256.ts";
import { loadConfig } from "../stores/config-store.ts";
import { readContextFile } from "../stores/context-file-store.ts";
import { contextFilePath, type ProjectPaths, projectPaths } from "../stores/paths.ts";
import { hasRole, projectAbove } from "../stores/project-above.ts";
import { recordReader } from "../stores/record-reader.ts";
import { isProject } from "../stores/root.ts";
import { mainCheckout, realPath, worktreeRoot, worktreesOf } from "../stores/worktree.ts";
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
 * holds, and what the role saved in the project last, where that was not before. Else null.
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
  const [here, there] = [tree, project].map((paths) => recordReader(paths)(role));
  if ((here?.savedAt ?? "") >= (there?.savedAt ?? "")) return true;
  // Git brought along what was saved: the worktree holds all of it, and what was done there since.
  const file = here?.savedAt ? null : readContextFile(tree, role);
  return file?.ok === true && sha256(file.value.bytes) === there?.contextSha256;
}

/**
 * The context file that this session saved in another worktree of the repository, or in its main checkout, after the one here was
 * written: its agent went there, or came from there. Null where there is none, or it says the same.
 */
export function otherSave({ paths, env }: CommandContext, role: RoleName, session: string | null): string | null {
  if (session === null) return null;
  const root = realPath(paths.root);
  const main = mainCheckout(root) ?? root;
  const own = readContextFile(paths, role);
  // A hook saves what is there, however old it is. What was never saved came with git, and has the time of that.
  let latest = own.ok && recordReader(paths)(role)?.savedAt ? isoText(new Date(own.value.modified)) : "";
  let found: string | null = null;
  for (const place of [main, ...worktreesOf(main)]) {
    if (place === root) continue;
    const other = projectPaths(place, env);
    const saved = recordReader(other)(role);
    if (saved?.sessionId !== session || (saved.savedAt ?? "") <= latest) continue;
    if (own.ok && saved.contextSha256 === sha256(own.value.bytes)) continue;
    latest = saved.savedAt ?? "";
    found = contextFilePath(other, role);
  }
  return found;
}
