import { statSync } from "node:fs";
import type { Result } from "../base/result.ts";
import { type WriteError, writeWholeIf } from "./atomic-write.ts";
import { readText, type TextFile } from "./read-text.ts";

/**
 * Puts a text in a file's place while nobody has changed the file; false where somebody has. The text is on the disk before
 * the file is looked at for the last time: the flush takes longer than all else, and an editor may save meanwhile.
 */
export function replaceUnchanged(
  path: string,
  before: Pick<TextFile, "bytes" | "mode">,
  text: string,
  options: { readonly root: string; readonly maxBytes: number },
): Result<boolean, WriteError> {
  return writeWholeIf(path, text, { mode: before.mode, root: options.root }, () => {
    const version = versionOf(path);
    const now = readText(path, options.maxBytes);
    // Reading takes many times as long as a look at the file's number and time, which therefore comes last.
    return now.ok && now.value.bytes.equals(before.bytes) && versionOf(path) === version;
  });
}

/** Another value for each file that takes the name, and for each change of one. */
function versionOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}
