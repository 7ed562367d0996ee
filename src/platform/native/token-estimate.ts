import { PAIRS } from "../../base/token-estimate.ts";
import "./host.ts";

/** In place of `src/base/token-estimate.ts`: see `token-estimate.h`. */
export const estimateTokens: typeof import("../../base/token-estimate.ts").estimateTokens = (text) =>
  host.estimateTokens(text, PAIRS);
