// Builds the program that the plugin brings along: plugin/program/, or the folder that the command line names.
//
// The client copies the plugin's folder from a clone and runs no npm, so what is built is committed. It is minified and in
// as few files as can be: `cli-bin.cjs` holds what needs no library, `more.cjs` holds the rest with its libraries, once.
// What a command does not reach is read and not run; a dynamic import() in the source is where that ends.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BUNDLE_OPTIONS, holdVersionAlone } from "./bundle-options.mjs";
import { compiledMachine } from "./compiled-machine.mjs";
import { inAscii } from "./in-ascii.mjs";
import { lazyModules } from "./lazy-modules.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");
const output = process.argv[2] ?? join(root, "plugin", "program");

/** They would register the plugin's own folder, which the next version of it leaves behind. */
const LEFT_OUT = ["cli/entries/install.ts", "cli/entries/completion.ts"];

const shared = { ...BUNDLE_OPTIONS, absWorkingDir: root, write: false };

/** An esbuild plugin for dynamic imports of the source; `place` gets what is imported and says where it is to be found. */
function dynamicImports(place) {
  return {
    name: "dynamic-imports",
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
        if (kind !== "dynamic-import") return undefined;
        const target = resolve(dirname(importer), path);
        return LEFT_OUT.includes(nameOf(target))
          ? { path: join(source, "cli", "entries", "left-out.ts") }
          : place(target);
      });
      // A part of more.cjs, run when it is asked for.
      builder.onLoad({ filter: /./, namespace: "more" }, ({ path }) => ({
        contents: `module.exports = require("./more.cjs")[${JSON.stringify(path)}]();`,
      }));
      holdVersionAlone(builder, root);
      builder.onResolve({ filter: /^\.\/more\.cjs$/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

function nameOf(path) {
  return relative(source, path).split(sep).join("/");
}

/** Every dynamic import that can be reached, and whether it needs a library at its top. */
async function dynamicTargets(machine) {
  const heavy = new Map([[join(source, "cli", "bin.ts"), false]]);
  for (const entry of heavy.keys()) {
    const plugin = dynamicImports((target) => {
      if (!heavy.has(target)) heavy.set(target, false);
      return { path: target, external: true };
    });
    const { metafile } = await build({
      ...shared,
      minify: false,
      entryPoints: [entry],
      plugins: [machine, plugin, lazyModules],
    });
    heavy.set(
      entry,
      Object.keys(metafile.inputs).some((path) => path.includes("node_modules/")),
    );
  }
  return heavy;
}

async function bundle(options) {
  const { outputFiles } = await build({ ...shared, ...options });
  return inAscii(outputFiles[0].text);
}

const work = mkdtempSync(join(tmpdir(), "context-plugin-"));
try {
  const machine = await compiledMachine(source, work);
  const heavy = await dynamicTargets(machine);
  const parts = [...heavy].filter(([, isHeavy]) => isHeavy).map(([path]) => nameOf(path));
  const more = parts.sort().map((name) => `  ${JSON.stringify(name)}: () => require(${JSON.stringify(`./${name}`)}),`);
  const files = {
    "cli-bin.cjs": await bundle({
      entryPoints: [join(source, "cli", "bin.ts")],
      plugins: [
        machine,
        lazyModules,
        dynamicImports((path) => (heavy.get(path) ? { path: nameOf(path), namespace: "more" } : { path })),
      ],
    }),
    "more.cjs": await bundle({
      stdin: { contents: `module.exports = {\n${more.join("\n")}\n};`, resolveDir: source },
      plugins: [machine, lazyModules, dynamicImports((path) => ({ path }))],
    }),
  };
  const id = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  files["context.cjs"] = await bundle({
    stdin: {
      contents: 'import { start } from "./cli/start.ts"; start(__dirname, require, new Map());',
      resolveDir: source,
    },
    // All of them lie there plain.
    define: { BUILD_ID: JSON.stringify(id), WARM_BUNDLES: "[]" },
  });
  mkdirSync(output, { recursive: true });
  // What an earlier version had and this one has not; compiled code that was kept there is of no use any more.
  for (const name of readdirSync(output)) {
    if (!(name in files)) rmSync(join(output, name), { recursive: true, force: true });
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(output, name), text);
} finally {
  rmSync(work, { recursive: true, force: true });
}
