import type { RoleName } from "../lifecycle/role.ts";
import { readDamagedText } from "../platform/read-text.ts";
import { CONTEXT_FILE_MAX_BYTES } from "../stores/context-file-store.ts";
import { contextFilePath, shownPath } from "../stores/paths.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * What git has of a role's context file that is gone or blank, as a way out; null where it has nothing, or the file is
 * neither. Asked before a state is touched, and never after: the native program leaves git to Node, which begins anew and
 * would take the step a second time.
 */
export async function keptByGit(context: CommandContext, role: RoleName): Promise<string | null> {
  const path = contextFilePath(context.paths, role);
  const file = readDamagedText(path, CONTEXT_FILE_MAX_BYTES);
  if (file.ok ? !isBlankText(file.value) : file.error.problem !== "missing") return null;
  const { committedHint } = await import("./lost-context.ts");
  return committedHint(context, role, shownPath(context.paths, path));
}

/** NUL bytes alone are no text, either. */
const isBlankText = (text: string): boolean => /^[\0\s]*$/.test(text);
