import { fenceReader } from "./fence.ts";
import type { SourceLine, SourceText, Span } from "./source-text.ts";

export interface Heading {
  readonly level: number;
  /** Without the hashes, closing hashes and outer blanks. */
  readonly title: string;
  readonly line: SourceLine;
  /** The title's characters. */
  readonly titleSpan: Span;
}

export interface ListItem {
  /** `1` for `1.`; null for a bullet. */
  readonly ordinal: number | null;
  /** True for `[x]` and `[X]`, false for `[ ]`, null without a box. */
  readonly checked: boolean | null;
  readonly text: string;
  /** Columns of blanks before the marker. */
  readonly indent: number;
  readonly line: SourceLine;
}

/** What a Markdown text holds outside fenced code and HTML comments. */
export interface Outline {
  readonly headings: readonly Heading[];
  /** Lines outside fences and comments; a line that is partly a comment appears with the comment blanked out. */
  readonly prose: readonly SourceLine[];
}

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
// `* * *` is a rule. The s flag: without it a U+2028 on the line fails the match, after every split of the blanks was tried.
const ITEM = /^([ \t]*)(?!(?:[-*][ \t]*){3,}$)(?:[-*+]|(\d{1,9})[.)])(?:[ \t]+(.*))?$/s;
const BOX = /^\[([ xX])\](?:[ \t]+(.*))?$/s;

const ITEM_LEADS: ReadonlySet<string> = new Set("-*+0123456789");

/** The first character that is no blank: it says which pattern is worth a try. */
function leadOf(text: string): string {
  let at = 0;
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at += 1;
  return text.charAt(at);
}

/** One reading of headings and list items for every file of ours: what is quoted in a fence or a comment does not count. */
export function outline(source: SourceText): Outline {
  const headings: Heading[] = [];
  const prose: SourceLine[] = [];
  const placeOf = fenceReader();
  let comment: OpenComment = null;
  for (const original of source.lines) {
    const { text } = original;
    const lead = leadOf(text);
    const place = comment === null ? placeOf(text, lead) : "outside";
    if (place === "fenced") continue;
    let line = original;
    let mark = lead;
    // What follows the marker of such an item is no comment: it is the name of the code's language.
    if (comment !== null || (place === "outside" && text.includes("<!--"))) {
      const masked = maskComments(text, comment, () => closesBelow(source.lines, original));
      comment = masked.open;
      if (masked.text !== text) {
        if (masked.text.trim() === "") continue;
        line = original.withText(masked.text);
        mark = leadOf(masked.text);
      }
    }
    prose.push(line);
    const heading = mark === "#" ? headingOf(line) : null;
    if (heading !== null) headings.push(heading);
  }
  return { headings, prose };
}

/** The list items of some lines, in their order. */
export function itemsOf(prose: readonly SourceLine[]): readonly ListItem[] {
  const items: ListItem[] = [];
  for (const line of prose) {
    const item = ITEM_LEADS.has(leadOf(line.text)) ? itemOf(line) : null;
    if (item !== null) items.push(item);
  }
  return items;
}

/** The text without its comments, each character where it was: the middle of one looks like any line below an item. */
export function withoutComments({ text, lines }: SourceText, { prose }: Outline): string {
  if (!text.includes("<!--")) return text;
  const kept = new Map(prose.map((line) => [line.number, line.text]));
  const shown = lines.map((line) => (kept.get(line.number) ?? "").padEnd(line.text.length) + line.ending);
  return text.slice(0, lines[0]?.start) + shown.join("");
}

/** What an item says in the lines below it: `end` is where its first line ends in the text. */
export function restOfItem(text: string, end: number): string {
  GOES_ON.lastIndex = end;
  return GOES_ON.exec(text)?.[0].replace(/\r?\n[ \t]*/g, " ") ?? "";
}

