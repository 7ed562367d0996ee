// `npm run test:native`: the tests of the hooks and of lifecycle.*, run through the native program of a copy of the build.
// It says so, with exit code 69, where the native program cannot be built.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const NAMES =
  /^(?:bad-files|broken-state|command-line|gate|guidance|hostile-text|lifecycle|locks-and-rights|originals|ownership|parallel|pre-compact|recover|secrets|session-start|shared-store|shell-safety|start-|succession|validate)/;

function run(file, args, env = {}) {
  const { status } = spawnSync(file, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  return status ?? 1;
}

const copy = mkdtempSync(join(tmpdir(), "context-native-"));
try {
  if (!existsSync(join(root, "dist", "bundle", "build-id")))
    run(process.execPath, [join(root, "scripts", "build.mjs")]);
  for (const name of ["context", "bin", "dist/bundle", ".claude", "schemas", "docs", "package.json"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  // For the store that hosts share.
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  process.exitCode = run(process.execPath, [join(root, "scripts", "build-native.mjs"), "--into", copy]);
  if (process.exitCode === 0) {
    const folder = join(root, "tests", "e2e");
    const files = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && NAMES.test(name));
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const paths = [...files.map((name) => join(folder, name)), join(root, "tests", "security")];
    const env = { CONTEXT_UNDER_TEST: copy, CONTEXT_TEST_NATIVE: "1" };
    process.exitCode = run(process.execPath, [vitest, "run", "--config", "tests/vitest.config.ts", ...paths], env);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
