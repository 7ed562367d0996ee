/**
 * Text from a file or a payload, safe to print on a terminal and in a log: C0 and C1 controls, DEL, line separators and
 * the bidirectional controls of Unicode become `\u{…}`; a tab stays. A file must not be able to move the cursor, change
 * the window's title or reorder what a person reads.
 */
export function printable(text: string): string {
  return UNSAFE.test(text) ? text.replace(UNSAFE_ALL, escapeCharacter) : text;
}

/** As `printable`, and on one line whatever the text holds. */
export function printableLine(text: string): string {
  return printable(text.replace(/\t/g, " "));
}

/** As `printable` for a text of many lines: newlines stay newlines. */
export function printableBlock(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join("\n");
}

const CLASS =
  "[\\u0000-\\u0008\\u000A-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069\\uFEFF]|[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]";
const UNSAFE = new RegExp(CLASS);
const UNSAFE_ALL = new RegExp(CLASS, "g");

function escapeCharacter(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}
