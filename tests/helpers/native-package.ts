import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { copyProgram, PROGRAM_ROOT } from "./program-under-test.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the package as it was built, without a native program. */
export interface PackageCopy {
  readonly root: string;
  readonly launcher: string;
  /** Where its launcher looks for the native program. */
  readonly native: string;
}

/** The folder is the caller's to remove, or gone after the test that runs. */
export function copyPackage(keep: "after-test" | "yours" = "after-test"): PackageCopy {
  const root = mkdtempSync(join(tmpdir(), "paquet é "));
  if (keep === "after-test") onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ["context", "bin", "dist/bundle", "package.json"]) {
    copyProgram(name, root, existsSync(join(PROGRAM_ROOT, name)) ? PROGRAM_ROOT : REPOSITORY);
  }
  const build = readFileSync(join(root, "dist/bundle/build-id"), "utf8").trim();
  return { root, launcher: join(root, "context"), native: join(root, "dist", "native", `context-${build}`) };
}

/** Its engine alone, once it was built: runs a script and writes what it comes to; with `plain` behind it as QuickJS-ng is. */
export const ENGINE: string = join(REPOSITORY, "node_modules", ".cache", "context-native", "compile");

/** Puts something in the place of the native program. */
export function plant({ native }: PackageCopy, content: string | Uint8Array, mode = 0o755): void {
  mkdirSync(dirname(native), { recursive: true });
  writeFileSync(native, content, { mode });
}

/**
 * Builds the real one into the copy; why it cannot be built here, or null. `CONTEXT_NATIVE_BUILD=required` makes that a
 * failure, so that a build that should have run its tests cannot pass without them.
 */
export function buildNative({ root }: PackageCopy, env: NodeJS.ProcessEnv = process.env): string | null {
  const script = join(REPOSITORY, "scripts", "build-native.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--into", root], { encoding: "utf8", env });
  // It builds all the same where it cannot run what it counts.
  if (stdout.includes(" is not counted: ")) throw new Error(stdout);
  if (status === 0) return null;
  if (status !== 69 || env.CONTEXT_NATIVE_BUILD === "required") throw new Error(stderr);
  return stderr.trim();
}
