import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { build } from "esbuild";
import * as fc from "fast-check";
import { collector } from "./collect.mjs";

/** Of each property: enough to kill what properties kill, few enough for thousands of mutants. */
const RUNS = 20;

/** These count how many of their inputs were of use, and need all of them. */
const COUNTED =
  /(frontmatter|phase-heading|update|precompact-state|manifest-fast|user-config|readers-agree|advance)\.test\.ts$/;

/**
 * Test files and all that they import, as one script that can be run again and again; each run has modules of its own,
 * and gives what was collected. Libraries are loaded once.
 */
export async function bundle(folder, files) {
  const libraries = new Map([["vitest", collector().vitest]]);
  const entry = files.map(
    (file) => `globalThis.mutation.enter(${JSON.stringify(file)});\nrequire(${JSON.stringify(join(folder, file))});`,
  );
  const built = await build({
    stdin: { contents: entry.join("\n"), resolveDir: folder, loader: "js" },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
    plugins: [librariesFrom(libraries), placesIn(folder)],
  });
  const script = new Script(`(function (require) {${built.outputFiles[0].text}\n})`, { filename: "tests.cjs" });
  return () => {
    const collected = collector();
    const check = cappedCheck(collected.fileNow);
    const own = new Map([...libraries, ["vitest", collected.vitest], ["fast-check", check]]);
    globalThis.mutation = { enter: collected.enter, library: (id) => own.get(id) };
    script.runInThisContext()();
    return collected;
  };
}

/** Fewer runs, the same ones each time, and no search for a smaller failure: any failure will do. */
function cappedCheck(fileNow) {
  // The file is known while tests are collected; a property runs later, so each `assert` asks what is running.
  const assert = (property, parameters) => {
    const asked = parameters?.numRuns ?? 100;
    const numRuns = COUNTED.test(globalThis.mutation.running ?? fileNow()) ? asked : Math.min(asked, RUNS);
    return fc.assert(property, { ...parameters, numRuns, seed: 1, endOnFailure: true });
  };
  const own = { ...fc, assert };
  return { ...own, default: own };
}

/** A library is loaded here, outside of the script, and its names are handed in. */
function librariesFrom(libraries) {
  const path = fileURLToPath(import.meta.url);
  return {
    name: "libraries",
    setup(plugin) {
      plugin.onResolve({ filter: /^[^./]/ }, async ({ path: id }) => {
        if (!libraries.has(id)) libraries.set(id, await import(id));
        return { path: id, namespace: "library" };
      });
      plugin.onLoad({ filter: /.*/, namespace: "library" }, ({ path: id }) => {
        const names = Object.keys(libraries.get(id)).filter((name) => name !== "default" && /^[\w$]+$/.test(name));
        const lines = names.map((name) => `const own_${name} = library[${JSON.stringify(name)}];`);
        const exported = names.map((name) => `own_${name} as ${name}`).join(", ");
        return {
          contents: `const library = globalThis.mutation.library(${JSON.stringify(id)});
${lines.join("\n")}
export { ${exported} };
export default library.default;`,
          loader: "js",
          resolveDir: dirname(path),
        };
      });
    },
  };
}

/** A test file finds its fixtures beside itself, not beside the script. */
function placesIn(folder) {
  return {
    name: "places",
    setup(plugin) {
      plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (relative(folder, path).startsWith("..")) return null;
        const text = await readFile(path, "utf8");
        const place = JSON.stringify(pathToFileURL(path).href);
        return { contents: text.replaceAll("import.meta.url", place), loader: "ts" };
      });
    },
  };
}
