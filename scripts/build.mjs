// Builds dist/: one CommonJS bundle for each thing that is loaded on its own, and the library as plain modules.
//
// CommonJS, since an ES module as the entry makes every start a fifth longer. A dynamic import() in the source is where a
// bundle ends: what it names becomes a bundle of its own, loaded when it is reached.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { compiledMachine } from "./compiled-machine.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");
const output = join(root, "dist");
const fresh = join(root, `dist.${process.pid}.new`);

/** `src/cli/entries/validate.ts` becomes `cli-entries-validate.cjs`: flat, so that one bundle finds another beside it. */
function bundleName(path) {
  return `${relative(source, path).replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-")}.cjs`;
}

const shared = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  // import() of a CommonJS bundle gives its exports as they are.
  supported: { "dynamic-import": false },
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

async function bundleAll() {
  const machine = await compiledMachine(source, fresh);
  const pending = [join(source, "cli", "bin.ts")];
  const inputs = {};
  for (const entry of pending) {
    const result = await build({
      ...shared,
      entryPoints: [entry],
      outfile: join(fresh, "bundle", bundleName(entry)),
      plugins: [
        machine,
        {
          name: "bundle-boundaries",
          setup(builder) {
            builder.onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
              if (kind !== "dynamic-import") return undefined;
              const target = resolve(dirname(importer), path);
              if (!pending.includes(target)) pending.push(target);
              return { path: `./${bundleName(target)}`, external: true };
            });
          },
        },
      ],
    });
    inputs[bundleName(entry)] = Object.keys(result.metafile.inputs).sort();
  }
  // What is compiled ahead is named after all that it was compiled from.
  const id = createHash("sha256");
  for (const name of Object.keys(inputs).sort()) id.update(readFileSync(join(fresh, "bundle", name)));
  const start = join(source, "cli", "start.ts");
  const started = await build({
    ...shared,
    entryPoints: [start],
    outfile: join(fresh, "bundle", bundleName(start)),
    define: { BUILD_ID: JSON.stringify(id.digest("hex").slice(0, 16)) },
  });
  inputs[bundleName(start)] = Object.keys(started.metafile.inputs).sort();
  // Which sources each bundle holds: a test reads it to see that a hook's bundle holds no library it does not use.
  writeFileSync(join(fresh, "bundle", "inputs.json"), `${JSON.stringify(inputs, null, 1)}\n`);
}

function emitLibrary() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const result = spawnSync(
    process.execPath,
    [tsc, "-p", join(source, "tsconfig.json"), "--outDir", join(fresh, "lib")],
    {
      stdio: "inherit",
    },
  );
  if (result.status !== 0) throw new Error("The library does not compile.");
}

try {
  mkdirSync(join(fresh, "bundle"), { recursive: true });
  writeFileSync(join(fresh, "bundle", "package.json"), '{ "type": "commonjs" }\n');
  await bundleAll();
  emitLibrary();
  // In one move, so that a command that runs meanwhile finds the old build or the new one.
  rmSync(output, { recursive: true, force: true });
  renameSync(fresh, output);
  chmodSync(join(root, "bin", "context.js"), 0o755);
} catch (error) {
  rmSync(fresh, { recursive: true, force: true });
  throw error;
}
