// Writes the files that are made from the source: docs/context-file.md, docs/rules.md, schemas/, .claude/hooks/.
// A test compares them with what this would write.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "context-generate-"));
try {
  const outfile = join(work, "generated.mjs");
  await build({
    entryPoints: [join(root, "src", "generated-files.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const { generatedBlocks, generatedFiles, withBlock } = await import(pathToFileURL(outfile).href);
  for (const { path, text, executable } of generatedFiles()) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    if (executable) chmodSync(target, 0o755);
    console.log(path);
  }
  for (const block of generatedBlocks()) {
    const target = join(root, block.path);
    writeFileSync(target, withBlock(readFileSync(target, "utf8"), block));
    console.log(`${block.path} (${block.name})`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
