import * as esbuild from "esbuild";

export * from "esbuild";

/** A build that writes a bundle writes it readable, with its map beside it. */
export function build(options) {
  return esbuild.build(options.outfile === undefined ? options : { ...options, minify: false, sourcemap: "external" });
}
