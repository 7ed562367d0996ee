import { chmodSync, cpSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder whose `./context` is tested: this repository, or another build of it that `CONTEXT_UNDER_TEST` names. */
export const PROGRAM_ROOT: string =
  process.env.CONTEXT_UNDER_TEST || fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export const LAUNCHER: string = join(PROGRAM_ROOT, "context");

if (!existsSync(join(PROGRAM_ROOT, "dist", "bundle", "cli-start.cjs"))) {
  throw new Error(`${PROGRAM_ROOT}/dist is missing: these tests run the built program. Run: npm run build`);
}

let shared: string | null = null;

/** Copies a part of the program, but for compiled code: other tests put some there and take some away all the time. */
export function copyProgram(name: string, folder: string, from = PROGRAM_ROOT): void {
  const filter = (path: string) => basename(path) !== "code-cache";
  cpSync(join(from, name), join(folder, name), { recursive: true, filter });
}

/** The launcher of another copy of the build, gone when all tests are. */
export function copiedLauncher(): string {
  const folder = mkdtempSync(join(process.env.CONTEXT_TEST_BUILDS ?? tmpdir(), "context-build-"));
  chmodSync(folder, 0o755);
  for (const name of ["context", "bin", "dist/bundle", "dist/native"]) {
    if (existsSync(join(PROGRAM_ROOT, name))) copyProgram(name, folder);
  }
  return join(folder, "context");
}

/** A copy of the launcher and the build that every user of the machine may run: a home folder often is its owner's alone. */
export function sharedLauncher(): string {
  shared ??= copiedLauncher();
  return shared;
}
