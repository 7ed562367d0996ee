import { countCharacters as countByTypeScript, firstCharacters as firstByTypeScript } from "../../base/quote.ts";
import "./host.ts";

export { quote } from "../../base/quote.ts";

/** In place of those in `src/base/quote.ts`: see `quick-texts.c`. */
export const countCharacters: typeof countByTypeScript = (text) =>
  host.quick?.countCharacters(text) ?? countByTypeScript(text);

/** A text of no more units than that has no more characters. */
export const firstCharacters: typeof firstByTypeScript = (text, count) =>
  text.length <= count ? text : firstByTypeScript(text, count);
