import { existsSync, linkSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import {
  temporaryPrefix,
  tryUnlink,
  type WriteError,
  type WriteOptions,
  writeError,
  writeWhole,
} from "./atomic-write.ts";
import { errnoOf } from "./fs-error.ts";
import { uniqueToken } from "./process-identity.ts";

/** A new file, whole or not at all; false where there is one of its name by then, which stays as it is. */
export function createWhole(path: string, text: string, options: WriteOptions): Result<boolean, WriteError> {
  const draft = join(dirname(path), `${temporaryPrefix(basename(path))}${uniqueToken()}.tmp`);
  const written = writeWhole(draft, text, options);
  if (!written.ok) return err({ ...written.error, path });
  try {
    return ok(takeName(draft, path));
  } catch (error) {
    return err(writeError(path, error));
  } finally {
    tryUnlink(draft);
  }
}

/** A link fails where the name exists; a rename would take it from whoever has it. */
function takeName(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") return false;
    // Where no file has two names, a moment is left in which another one may come.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "EMLINK") throw error;
    if (existsSync(path)) return false;
    renameSync(draft, path);
    return true;
  }
}
