import { parseContextFile } from "./parse.ts";

/**
 * Whether a text may be meant as a context file: outside of its code it has a title, a field or a section of one, or it is
 * nothing at all. Of others, such as a README that a pattern of the shell named too, a fix would make one.
 */
export function hasContextSigns(text: string): boolean {
  if (text.trim() === "") return true;
  const { outline, sections } = parseContextFile(text);
  return sections.some(({ kind }) => kind !== "other") || outline.prose.some((line) => SIGN.test(line.text));
}

const CONTEXT = "(?:session|[ \\t][—–-])[ _-]?context";

/** A heading or a whole line that is a title, not a sentence which speaks of a session's context; or a field. */
const SIGN = new RegExp(
  `^ {0,3}#.*${CONTEXT}|${CONTEXT}(?:[ \\t]\\w{1,10})?[*_]{0,3}[ \\t]*$|^ {0,3}[*_]{0,3}(?:updated|roles?|panes?)\\b.{0,3}:`,
  "i",
);
