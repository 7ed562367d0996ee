import { existsSync, linkSync, renameSync } from "node:fs";
import { ok, type Result } from "../base/result.ts";
import { type WriteError, type WriteOptions, writeWholeIf } from "./atomic-write.ts";
import { errnoOf } from "./fs-error.ts";

/** A new file, whole or not at all; false where there is one of its name by then, which stays as it is. */
export function createWhole(path: string, text: string, options: WriteOptions): Result<boolean, WriteError> {
  let made = false;
  const written = writeWholeIf(path, text, options, (temporary) => {
    made = takeName(temporary, path);
    // It has its name: nothing is to be renamed.
    return false;
  });
  return written.ok ? ok(made) : written;
}

/** A link fails where the name exists; a rename would take it from whoever has it. */
function takeName(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") return false;
    // Where no file has two names, a moment is left in which another one may come.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "EMLINK") throw error;
    if (existsSync(path)) return false;
    renameSync(temporary, path);
    return true;
  }
}
