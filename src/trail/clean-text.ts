import { COLOUR, redact } from "../transcript/redact.ts";
import { cut } from "./cut.ts";

/** A text of the transcript without secrets and colours, cut to `limit` UTF-16 units. */
export type Clean = (text: string, limit: number) => string;

export interface Cleaner {
  readonly clean: Clean;
  /** The same in one line. */
  readonly cleanLine: Clean;
}

/**
 * Secrets are taken out before anything is cut or put into one line: half a secret, or one whose lines are gone, would no
 * longer be known for one.
 */
export function cleaner(extra: readonly RegExp[]): Cleaner {
  return {
    clean: (text, limit) => cut(withoutSecrets(text, extra), limit),
    cleanLine: (text, limit) => cut(oneLine(withoutSecrets(text, extra)), limit),
  };
}

function withoutSecrets(text: string, extra: readonly RegExp[]): string {
  const plain = text.includes("\u001b") ? text.replace(COLOUR, "") : text;
  return redact(whatIsLookedAt(plain), extra).replace(LONE_SURROGATE, "\uFFFD").trim();
}

// A megabyte takes about 5 ms to redact; what a person or a tool says that matters stands well before this.
const LOOKED_AT = 65_536;
const LONGEST_WORD = 4_096;

/** The start of a long text, up to a blank, so that no secret is taken apart at its end. */
function whatIsLookedAt(text: string): string {
  if (text.length <= LOOKED_AT) return text;
  let end = LOOKED_AT;
  while (end > LOOKED_AT - LONGEST_WORD && !/\s/.test(text.charAt(end))) end -= 1;
  return text.slice(0, end);
}

/** Blanks and newlines as one blank each. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A text in one short line; of a command, what was run: where would leave no room for it. */
export function brief(text: string): string {
  return cut(oneLine(text).replace(/^cd [^&|;]{1,300} && /, ""), SHORT);
}

const SHORT = 80;

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
