// How bundles lie in dist/bundle: plain as `x.cjs`, compressed as `x.cjs.br`, or compressed with others in `warm.br` or `cold.br`.
// `src/platform/code-cache.ts` reads them where the program runs; the build and the tests do it with what stands here.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** What lies together: in each a line of JSON, each file's name with its length, and the files. All of it is ASCII. */
export const WARM = "warm.br";
/** The same of what is run now and then. */
export const COLD = "cold.br";

/** @param {string} text */
export function compressed(text) {
  // For these, the better one of two ways to spell distances saves 1 100 bytes over the mode for text.
  const [short, other] = [2, 16].map((direct) =>
    brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_NPOSTFIX]: 1,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
        // A window a little larger than the text: 128 kB for one bundle, a megabyte for many.
        [constants.BROTLI_PARAM_LGWIN]: text.length > 300_000 ? 20 : 17,
      },
    }),
  );
  return short.length <= other.length ? short : other;
}

/** @param {ReadonlyMap<string, string>} texts */
export function together(texts) {
  const lengths = Object.fromEntries([...texts].map(([name, text]) => [name, text.length]));
  return compressed(`${JSON.stringify(lengths)}\n${[...texts.values()].join("")}`);
}

/** A bundle's text, however it lies in the folder. */
export function bundleText(folder, name) {
  const path = join(folder, name);
  if (existsSync(path)) return readFileSync(path, "utf8");
  if (existsSync(`${path}.br`)) return brotliDecompressSync(readFileSync(`${path}.br`)).toString();
  const text = bundlesTogether(folder).get(name);
  if (text === undefined) throw new Error(`${path} is not there.`);
  return text;
}

/** The names of all bundles. */
export function bundleNames(folder) {
  const alone = readdirSync(folder).flatMap((name) => /^(.*\.cjs)(?:\.br)?$/.exec(name)?.[1] ?? []);
  return [...alone, ...bundlesTogether(folder).keys()].sort();
}

function bundlesTogether(folder) {
  const texts = new Map();
  for (const name of [WARM, COLD].filter((name) => existsSync(join(folder, name)))) {
    const all = brotliDecompressSync(readFileSync(join(folder, name))).toString();
    let at = all.indexOf("\n") + 1;
    for (const [name, length] of Object.entries(JSON.parse(all.slice(0, at)))) {
      texts.set(name, all.slice(at, at + length));
      at += length;
    }
  }
  return texts;
}
