// The lifecycle's machine as a table, for bundles: they hold what the library works out with xstate.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The text of a module that stands in for `lifecycle/apply-event.ts`; `work` is a folder for a file in between. */
export async function machineModule(source, work) {
  const outfile = join(work, "compile-machine.mjs");
  await build({
    entryPoints: [join(source, "lifecycle", "compile-machine.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const { compileMachine } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return `import { applyTable } from "./apply-table.ts";
const TABLE = ${JSON.stringify(compileMachine())};
export const applyEvent = (point, event) => applyTable(TABLE, point, event);
`;
}

/** An esbuild plugin that puts the table in. */
export async function compiledMachine(source, work) {
  const contents = await machineModule(source, work);
  return {
    name: "compiled-machine",
    setup(builder) {
      builder.onLoad({ filter: /[\\/]lifecycle[\\/]apply-event\.ts$/ }, () => ({ contents, loader: "ts" }));
    },
  };
}
