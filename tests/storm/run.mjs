import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

// Storms of many processes against one project: `npm run storm -- --minutes 10`.
//
// What is done is made of the seed alone; how it falls out is the machine's own. A finding names the run, and its seed makes
// the same storm again: `--seed <seed> --from <number> --count 1`. `--only <weather>` keeps to one kind.
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "context-storm-"));
try {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "session.mjs");
  await build({
    entryPoints: [join(root, "tests", "storm", "session.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
  });
  const { session } = await import(pathToFileURL(outfile).href);
  process.exitCode = await session(root, process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
