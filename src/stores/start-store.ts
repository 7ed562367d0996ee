import { join } from "node:path";
import type { Result } from "../base/result.ts";
import { type WriteError, writeWhole } from "../platform/atomic-write.ts";
import type { ProjectPaths } from "./paths.ts";

/** The whole document of the last start. */
export function startDocumentPath(paths: ProjectPaths): string {
  return join(paths.cache, "session-start.xml");
}

/** Keeps the whole document of a start, and why it is the one it is. */
export function writeStartRecord(
  paths: ProjectPaths,
  document: string,
  decision: Readonly<Record<string, unknown>>,
): Result<void, WriteError> {
  const options = { mode: 0o600, root: paths.root, folderMode: 0o700 };
  const written = writeWhole(startDocumentPath(paths), document, options);
  if (!written.ok) return written;
  return writeWhole(join(paths.cache, "session-start.json"), `${JSON.stringify(decision, null, 2)}\n`, options);
}
