import { join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { writeWhole } from "../platform/atomic-write.ts";
import { readText } from "../platform/read-text.ts";
import { isUnread } from "../platform/way-to-read.ts";
import { GENERATOR } from "../report/page.ts";
import type { ProjectPaths } from "./paths.ts";

/** Far more than a report of a year of thirty roles. */
const REPORT_MAX_BYTES = 256 * 1024 * 1024;
/** The mark stands in the page's fourth line. */
const HEAD_CHARACTERS = 512;

export interface ReportFileError {
  /** What is wrong, as the end of a sentence that begins with the path. */
  readonly message: string;
  /** The errno, where the system refused to write it. */
  readonly code?: string;
  /** The file is somebody else's. */
  readonly foreign: boolean;
}

/** Where a report goes that nobody named a place for: git leaves the folder alone. */
export function defaultReportPath(paths: ProjectPaths): string {
  return join(paths.cache, "report.html");
}

/**
 * Writes a page whole or not at all, through no link that leads out of `root`; another file than an earlier report is
 * only replaced where `force`.
 */
export function writeReportFile(
  path: string,
  root: string,
  page: string,
  force: boolean,
): Result<void, ReportFileError> {
  const there = readText(path, REPORT_MAX_BYTES);
  const problem = there.ok ? null : there.error.problem;
  if (!there.ok && (problem === "not-a-file" || (isUnread(there.error) && !force))) {
    return err({ message: there.error.message, foreign: false });
  }
  if (problem !== "missing" && !force) {
    const ours = there.ok && there.value.text.slice(0, HEAD_CHARACTERS).includes(GENERATOR);
    if (!ours) return err({ message: "is there and is no report of this program", foreign: true });
  }
  const mode = there.ok ? there.value.mode : 0o644;
  const written = writeWhole(path, page, { mode, root });
  return written.ok ? ok(undefined) : err({ ...written.error, foreign: false });
}
