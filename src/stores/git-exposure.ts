import { join } from "node:path";
import { type Result, valueOr } from "../base/result.ts";
import { type WriteError, writeWhole } from "../platform/atomic-write.ts";
import { readText } from "../platform/read-text.ts";
import { statOf } from "../platform/stat-of.ts";
import { listFolder } from "./list-folder.ts";
import type { ProjectPaths } from "./paths.ts";

/** Files of ours of which one up to this size is looked into for paths of this machine. */
const LOOK_MAX_BYTES = 1024 * 1024;

/** Files right in a folder that name one of these paths. */
export function filesNaming(folder: string, paths: readonly string[]): readonly string[] {
  return valueOr(listFolder(folder), []).flatMap((name) => {
    const path = join(folder, name);
    const file = statOf(path)?.isFile() === true ? readText(path, LOOK_MAX_BYTES) : null;
    return file?.ok === true && paths.some((wanted) => file.value.text.includes(wanted)) ? [path] : [];
  });
}

/** Makes git leave a cache folder alone, whatever the project's own .gitignore says. */
export function ignoreCache(paths: ProjectPaths): Result<void, WriteError> {
  return writeWhole(join(paths.cache, ".gitignore"), "*\n", { mode: 0o644, root: paths.root });
}
