import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { build, transform } from "esbuild";

/**
 * Bundles the worker into `file`, each module of `src/` so that it counts the blocks it enters. Gives those modules in the
 * order in which their blocks are numbered: name, the line of each block, and the words that it compares with.
 */
export async function buildGuided(root, entry, file) {
  const { HITS, instrument } = await instrumenter(root, join(dirname(file), "instrument.mjs"));
  const options = {
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  };
  // Asked first what it consists of: a bundler reads files in no order, and a block's number is to be the same each time.
  const { metafile } = await build({ ...options, metafile: true, write: false, outfile: file });
  const names = Object.keys(metafile.inputs).filter((name) => name.startsWith("src/"));
  const modules = [];
  const counted = new Map();
  let first = 0;
  for (const name of names.sort()) {
    const { code, map } = await transform(await readFile(join(root, name), "utf8"), {
      loader: "ts",
      target: "node20",
      sourcemap: "external",
    });
    const made = instrument(code, first);
    counted.set(join(root, name), made.code);
    modules.push({ name, first, lines: linesOf(code, map, made.blocks), words: made.words });
    first += made.blocks.length;
  }
  const counting = {
    name: "counting",
    setup(plugin) {
      plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = counted.get(path);
        return contents === undefined ? null : { contents, loader: "js" };
      });
    },
  };
  const banner = { js: `const ${HITS} = (globalThis.${HITS} = new Uint32Array(${first}));` };
  await build({ ...options, outfile: file, banner, plugins: [counting] });
  return modules;
}

/** The instrumenter is TypeScript, which this Node does not read by itself. */
async function instrumenter(root, file) {
  await build({
    entryPoints: [join(root, "tests", "fuzz", "guided", "instrument.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  return import(pathToFileURL(file).href);
}

/** The lines, in the TypeScript, of places in the JavaScript. */
function linesOf(code, map, places) {
  const trace = new TraceMap(map);
  const starts = [0];
  for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return places.map((place) => {
    const line = starts.findLastIndex((start) => start <= place);
    return originalPositionFor(trace, { line: line + 1, column: place - starts[line] }).line ?? 0;
  });
}
