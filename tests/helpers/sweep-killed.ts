import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "./remove-folder.ts";

/** What tests, benches, storms and scripts of this repository call their folders in the place for temporary files. */
const OURS =
  /^(?:context-(?:audit|bench|bench-store|before|build|code-cache|corpus|elsewhere|env-text|floors|fuzz|fuzz-notes|fuzz-rows|fuzz-sessions|generate|legacy-env|native|plugin|readers|redis|redis-kept|shim|resident|servant|socket|storm|storm-redis|test|thread-bench|trail-bench|worktrees)-|context (?:lines |tail-é |é name |é tls-)|a user's é |as init leaves it |client-home-|orage é |paquet é |projet é )[A-Za-z0-9]{6}$/;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes what a run left that was killed a day ago or longer: a run that goes on makes its folders anew all the time. */
export function sweepKilled(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter((name) => OURS.test(name))) {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true || stat.uid !== process.getuid?.() || now - stat.mtimeMs < DAY_MS) continue;
    try {
      removeFolder(path);
    } catch {
      // What may not be removed is no fault of the tests that run now.
    }
  }
}

/** Before all tests; what comes back is run after them. Copies of the program serve all files that a worker tests, and go here. */
export default function setup(): () => void {
  sweepKilled(tmpdir(), Date.now());
  const builds = mkdtempSync(join(tmpdir(), "context-build-"));
  chmodSync(builds, 0o755);
  process.env.CONTEXT_TEST_BUILDS = builds;
  return () => rmSync(builds, { recursive: true, force: true });
}
