import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { homeFolder } from "../platform/home-folder.ts";
import { type LockError, withLock } from "../platform/lock.ts";
import type { ProjectPaths } from "./paths.ts";

/** Far longer than what is set up takes to be written. */
const WAIT_MS = 5000;

/**
 * Does the work while no other process sets up the same: each makes its plan of what it finds, so two at once would find what
 * the other has half done. The lock lies in the project's folder, or in the home folder: what is made may not be there yet, or go.
 * Where none can be made the work is done without: it may need no more than a folder below, and each file is looked at again
 * before it is written.
 */
export function whileSettingUp<T>(
  { paths, env }: { paths: ProjectPaths; env: Readonly<Record<string, string | undefined>> },
  user: boolean,
  work: () => T,
): Result<T, Extract<LockError, { kind: "held" }>> {
  const folder = nearest(user ? homeFolder(env) : paths.root);
  const locked = withLock(join(folder, ".context-init.lock"), { waitMs: WAIT_MS, folderMode: 0o777 }, work);
  if (locked.ok) return locked;
  return locked.error.kind === "held" ? err(locked.error) : ok(work());
}

/** The folder, or the first above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder));
}
