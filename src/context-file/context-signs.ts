import { parseContextFile } from "./parse.ts";

/**
 * Whether a text may be meant as a context file: it has a title, a field or a section of one, or nothing at all. Of others,
 * such as a README that a pattern of the shell named too, a fix would make one.
 */
export function hasContextSigns(text: string): boolean {
  if (text.trim() === "" || SIGN.test(text)) return true;
  return parseContextFile(text).data.sections.some(({ kind }) => kind !== "other");
}

const SIGN = /(?:session|[ \t][—–-])[ _-]?context|^[ \t]*[*_]{0,3}(?:updated|roles?|panes?)\b.{0,3}:/im;
