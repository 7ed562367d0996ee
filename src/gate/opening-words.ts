/** A person's wish is a sentence, not a document that was pasted behind it. */
const LOOKED_AT = 4000;

const WISH =
  /\b(?:(?:skip|open|ignore|bypass)\s{1,8}(?:(?:the|this|that|reading|context)\s{1,8}){0,3}gate|gate\s{1,8}--skip)\b/gi;
const NEGATION = /(?:\b(?:not|never|without)|n['\u2019]t)\s{1,8}(?:to\s{1,8})?$/i;

/** Whether a prompt by a person opens the gate: "skip the gate", "open the gate", "gate --skip"; "do not skip the gate" does not. */
export function asksToSkip(prompt: string): boolean {
  const text = prompt.slice(0, LOOKED_AT);
  for (const match of text.matchAll(WISH)) {
    if (!NEGATION.test(text.slice(Math.max(0, match.index - 24), match.index))) return true;
  }
  return false;
}
