import { parseContextFile } from "./parse.ts";

/**
 * Whether a text may be meant as a context file: outside of its code it has the title of one or two of the fields and sections,
 * or it is nothing at all. Of others, such as a README that a pattern of the shell named too, a fix would make one; one field
 * or section alone, `**Roles**:` or `## Pending`, stands in many a text.
 */
export function hasContextSigns(text: string): boolean {
  if (text.trim() === "") return true;
  const { outline, sections } = parseContextFile(text);
  const [title] = outline.headings;
  const first = outline.prose.find((line) => line.text.trim() !== "");
  if ([title?.line, first].some((line) => TITLE.test(line?.text ?? ""))) return true;
  const fields = outline.prose.flatMap((line) => FIELD.exec(line.text)?.[1]?.toLowerCase() ?? []);
  const kinds = sections.flatMap(({ kind }) => (kind === "other" ? [] : [kind]));
  return new Set([...fields, ...kinds]).size >= 2;
}

/**
 * A heading or a whole line that is a title, not a list's item, nor a sentence which speaks of a session's context: where it is
 * the first heading or the first line, since a chapter further down may well be on that.
 */
const TITLE =
  /^ {0,3}(?:#.*(?:session|[ \t][—–-])[ _-]?context|(?![-+*>|][ \t]|\d+[.)])(?:\S+[ \t]+){0,3}(?:\S*session|[—–-])[ _-]?context(?:[ \t]\w{1,10})?[*_]{0,3}[ \t]*$)/i;
const FIELD = /^ {0,3}[*_]{0,3}(updated|role|pane)s?(?:_{1,3}(?=\W)|\b).{0,3}:/i;
