/** What the client's screen says of the line that it takes input on. */
export type InputLine =
  /** None is to be seen: a dialog is open, another program draws, or it is another client. */
  | { readonly kind: "none" }
  | { readonly kind: "empty" }
  /** The text on it, its rows joined, without blanks. */
  | { readonly kind: "text"; readonly text: string };

export interface Screen {
  readonly input: InputLine;
  /** All that stands above the end of the input line: it moves for as long as a turn runs. */
  readonly above: string;
}

/** The line above and below the input; a session's name may stand in it. */
const RULE = /^[╭╰]?─{8}/;
const PROMPT = /^(?:│ ?)?[❯>](?=\s|$)/;

/**
 * Reads a screen with its escape sequences. The client's input is the last row that begins with its prompt below a rule,
 * up to the next rule; rows of a dialog begin with the same prompt and stand below no rule. A hint in a pale colour, which
 * the client shows while nothing is typed, is no text.
 */
export function readScreen(capture: string): Screen {
  const rows = cellRows(capture);
  const plain = rows.map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
  const first = plain.findLastIndex((row) => PROMPT.test(row.trimStart()));
  const isBelowRule = RULE.test((plain[first - 1] ?? "").trimStart());
  const length = first === -1 ? -1 : plain.slice(first + 1).findIndex((row) => RULE.test(row.trimStart()));
  if (!isBelowRule || length === -1) return { input: { kind: "none" }, above: plain.join("\n") };
  const end = first + 1 + length;
  const typed = rows
    .slice(first, end)
    .map((row, index) => typedText(row, index === 0))
    .join("");
  return {
    input: typed === "" ? { kind: "empty" } : { kind: "text", text: typed },
    above: plain.slice(0, end + 1).join("\n"),
  };
}

/** As the text of an input line is told: without blanks, which a row's end swallows. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}

interface Cell {
  readonly text: string;
  /** Drawn so that it recedes: faint, or in a grey. */
  readonly isPale: boolean;
  /** The cursor, which the client draws itself. */
  readonly isReverse: boolean;
}

function typedText(row: readonly Cell[], isFirst: boolean): string {
  const cells = row.filter(({ text }) => text.trim() !== "" && text !== "│");
  const own = isFirst ? cells.slice(1) : cells;
  // Of a hint the cursor hides the first letter's colour.
  const isHint = own.some(({ isPale }) => isPale) && own.every(({ isPale, isReverse }) => isPale || isReverse);
  return isHint ? "" : own.map(({ text }) => text).join("");
}

/** Colour sequences, the other escape sequences that a capture holds, or one character. */
const PIECE =
  /\u001b\[([0-9;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b.|[^\u001b]/gsu;

function cellRows(capture: string): readonly (readonly Cell[])[] {
  const rows: Cell[][] = [[]];
  let style: Style = PLAIN;
  for (const [piece, colours] of capture.matchAll(PIECE)) {
    if (colours !== undefined) style = restyled(style, colours);
    else if (piece === "\n") rows.push([]);
    else if (!piece.startsWith("\u001b"))
      rows.at(-1)?.push({ text: piece, isPale: style.faint || style.grey, isReverse: style.reverse });
  }
  return rows;
}

interface Style {
  readonly faint: boolean;
  readonly grey: boolean;
  readonly reverse: boolean;
}

const PLAIN: Style = { faint: false, grey: false, reverse: false };

function restyled(style: Style, colours: string): Style {
  const codes = colours.split(/[;:]/).map(Number);
  let next = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) next = PLAIN;
    else if (code === 2) next = { ...next, faint: true };
    else if (code === 22) next = { ...next, faint: false };
    else if (code === 7) next = { ...next, reverse: true };
    else if (code === 27) next = { ...next, reverse: false };
    else if (code === 90) next = { ...next, grey: true };
    else if ((code >= 30 && code <= 37) || code === 39 || (code >= 91 && code <= 97)) next = { ...next, grey: false };
    else if (code === 38 || code === 48) {
      const isIndexed = codes[at + 1] === 5;
      if (code === 38) next = { ...next, grey: isGrey(codes.slice(at + 1)) };
      at += isIndexed ? 2 : 4;
    }
  }
  return next;
}

/** 232 to 250 of the 256 colours, or three equal parts that are neither black nor white. */
function isGrey([kind, a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (kind === 5) return a === 8 || (a >= 236 && a <= 250);
  return kind === 2 && Math.max(a, b, c) - Math.min(a, b, c) < 8 && a > 40 && a < 200;
}
