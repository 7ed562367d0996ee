import * as os from "node:os";

/**
 * An esbuild plugin: `node:os` is loaded where one of its functions is called, since loading it takes a hundredth of a
 * start, and most runs of what holds it call none.
 */
export const lazyOs = {
  name: "lazy-os",
  setup(builder) {
    builder.onResolve({ filter: /^node:os$/ }, ({ path, namespace }) =>
      namespace === "lazy-os" ? { path, external: true } : { path, namespace: "lazy-os", sideEffects: false },
    );
    builder.onLoad({ filter: /./, namespace: "lazy-os" }, () => {
      const functions = Object.entries(os).filter(([name, value]) => typeof value === "function" && name !== "default");
      const exported = functions.map(([name]) => `export const ${name} = (...a) => require("node:os").${name}(...a);`);
      return { contents: exported.join("\n") };
    });
  },
};
