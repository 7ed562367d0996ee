import { err, type Result } from "../../base/result.ts";
import { realPathInside } from "../../platform/contain.ts";
import { type ReadError, readText, type TextFile } from "../../platform/read-text.ts";
import type { FileContent, FileFact } from "../../session-start/facts.ts";
import { inRoot, type ProjectPaths } from "../../stores/paths.ts";

/** A file that goes into an agent's memory: one of a megabyte would fill it. */
const FILE_MAX_BYTES = 1024 * 1024;

/** A file of the project by its path relative to the root; null where there is none. */
export function readRootFile(paths: ProjectPaths, path: string): FileFact | null {
  const absolutePath = inRoot(paths, path);
  const read: Result<TextFile, ReadError> =
    realPathInside(paths.root, absolutePath) === null
      ? err({ problem: "link", path: absolutePath, message: "is a link that leads out of the project" })
      : readText(absolutePath, FILE_MAX_BYTES);
  const content = fileContent(read);
  return content.kind === "missing" ? null : { path, absolutePath, content };
}

/** What reading gave, as the document tells it. */
export function fileContent(read: Result<TextFile, ReadError>): FileContent {
  if (read.ok) {
    const text = read.value.text.replace(/^\uFEFF/, "");
    return text === "" ? { kind: "empty", reason: "is empty" } : { kind: "text", text };
  }
  const { problem, message: reason } = read.error;
  switch (problem) {
    case "missing":
      return { kind: "missing", reason };
    case "link":
      return { kind: "refused", reason };
    case "not-text":
      return { kind: "binary", reason };
    case "too-large":
      return { kind: "too-large", reason };
    case "denied":
    case "not-a-file":
    case "failed":
      return { kind: "unreadable", reason };
    default:
      return problem satisfies never;
  }
}
