import { type Heading, outline } from "../base/markdown.ts";
import { type SourceLine, type Span, sourceText } from "../base/source-text.ts";
import type { TextEdit } from "../base/text-edit.ts";
import type { ParsedContextFile } from "./parse.ts";

/** The place of a finding about the file as a whole: the first character's. */
export function fileStart(file: ParsedContextFile): Span {
  const start = file.source.lines[0]?.span.start ?? file.source.text.length;
  return { start, end: start };
}

/** Whether the file holds nothing but blanks. */
export function isBlankFile(file: ParsedContextFile): boolean {
  return file.source.lines.every((line) => line.text.trim() === "");
}

/**
 * Whether lines may be added to the file. Not to an empty one: it may be a file that is being written. Not to one that
 * starts with a fence or with front matter: what is added would stand outside what was meant.
 */
export function mayGrow(file: ParsedContextFile): boolean {
  const [first] = file.source.lines;
  return first !== undefined && !isBlankFile(file) && !/^ {0,3}(?:```|~~~)|^---[ \t]*$/.test(first.text.slice(0, 40));
}

/** Whether a line of the outline holds no part of a comment, so that what stands before and after it is text too. */
export function isPlain(file: ParsedContextFile, line: SourceLine): boolean {
  return file.source.lines[line.number - 1] === line;
}

/** Removes a whole line, its ending included. */
export function removal(line: SourceLine): TextEdit {
  return { span: { start: line.span.start, end: line.span.end + line.ending.length }, text: "" };
}

/** Edits that put hashes before a line in place of the row of `=` or `-` below it, which makes a heading that the schema does not read. */
export function underlineRemoved(file: ParsedContextFile, line: SourceLine, heading: string): TextEdit[] | null {
  const row = file.source.lines[line.number];
  // With text right above, the line is the end of a paragraph, and the row may be a rule.
  const isRow = /^(?:=+|-+)\s*$/.test(row?.text ?? "") && !file.source.lines[line.number - 2]?.text.trim();
  return row && isRow ? [{ span: line.span, text: heading }, removal(row)] : null;
}

/** Adds lines as a block of their own before a heading or, for null, at the end; null where that is not text. */
export function blockInsertion(
  file: ParsedContextFile,
  block: readonly string[],
  before: Heading | null,
): TextEdit | null {
  const { newline } = file.source;
  if (before === null) {
    if (!endsAsText(file)) return null;
    const last = file.source.lines.at(-1);
    const gap = (last?.ending === "" ? newline : "") + (last?.text.trim() === "" ? "" : newline);
    return insertion(file.source.text.length, gap + block.join(newline) + newline);
  }
  if (!isPlain(file, before.line)) return null;
  const above = file.source.lines[before.line.number - 2];
  const gap = above === undefined || above.text.trim() === "" ? "" : newline;
  return insertion(before.line.span.start, gap + block.join(newline) + newline + newline);
}

/** Adds lines right below a line that is text. */
export function lineInsertionAfter(file: ParsedContextFile, line: SourceLine, added: string): TextEdit {
  const { newline } = file.source;
  if (line.ending === "") return insertion(line.span.end, newline + added);
  const below = file.source.lines[line.number];
  const gap = below === undefined || below.text.trim() === "" ? "" : newline;
  return insertion(line.span.end + line.ending.length, added + newline + gap);
}

/** Adds metadata below the title and its blank line, or at the top where there is no title; null where that is not text. */
export function metadataInsertion(file: ParsedContextFile, added: string): TextEdit | null {
  const { lines, newline } = file.source;
  const title = file.title;
  const [first, second] = lines;
  if (first === undefined || title?.level !== 1) return insertion(fileStart(file).start, added + newline);
  if (!isPlain(file, title.line)) return null;
  if (first.ending === "") return insertion(first.span.end, newline + newline + added);
  const above = second !== undefined && second.text.trim() === "" && second.ending !== "" ? second : first;
  const below = lines[above.number];
  const joins = below === undefined || below.text.trim() === "" || below.text.startsWith("**");
  return insertion(above.span.end + above.ending.length, added + newline + (joins ? "" : newline));
}

function insertion(at: number, text: string): TextEdit {
  return { span: { start: at, end: at }, text };
}

/** Whether a heading added at the end would count: not inside a fence or a comment that is left open. */
function endsAsText(file: ParsedContextFile): boolean {
  const longer = outline(sourceText(`${file.source.text}\n\n## x`));
  return longer.headings.length > file.outline.headings.length;
}
