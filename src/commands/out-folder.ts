import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { shownPath } from "../stores/paths.ts";
import type { CommandContext } from "./command-context.ts";
import { failed, type Report } from "./report.ts";

/** A folder that a person names and that is not there is sooner a slip than a wish: it is told, not made. Null where it is there. */
export function missingFolder({ paths }: CommandContext, path: string): Report | null {
  const folder = dirname(path);
  if (existsSync(folder)) return null;
  return failed({
    code: "folder-missing",
    message: `${shownPath(paths, path)} is not written: there is no folder ${shownPath(paths, folder)}.`,
    hint: "Make the folder, or name another file.",
  });
}
