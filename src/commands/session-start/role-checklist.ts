import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import { inRoot, skillPath } from "../../stores/paths.ts";
import type { CommandContext } from "../command-context.ts";

/** The recovery's checklist in the words of the document, which names the files that `recover` prints. */
export function roleChecklist(context: CommandContext, config: Config, role: RoleName): readonly string[] {
  const ifThere = (path: string, why: string): readonly string[] =>
    existsSync(inRoot(context.paths, path)) ? [`Read ${path}${why}.`] : [];
  return [
    "Read this whole document before you do anything else. You remember nothing; what follows is what you wrote down.",
    ...ifThere(skillPath(role), ": it says what your role does and may do"),
    ...ifThere(config.recovery.architecture, ""),
    "Read the context file below to its end, then follow its Recovery Steps in their order.",
    `Run ${context.invokedAs} recover ${role}: it says what changed since the save, and puts down that you are at work again.`,
    "Go on with the first item under Pending; ask before you redo work listed under Completed Work.",
  ];
}
