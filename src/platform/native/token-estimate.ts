import { pairCosts } from "../../base/token-estimate.ts";
import "./host.ts";

const PAIRS = pairCosts();

/** In place of `src/base/token-estimate.ts`: see `token-estimate.h`. */
export const estimateTokens: typeof import("../../base/token-estimate.ts").estimateTokens = (text) =>
  host.estimateTokens(text, PAIRS);
