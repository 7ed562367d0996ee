import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Result } from "../base/result.ts";
import { type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { realPathInside } from "../platform/contain.ts";
import { errnoOf } from "../platform/fs-error.ts";
import { readText } from "../platform/read-text.ts";
import type { ProjectPaths } from "./paths.ts";

/** The whole document of the last start, or of that session's where it was not told all: what it reads later must be its own. */
export function startDocumentPath(paths: ProjectPaths, session: string | null = null): string {
  return join(paths.cache, session === null ? LAST : `${LAST}.${session}`);
}

const LAST = "session-start.xml";
/** Of any session. */
export const OWN = /^session-start\.xml\./;

/** Why the document of the last start is the one it is. */
export function startRecordPath(paths: ProjectPaths): string {
  return join(paths.cache, "session-start.json");
}

/**
 * Whether the document can be kept. Each of the parallel hook commands finds out for itself: one alone writes it, and all
 * have to know whether there is something to point to.
 */
export function canKeepDocument(paths: ProjectPaths): boolean {
  const path = startDocumentPath(paths);
  if (realPathInside(paths.root, path) === null) return false;
  for (let at = dirname(path); ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK | constants.X_OK);
      return statSync(at).isDirectory();
    } catch (error) {
      const code = errnoOf(error);
      if (code === null) throw error;
      // The folder is made when it is written to.
      if (code !== "ENOENT" || dirname(at) === at) return false;
    }
  }
}

/** Whether the last start was told exactly this. */
export function isLastDocument(paths: ProjectPaths, document: string): boolean {
  const last = readText(startDocumentPath(paths), DOCUMENT_MAX_BYTES, "refuse");
  return last.ok && last.value.text === document;
}

/** Many times what the largest budget lets a document be. */
const DOCUMENT_MAX_BYTES = 16 * 1024 * 1024;

/** Keeps the whole document of a start, and why it is the one it is; `told` is the first that was delivered, which points to it. */
export function writeStartRecord(
  paths: ProjectPaths,
  session: string | null,
  [whole = "", told = ""]: readonly string[],
  decision: Readonly<Record<string, unknown>>,
): Result<void, WriteError> {
  const options = { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false };
  if (told.includes(`/${LAST}.${session}"`)) {
    const own = writeWhole(startDocumentPath(paths, session), whole, options);
    if (!own.ok) return own;
  }
  const written = writeWhole(startDocumentPath(paths), whole, options);
  if (!written.ok) return written;
  return writeWhole(startRecordPath(paths), `${JSON.stringify(decision, null, 2)}\n`, options);
}
