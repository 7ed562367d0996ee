// The build as it is, but with source maps, and readable: the places in it are to be told apart.
import { register } from "node:module";

const own = new URL("esbuild-with-maps.mjs", import.meta.url).href;
const hooks = `
export function resolve(specifier, context, next) {
  const isBuild = specifier === "esbuild" && context.parentURL !== ${JSON.stringify(own)};
  return isBuild ? { url: ${JSON.stringify(own)}, shortCircuit: true } : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
