import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { bundleTexts } from "../../scripts/packed-bundles.mjs";

/** What stands before a bundle's text where the code cache compiles it (src/platform/code-cache.ts). */
const WRAPPER = "(function (exports, require, module, __filename, __dirname) {".length;

/** The lines of each source file, by its path below `tree`, that some process ran. */
export function linesOfProcesses(raw, tree) {
  const bundles = join(tree, "dist", "bundle");
  const texts = bundleTexts(bundles);
  const ran = new Map();
  for (const name of readdirSync(raw).filter((found) => found.endsWith(".json"))) {
    for (const [key, idle] of Object.entries(JSON.parse(readFileSync(join(raw, name), "utf8")))) {
      const [file, wrapped] = key.split(" ");
      const shift = wrapped === undefined ? 0 : WRAPPER;
      const length = ran.get(file)?.length ?? texts.get(file).length;
      const now = new Uint8Array(length).fill(1);
      for (const [start, end] of idle) now.fill(0, Math.max(0, start - shift), Math.max(0, end - shift));
      const all = ran.get(file) ?? new Uint8Array(length);
      for (let at = 0; at < length; at += 1) all[at] |= now[at];
      ran.set(file, all);
    }
  }
  const lines = new Map();
  for (const [file, covered] of ran) addLines(lines, join(bundles, file), texts.get(file), covered, tree);
  return lines;
}

function addLines(lines, path, text, covered, tree) {
  if (!existsSync(`${path}.map`)) return;
  const map = new TraceMap(readFileSync(`${path}.map`, "utf8"));
  let start = 0;
  for (const [number, line] of text.split("\n").entries()) {
    for (let column = 0; column < line.length; column += 1) {
      if (covered[start + column] !== 1 || line[column] === " ") continue;
      const place = originalPositionFor(map, { line: number + 1, column });
      if (place.source === null || place.line === null) continue;
      const source = relative(tree, resolve(dirname(path), place.source));
      const known = lines.get(source) ?? new Set();
      lines.set(source, known.add(place.line));
    }
    start += line.length + 1;
  }
}
