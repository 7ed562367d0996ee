/**
 * What the sources use of modules that take a hundredth of a start to load, or an eighth, and most runs call nothing of.
 * Named here, and not asked of the Node that builds: another version would have other functions.
 */
const LAZY = { "node:os": ["hostname", "platform", "tmpdir", "uptime", "userInfo"], "node:crypto": ["createHash"] };
const namespace = "lazy-module";

/** An esbuild plugin: these modules are loaded where one of their functions is called. */
export const lazyModules = {
  name: "lazy-modules",
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^(?:${Object.keys(LAZY).join("|")})$`) }, (found) =>
      found.namespace === namespace
        ? { path: found.path, external: true }
        : { path: found.path, namespace, sideEffects: false },
    );
    builder.onLoad({ filter: /./, namespace }, ({ path }) => {
      const exported = LAZY[path].map(
        (name) => `export const ${name} = (...a) => require(${JSON.stringify(path)}).${name}(...a);`,
      );
      return { contents: exported.join("\n") };
    });
  },
};
