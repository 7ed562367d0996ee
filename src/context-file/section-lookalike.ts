import type { Heading } from "../base/markdown.ts";
import type { TextEdit } from "../base/text-edit.ts";
import type { ParsedContextFile } from "./parse.ts";
import { isPlain } from "./places.ts";
import type { SectionForm } from "./sections.ts";
import { readTitle } from "./title-form.ts";

/** A heading that was meant to be a section of the schema and is not, by its name or its level. */
export interface SectionLookalike {
  readonly heading: Heading;
  /** The heading as it should be, hashes included. */
  readonly wanted: string;
  /** Null where the change would move other headings to another section. */
  readonly fix: readonly TextEdit[] | null;
}

// Enough for every name and what hangs on it: titles are a stranger's.
const LONGEST = 120;
// Real files have a dozen headings.
const MOST_HEADINGS = 500;

/** The first heading that was meant as the section, for a file that does not have it. */
export function findLookalike(file: ParsedContextFile, form: SectionForm): SectionLookalike | null {
  for (const heading of file.outline.headings.slice(0, MOST_HEADINGS)) {
    const isTitle = heading === file.title && heading.level === 1;
    if (isTitle && readTitle(heading.title) !== null) continue;
    const title = meantAs(heading.title, form);
    if (title === null) continue;
    const movable = heading.level <= 2 && !isTitle && isPlain(file, heading.line);
    const start = heading.titleSpan.start;
    const hashes = heading.line.span.start + heading.line.text.indexOf("#");
    const span = { start: heading.level === 2 ? start : hashes, end: heading.titleSpan.end };
    const text = heading.level === 2 ? title : `## ${title}`;
    return { heading, wanted: `## ${title}`, fix: movable ? [{ span, text }] : null };
  }
  return null;
}

/** The title with the section's name in place of the old one; what stood behind the name stays. */
function meantAs(title: string, form: SectionForm): string | null {
  const head = title.slice(0, LONGEST);
  const ornament = ornamentOf(head);
  const name = nameLength(head.slice(ornament.length), form);
  if (name === null) return null;
  // What opens an emphasis goes, and so does what closes it, be it words further on: `**Pending Tasks**`.
  const marks = /[*_`~]+/.exec(ornament)?.[0] ?? "";
  const rest = title.slice(ornament.length + name).replace(marks, "");
  return form.name + (/^[\s:*_]{0,3}$/.test(rest) ? "" : rest);
}

/** A number, an emoji or emphasis marks before the name. Bounded, as everything here. */
function ornamentOf(title: string): string {
  const ornament =
    /^(?:\d{1,2}[.)][ \t]{1,3})?(?:(?:[\p{S}*_]|\p{Emoji_Presentation}|\uFE0F|\u200D){1,8}[ \t]{0,3}){0,2}/u;
  return ornament.exec(title)?.[0] ?? "";
}

function nameLength(title: string, form: SectionForm): number | null {
  return patternOf(form).exec(title)?.[0].length ?? null;
}

/** The canonical name in any letters, or an old name with nothing behind it but a parenthesis, a colon or a dash. */
function patternOf({ name, oldNames }: SectionForm): RegExp {
  const known = PATTERNS.get(name);
  if (known !== undefined) return known;
  const spaced = (words: string) => words.replaceAll(" ", "[ \\t_-]{1,3}");
  // "Recovery of the disk" is another matter, and so is "Todo-App".
  const old = `(?:${oldNames.map(spaced).join("|")})(?![-.'’_/][\\p{L}\\p{N}])(?=[ \\t]{0,3}(?:$|[^\\p{L}\\p{N} \\t]))`;
  const pattern = new RegExp(`^(?:${spaced(name)}(?![\\p{L}\\p{N}])|${old})`, "iu");
  PATTERNS.set(name, pattern);
  return pattern;
}

const PATTERNS = new Map<string, RegExp>();
