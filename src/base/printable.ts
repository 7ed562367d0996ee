/**
 * Text from a file or a payload, safe to print on a terminal and in a log: C0 and C1 controls, DEL, line separators and
 * the bidirectional controls of Unicode become `\u{…}`, and so does what has no width; a tab stays. A file must not be able
 * to move the cursor, change the window's title, reorder what a person reads or hide a text in it.
 */
export function printable(text: string): string {
  // Nearly all texts are plain, and of thousands of them it is felt.
  if (!/[^ -~]/.test(text)) return text;
  return UNSAFE.test(text) ? text.replace(UNSAFE_ALL, escapeCharacter) : text;
}

/** As `printable`, and on one line whatever the text holds. */
export function printableLine(text: string): string {
  return /[^ -~]/.test(text) ? printable(text.replace(/\t/g, " ")) : text;
}

/** As `printable` for a text of many lines: newlines stay newlines. */
export function printableBlock(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join("\n");
}

// Controls, separators and the marks of direction; then what has no width and can carry a text that only a program reads:
// zero-width spaces, invisible operators, interlinear marks, and the tags of U+E0000 with the selectors behind them. A
// joiner stays where it joins, behind a letter or a picture, and a second one behind it does not.
const CLASS = [
  "[\\u0000-\\u0008\\u000A-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB]",
  "(?<![^\\u0000-\\u00FF\\u200B-\\u200D])[\\u200C\\u200D]",
  "\\uDB40[\\uDC00-\\uDFFF]",
  "[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])",
  "(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]",
].join("|");
const UNSAFE = new RegExp(CLASS);
const UNSAFE_ALL = new RegExp(CLASS, "g");

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
