import type { Config } from "../config/config.ts";
import { compileRedactPatterns } from "../transcript/redact-pattern.ts";

export interface OwnPatterns {
  readonly patterns: readonly RegExp[];
  /** A sentence for each that is refused. */
  readonly notes: readonly string[];
}

/** The patterns of secrets that a person lists under `redact` in `context.yaml`. */
export function ownPatterns(config: Config): OwnPatterns {
  const { patterns, refused } = compileRedactPatterns(config.redact);
  return { patterns, notes: refused.map(({ pattern, message }) => `context.yaml: redact: ${pattern}: ${message}.`) };
}
