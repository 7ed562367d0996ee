import type { RoleName } from "../lifecycle/role.ts";
import { fileSize } from "../platform/file-size.ts";
import { readText } from "../platform/read-text.ts";
import { contextFilePath, shownPath } from "../stores/paths.ts";
import type { CommandContext } from "./command-context.ts";

/** In bytes: what is larger was not emptied by accident. */
const BLANK_MAX = 1024;

/**
 * What git has of a role's context file that is gone or blank, as a way out; null where it has nothing, undefined where the file
 * is neither. Asked before a state is touched, and never after: the native program leaves git to Node, which begins anew and
 * would take the step a second time.
 */
export async function keptByGit(context: CommandContext, role: RoleName): Promise<string | null | undefined> {
  const path = contextFilePath(context.paths, role);
  const size = fileSize(path);
  if (size !== null && (size > BLANK_MAX || !isBlankFile(path))) return undefined;
  const { committedHint } = await import("./lost-context.ts");
  return committedHint(context, role, shownPath(context.paths, path));
}

function isBlankFile(path: string): boolean {
  const file = readText(path, BLANK_MAX);
  return file.ok && file.value.text.trim() === "";
}
