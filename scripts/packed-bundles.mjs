// How bundles lie in dist/bundle: plain as `x.cjs`, compressed as `x.cjs.br`, or compressed with others in `warm.br` or `cold.br`.
// `src/platform/code-cache.ts` reads them where the program runs; the build and the tests do it with what stands here.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** What lies together: in each a line of JSON, each file's name with its length, and the files. All of it is ASCII. */
export const WARM = "warm.br";
/** The same of what is run now and then. */
export const COLD = "cold.br";

/** @param {string} text */
export function compressed(text) {
  // A window a little larger than the text: 128 kB for one bundle, a megabyte for many. How distances are spelled is left to the
  // library: of three ways it is the shortest over all.
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: text.length > 300_000 ? 20 : 17 } });
}

/** @param {ReadonlyMap<string, string>} texts */
export function together(texts) {
  const lengths = Object.fromEntries([...texts].map(([name, text]) => [name, text.length]));
  return compressed(`${JSON.stringify(lengths)}\n${[...texts.values()].join("")}`);
}

/** The text of every bundle in the folder, by its name, however it lies there. */
export function bundleTexts(folder) {
  const texts = new Map();
  for (const file of readdirSync(folder).sort()) {
    const bytes = () => readFileSync(join(folder, file));
    if (file.endsWith(".cjs")) texts.set(file, bytes().toString());
    else if (file.endsWith(".cjs.br"))
      texts.set(file.slice(0, -".br".length), brotliDecompressSync(bytes()).toString());
    else if (file === WARM || file === COLD) addEach(texts, brotliDecompressSync(bytes()).toString());
  }
  return texts;
}

function addEach(texts, all) {
  let at = all.indexOf("\n") + 1;
  for (const [name, length] of Object.entries(JSON.parse(all.slice(0, at)))) {
    texts.set(name, all.slice(at, at + length));
    at += length;
  }
}
