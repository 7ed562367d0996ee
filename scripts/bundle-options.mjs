import { readFileSync } from "node:fs";
import { join } from "node:path";

/** How esbuild makes a CommonJS bundle of the sources, for Node. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  // For every source alike: one that a plugin finds has no tsconfig.json, and which way to it is the first is chance.
  tsconfigRaw: { compilerOptions: { strict: true, verbatimModuleSyntax: true } },
  // import() of a CommonJS bundle gives its exports as they are.
  supported: { "dynamic-import": false },
  minify: true,
  charset: "ascii",
  legalComments: "none",
  // A peer, which whoever wants a store installs.
  external: ["ioredis"],
  metafile: true,
  logLevel: "warning",
};

/** Of package.json a bundle holds the version alone, which is all that is read of it: nothing else in it makes another bundle. */
export function holdVersionAlone(builder, root) {
  builder.onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
    if (path !== join(root, "package.json")) return undefined;
    const { version } = JSON.parse(readFileSync(path, "utf8"));
    return { contents: JSON.stringify({ version }), loader: "json" };
  });
}
