import type { CommandContext } from "./command-context.ts";

/** Where there is nothing at all, another project is the likeliest one that is meant: a sentence that says which was looked into. */
export function lookedInto({ paths }: CommandContext): string {
  return `The project is ${paths.root}; -C names another.`;
}