/** Lines as far in as a bullet's text at least, that are no items, headings, quotes, tables, code or comments. */
const GOES_ON = /(?:\r?\n(?: {2}|\t)[ \t]*(?=[^\s#>|=*+0-9[\]<-])(?!```|~~~|.*-->).*)*/y;

/** Whether a comment that is open at a line's end is closed below, in the same paragraph and before another one begins. */
function closesBelow(lines: readonly SourceLine[], { number }: SourceLine): boolean {
  for (let at = number; at < lines.length; at++) {
    const mark = CLOSE_OR_END.exec(lines[at]?.text ?? "")?.[0];
    if (mark !== undefined) return mark === "-->";
  }
  return false;
}

/** A comment's marks, and what ends a paragraph: a blank line, or a fence. */
const CLOSE_OR_END = /^[ \t]*(?:$|```|~~~)|<!--|-->/;

/** What is open at a line's end: a comment that needs no end (`block`), one that has its end below, or none. */
type OpenComment = "block" | "inline" | null;

/**
 * Blanks out `<!-- … -->`, keeping every column where it was. Comment marks in a code span or behind a backslash are text,
 * and so is one behind text that nothing closes before its paragraph ends; `closes` says whether something does. One that
 * begins its line, or a list's item, needs no end: a browser shows nothing of what follows. Nor does a further one in the line
 * where such a one ends.
 */
function maskComments(text: string, open: OpenComment, closes: () => boolean): { text: string; open: OpenComment } {
  const spans = codeSpans(text);
  let result = "";
  let at = 0;
  let inside = open !== null;
  let begins = open === "block";
  while (at < text.length) {
    if (inside) {
      const end = text.indexOf("-->", at);
      const stop = end === -1 ? text.length : end + 3;
      result += " ".repeat(stop - at);
      at = stop;
      inside = end === -1;
      continue;
    }
    const start = commentStart(text, at, spans);
    if (start === -1) break;
    // Looked for once: a million blanks may stand before it.
    begins ||= at === 0 && /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*$/.test(text.slice(0, start));
    if (!begins && text.indexOf("-->", start) === -1 && !closes()) break;
    result += text.slice(at, start);
    at = start;
    inside = true;
  }
  return { text: result + text.slice(at), open: inside ? (begins ? "block" : "inline") : null };
}

function commentStart(text: string, from: number, spans: ReadonlyMap<number, number>): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 96) at = (spans.get(at) ?? at + 1) - 1;
    else if (unit === 92) at += 1;
    else if (unit === 60 && text.startsWith("<!--", at)) return at;
  }
  return -1;
}

/** For each run of backticks, by its offset: where the code span that it opens ends or, where none does, the run. */
function codeSpans(text: string): ReadonlyMap<number, number> {
  const spans = new Map<number, number>();
  const closings = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const end = index + run.length;
    spans.set(index, closings.get(run.length) ?? end);
    closings.set(run.length, end);
  }
  return spans;
}

function headingOf(line: SourceLine): Heading | null {
  const match = HEADING.exec(line.text);
  if (match?.[1] === undefined) return null;
  const rest = line.text.slice(match[0].length);
  const title = withoutClosingHashes(rest.trim());
  const offset = match[0].length + (rest.length - rest.trimStart().length);
  const start = line.span.start + (title === "" ? match[0].length : offset);
  return { level: match[1].length, title, line, titleSpan: { start, end: start + title.length } };
}

/** `Title ##` is `Title`; `C#` stays `C#`. */
function withoutClosingHashes(title: string): string {
  let end = title.length;
  while (title[end - 1] === "#") end -= 1;
  return end === 0 || title[end - 1] === " " || title[end - 1] === "\t" ? title.slice(0, end).trimEnd() : title;
}

function itemOf(line: SourceLine): ListItem | null {
  const match = ITEM.exec(line.text);
  if (match === null) return null;
  const body = match[3] ?? "";
  const box = BOX.exec(body);
  return {
    ordinal: match[2] === undefined ? null : Number(match[2]),
    checked: box === null ? null : box[1] !== " ",
    text: (box === null ? body : (box[2] ?? "")).trim(),
    indent: (match[1] ?? "").replace(/\t/g, "    ").length,
    line,
  };
}

/** The lines between a heading and the next one of the same or a higher level. */
export function proseUnder(parsed: Outline, heading: Heading): readonly SourceLine[] {
  const end = nextHeading(parsed, heading)?.line.number ?? Number.POSITIVE_INFINITY;
  return parsed.prose.filter((line) => line.number > heading.line.number && line.number < end);
}

/** The heading that ends the section of `heading`, or null where the section runs to the end. */
export function nextHeading(parsed: Outline, heading: Heading): Heading | null {
  return (
    parsed.headings.find((other) => other.line.number > heading.line.number && other.level <= heading.level) ?? null
  );
}
