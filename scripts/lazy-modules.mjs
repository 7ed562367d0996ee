import * as crypto from "node:crypto";
import * as os from "node:os";

/** Loading them takes a hundredth of a start and an eighth, and most runs of what holds them call nothing of them. */
const LAZY = { "node:os": os, "node:crypto": crypto };
const namespace = "lazy-module";

/** An esbuild plugin: some of Node's modules are loaded where one of their functions is called. */
export const lazyModules = {
  name: "lazy-modules",
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(?:${Object.keys(LAZY).join("|")})$`) }, (found) =>
      found.namespace === namespace
        ? { path: found.path, external: true }
        : { path: found.path, namespace, sideEffects: false },
    );
    builder.onLoad({ filter: /./, namespace }, ({ path }) => {
      const functions = Object.entries(LAZY[path]).filter(
        ([name, value]) => typeof value === "function" && name !== "default",
      );
      const exported = functions.map(
        ([name]) => `export const ${name} = (...a) => require(${JSON.stringify(path)}).${name}(...a);`,
      );
      return { contents: exported.join("\n") };
    });
  },
};
