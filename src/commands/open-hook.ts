import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { Result } from "../base/result.ts";
import type { World } from "../platform/world.ts";
import { type CommandContext, openContext } from "./command-context.ts";

/**
 * The project that a hook is for: the one that the client names, or the worktree of it that the agent went to, or the one
 * around it that has the role. A client's project stays what it was at the start, which is the folder that it was started
 * in; the agent's own commands go by where it stands. `root` is `--root`, `stands` the payload's `cwd`.
 */
export async function openHook(
  world: World,
  root: string | undefined,
  stands: string | null,
): Promise<Result<CommandContext, string>> {
  const context = openContext(world, { root, hook: true, stands });
  if (!context.ok || root !== undefined || world.env.CONTEXT_ROOT) return context;
  const { paths } = context.value;
  const moved = stands !== null && isInRepository(paths.root, stands);
  if (!moved && hasContextFile(context.value)) return context;
  const { projectOfRole, worktreeInHand } = await import("./role-roots.ts");
  const tree = moved ? await worktreeInHand(context.value, stands) : null;
  if (tree !== null) return openContext(world, { root: tree, hook: true, stands, main: paths });
  const around = projectOfRole(context.value);
  return around === null ? context : openContext(world, { root: around, hook: true, stands });
}

/** Also where nobody has a role. */
function hasContextFile({ paths, env }: CommandContext): boolean {
  return !env.HIVEMIND_ROLE || existsSync(`${paths.agents}/${env.HIVEMIND_ROLE}.context.md`);
}

/** Whether the root's own is not the nearest repository. Most agents stand in the root itself, and nothing is looked up. */
function isInRepository(root: string, stands: string): boolean {
  // What is there has no path without an end.
  if (stands === root || !isAbsolute(stands) || !existsSync(stands)) return false;
  for (let at = stands; at !== root && at !== dirname(at); at = dirname(at)) if (existsSync(`${at}/.git`)) return true;
  return false;
}
