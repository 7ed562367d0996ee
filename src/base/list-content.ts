const TAB_STOP = 4;
const LONGEST_ORDINAL = 9;

/** Columns of blanks before the first other character; a tab reaches to the next multiple of four. */
export function indentOf(text: string): number {
  return columnAfterBlanks(text, 0, 0).column;
}

/**
 * Where the content of a list item on this line begins, as an offset and as a column; null where the line begins no item.
 * Lines that are indented to that column belong to the item.
 */
export function listContent(text: string): { readonly at: number; readonly column: number } | null {
  const start = columnAfterBlanks(text, 0, 0);
  const marker = markerLength(text, start.at);
  if (marker === 0) return null;
  const end = { at: start.at + marker, column: start.column + marker };
  const content = columnAfterBlanks(text, end.at, end.column);
  if (content.at === text.length) return { at: text.length, column: end.column + 1 };
  if (content.at === end.at) return null;
  // More than four blanks: the content is indented code, and begins after the first.
  return content.column - end.column > TAB_STOP ? { at: content.at, column: end.column + 1 } : content;
}

function columnAfterBlanks(text: string, from: number, fromColumn: number): { at: number; column: number } {
  let at = from;
  let column = fromColumn;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 32) column += 1;
    else if (unit === 9) column += TAB_STOP - (column % TAB_STOP);
    else break;
  }
  return { at, column };
}

/** `-`, `*`, `+`, `7.` or `7)`. */
function markerLength(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === "-" || character === "*" || character === "+") return 1;
  let end = at;
  while (end - at < LONGEST_ORDINAL && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1;
  return end > at && (text[end] === "." || text[end] === ")") ? end + 1 - at : 0;
}
