import { attributePairs as pairsByTypeScript } from "../../session-start/attribute-pairs.ts";
import "./host.ts";

/** In place of the one in `src/session-start/attribute-pairs.ts`: see `quick-texts.c`. */
export const attributePairs: typeof pairsByTypeScript = (attributes) =>
  host.quick?.attributePairs(attributes) ?? pairsByTypeScript(attributes);
