import { existsSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import type { WriteError } from "../platform/atomic-write.ts";
import { describeErrno, isFsError } from "../platform/fs-error.ts";

/** Renames a bad file whose name a writer needs to `<name>.corrupt-<time>`, beside the earlier ones; the new name. */
export function setAside(path: string, now: Date): Result<string, WriteError> {
  const name = `${basename(path)}.corrupt-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`;
  let target = name;
  for (let count = 2; existsSync(join(dirname(path), target)); count++) target = `${name}-${count}`;
  try {
    renameSync(path, join(dirname(path), target));
    return ok(target);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return err({ path, message: `cannot be set aside: ${describeErrno(error.code)}`, code: error.code });
  }
}
