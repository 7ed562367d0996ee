import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { RoleName } from "../../lifecycle/role.ts";
import type { FileContent } from "../../session-start/facts.ts";
import { holdsSomething } from "../../session-start/holds-something.ts";
import { inRoot } from "../../stores/paths.ts";
import { skillPath } from "../../stores/role-skill.ts";
import type { CommandContext } from "../command-context.ts";

export interface RoleChecklist {
  /** Of the context file. */
  readonly content: FileContent;
  /** Whether the document's instruction says what to work on: it was found in the session, and the context file is older. */
  readonly isLed: boolean;
}

/** The recovery's checklist in the words of the document, which names the files that `recover` prints. */
export function roleChecklist(
  context: CommandContext,
  config: Config,
  role: RoleName,
  { content, isLed }: RoleChecklist,
): readonly string[] {
  const ifThere = (path: string, why: string): readonly string[] =>
    existsSync(inRoot(context.paths, path)) ? [`Read ${path}${why}.`] : [];
  const first = "Read this whole document before you do anything else. You remember nothing";
  const recover = `Run ${context.invokedAs} recover ${role}: it says`;
  const led = isLed ? ["Then do what the instruction says."] : [];
  if (!holdsSomething(content)) {
    // One that is there and cannot be read may be made readable: nothing says that it is empty.
    const unread = "reason" in content && content.kind !== "missing" && content.kind !== "empty";
    return [
      `${first}, and ${unread ? `the context file ${content.reason}` : "there is no context file that would say what you did"}.`,
      ...ifThere(skillPath(context.paths, role), ": it says what your role does and may do"),
      ...ifThere(config.recovery.architecture, ""),
      `${recover} ${unread ? "" : "where the file may be found, and "}what to do about it.`,
      ...led,
    ];
  }
  return [
    `${first}; what follows is what you wrote down.`,
    ...ifThere(skillPath(context.paths, role), ": it says what your role does and may do"),
    ...ifThere(config.recovery.architecture, ""),
    "Read the context file below to its end, then follow its Recovery Steps in their order.",
    `${recover} what changed since the save, and puts down that you are at work again.`,
    ...led,
    `${isLed ? "The role's own work begins" : "Go on"} with the first item under Pending; ask before you redo work listed under Completed Work.`,
  ];
}
