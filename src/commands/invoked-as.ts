import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord } from "../base/shell-word.ts";
import { findOnPath, isRunnable } from "../platform/on-path.ts";
import { isSameFile } from "../platform/stat-of.ts";
import type { World } from "../platform/world.ts";

/** From where a shell starts this program, and what for. */
export interface Invoker {
  readonly root: string;
  /** Whether the shell stands in the root. */
  readonly atRoot: boolean;
  /** Whether a command that is started there without a word about the root is for this project. */
  readonly findsRoot: boolean;
}

/**
 * How a shell starts this program, as a line of that shell begins: an agent runs what a next action says as it stands, where
 * its shell has come to stand. The project's own comes first, as for the hook scripts; then `context`, where the PATH has this
 * program under that name (TeX has another one); else the path of this program. What a launcher says of itself goes before all.
 */
export function invokedAs({ root, atRoot, findsRoot }: Invoker, world: Pick<World, "env" | "program">): string {
  const program = programOf(root, atRoot, world);
  return findsRoot ? program : `${program} -C ${shellWord(root)}`;
}

function programOf(root: string, atRoot: boolean, { env, program }: Pick<World, "env" | "program">): string {
  if (env.CONTEXT_INVOKED_AS) return env.CONTEXT_INVOKED_AS;
  // A hook's own line names it where what lies in the project is another program.
  if (env.CONTEXT_PROGRAM) return shellWord(env.CONTEXT_PROGRAM);
  const own = join(root, "context");
  const launcher = join(dirname(dirname(program)), "context");
  // A project may have another program of that name.
  if (isRunnable(own) && isSameFile(own, launcher)) return atRoot ? "./context" : shellWord(own);
  const modules = join(root, "node_modules");
  const installed = join(modules, ".bin", "context");
  if (existsSync(join(modules, "agent-context")) && isRunnable(installed)) {
    return atRoot ? "node_modules/.bin/context" : shellWord(installed);
  }
  const onPath = findOnPath("context", env.PATH ?? "");
  if (onPath !== null && (isSameFile(onPath, program) || isSameFile(onPath, launcher))) return "context";
  if (isRunnable(launcher)) return shellWord(launcher);
  return isRunnable(program) ? shellWord(program) : `node ${shellWord(program)}`;
}
