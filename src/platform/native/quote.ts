import { countCharacters as byTypeScript } from "../../base/quote.ts";
import "./host.ts";

export { firstCharacters, quote } from "../../base/quote.ts";

/** In place of `src/base/quote.ts`: see `quick-texts.c`. */
export const countCharacters: typeof byTypeScript = (text) => host.quick?.countCharacters(text) ?? byTypeScript(text);
