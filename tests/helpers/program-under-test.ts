import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** The folder whose `./context` is tested: this repository, or another build of it that `CONTEXT_UNDER_TEST` names. */
export const PROGRAM_ROOT: string =
  process.env.CONTEXT_UNDER_TEST || fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export const LAUNCHER: string = join(PROGRAM_ROOT, "context");

if (!existsSync(join(PROGRAM_ROOT, "dist", "bundle", "cli-bin.cjs"))) {
  throw new Error(`${PROGRAM_ROOT}/dist is missing: these tests run the built program. Run: npm run build`);
}

let shared: string | null = null;
afterAll(() => {
  if (shared !== null) rmSync(shared, { recursive: true, force: true });
});

/** A copy of the launcher and the build that every user of the machine may run: a home folder often is its owner's alone. */
export function sharedLauncher(): string {
  if (shared === null) {
    const folder = mkdtempSync(join(tmpdir(), "context-build-"));
    chmodSync(folder, 0o755);
    for (const name of ["context", "bin", "dist/bundle", "dist/native"]) {
      if (existsSync(join(PROGRAM_ROOT, name)))
        cpSync(join(PROGRAM_ROOT, name), join(folder, name), { recursive: true });
    }
    shared = folder;
  }
  return join(shared, "context");
}
