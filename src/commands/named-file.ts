import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandContext } from "./command-context.ts";

/** A file that somebody names: from where the command runs, else from the root, which the paths of findings count from. */
export function namedFile({ cwd, paths }: CommandContext, name: string): string {
  const here = resolve(cwd, name);
  const shown = resolve(paths.root, name);
  return !existsSync(here) && existsSync(shown) ? shown : here;
}
