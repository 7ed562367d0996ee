import { shellWord } from "../base/shell-word.ts";
import { projectAbove } from "../stores/project-above.ts";
import type { CommandContext } from "./command-context.ts";

/** Where there is nothing at all, another project is the likeliest one that is meant: a sentence that says which was looked into. */
export function lookedInto({ paths }: CommandContext): string {
  return `The project is ${paths.root}; -C names another.`;
}

/** The same where there is no role; where the project that this one belongs to has some, that one is named. */
export function lookedForRoles(context: CommandContext): string {
  const above = projectAbove(context.paths.root, null);
  return above === null
    ? lookedInto(context)
    : `The project that this one belongs to has roles: add ${rootOption(above)} to the command.`;
}

/** The option that names another root, as a shell reads it. */
export function rootOption(root: string): string {
  return `-C ${shellWord(root)}`;
}
