import type { ProjectId } from "../base/project-id.ts";
import type { Config } from "../config/config.ts";
import { classifyPath, REFUSALS } from "../resume/manifest-paths.ts";
import type { ProjectPaths } from "./paths.ts";
import { readProjectFile } from "./project-store.ts";

/** A file that a manifest lists, as it lies on the disk. */
export interface ListedFile {
  /** As the manifest writes it. */
  readonly listed: string;
  /** Relative to the project, with `/`; null where the text names nothing in it. */
  readonly path: string | null;
  readonly state: "present" | "missing" | "refused" | "empty" | "binary" | "too-large" | "unreadable";
  /** Why, for every state but `present` and `missing`. */
  readonly reason: string | null;
  readonly bytes: number | null;
}

/** Looks at a path of `files_to_load` without reading what is not the project's own. */
export function lookAtFile(paths: ProjectPaths, config: Config, id: ProjectId, listed: string): ListedFile {
  const place = classifyPath(listed);
  if (place.kind === "refused") {
    return { listed, path: null, state: "refused", reason: REFUSALS[place.reason], bytes: null };
  }
  const { path } = place;
  const read = readProjectFile(paths, config, id, path);
  if (read.ok) {
    const bytes = read.value.bytes.length;
    return bytes === 0
      ? { listed, path, state: "empty", reason: "is empty", bytes }
      : { listed, path, state: "present", reason: null, bytes };
  }
  const { problem, message } = read.error;
  switch (problem) {
    case "missing":
      return { listed, path, state: "missing", reason: null, bytes: null };
    case "link":
      return { listed, path, state: "refused", reason: message, bytes: null };
    case "not-text":
      return { listed, path, state: "binary", reason: message, bytes: null };
    case "too-large":
      return { listed, path, state: "too-large", reason: message, bytes: null };
    case "denied":
    case "not-a-file":
    case "failed":
      return { listed, path, state: "unreadable", reason: message, bytes: null };
    default:
      return problem satisfies never;
  }
}
