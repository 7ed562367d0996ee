import type { ProjectPaths } from "../stores/paths.ts";
import { shownPath } from "../stores/paths.ts";
import { type FailedReport, failed } from "./report.ts";

/** A folder that cannot be listed: it is none, or this user may not; never the same as one that holds nothing. */
export function folderUnreadable(
  paths: ProjectPaths,
  { path, message }: { path: string; message: string },
): FailedReport {
  return failed({
    code: "folder-unreadable",
    message: `${shownPath(paths, path)} ${message}.`,
    hint: "Make it a folder that this user has the rights to read.",
  });
}
