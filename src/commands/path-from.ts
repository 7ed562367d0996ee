import { printableLine } from "../base/printable.ts";
import { shownPath } from "../stores/paths.ts";
import type { CommandContext } from "./command-context.ts";

/** A path that somebody is to open: whole where the command does not run in the root, which shown paths are relative to. */
export function pathFrom({ cwd, paths }: CommandContext, path: string): string {
  return printableLine(cwd === paths.root ? shownPath(paths, path) : path);
}
