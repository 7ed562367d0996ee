/** 1-based line, 1-based column in UTF-16 units: what editors and compilers print. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Half-open range of UTF-16 offsets into the text as it was given, BOM included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

// A class, since a large file has many: its span is made only where it is asked for.

/** A line of a text. */
export class SourceLine {
  /** 1-based. */
  readonly number: number;
  /** Without its line ending and, on line 1, without the BOM. */
  readonly text: string;
  /** Offset of its first character. */
  readonly start: number;
  /** The line ending as it stands: `\n`, `\r\n`, `\r`, or empty on a last line without one. */
  readonly ending: string;

  constructor(number: number, text: string, start: number, ending: string) {
    this.number = number;
    this.text = text;
    this.start = start;
    this.ending = ending;
  }

  get span(): Span {
    return { start: this.start, end: this.start + this.text.length };
  }

  /** The same place with other characters, as many as before. */
  withText(text: string): SourceLine {
    return new SourceLine(this.number, text, this.start, this.ending);
  }
}

/** A text with its lines, so that every offset has a place and every place can be shown. */
export interface SourceText {
  readonly text: string;
  readonly lines: readonly SourceLine[];
  /** The newline style of the first line that has one; `\n` where none has. */
  readonly newline: string;
}

/** Finds the lines of a text: they end in LF, CRLF or a lone CR, and a BOM belongs to none. */
export function sourceText(text: string): SourceText {
  const lines: SourceLine[] = [];
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  let feed = text.indexOf("\n", start);
  let carriage = text.indexOf("\r", start);
  while (feed !== -1 || carriage !== -1) {
    const end = carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage;
    const ending = end === feed ? "\n" : feed === end + 1 ? "\r\n" : "\r";
    lines.push(new SourceLine(lines.length + 1, text.slice(start, end), start, ending));
    start = end + ending.length;
    // Searched on only once it is passed: the search for the rarer of the two must not begin anew with each line.
    if (feed !== -1 && feed < start) feed = text.indexOf("\n", start);
    if (carriage !== -1 && carriage < start) carriage = text.indexOf("\r", start);
  }
  if (start < text.length) lines.push(new SourceLine(lines.length + 1, text.slice(start), start, ""));
  return { text, lines, newline: lines.find((line) => line.ending !== "")?.ending ?? "\n" };
}

/** The place of an offset; an offset past the end is the place after the last character. */
export function positionAt(source: SourceText, offset: number): Position {
  let low = 0;
  let high = source.lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((source.lines[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const line = source.lines[low];
  if (line === undefined) return { line: 1, column: 1 };
  const { end } = line.span;
  if (line.ending !== "" && offset >= end + line.ending.length) return { line: line.number + 1, column: 1 };
  return { line: line.number, column: Math.max(0, Math.min(offset, end) - line.start) + 1 };
}
