import { ReadStream } from "node:tty";

/** A terminal's whole screen for as long as a program shows something on it. */
export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Shows these lines in place of what was there, in one write; what is longer than the screen is cut. */
  readonly show: (lines: readonly string[]) => void;
  /** Gives the terminal back as it was. May be called more than once. */
  readonly close: () => void;
}

export interface ScreenOptions {
  /** Writes all of the text before it returns. */
  readonly write: (text: string) => void;
  /** A key was pressed: its characters. */
  readonly onKey: (key: string) => void;
  readonly onResize: () => void;
}

const ENTER = "\u001B[?1049h\u001B[?25l";
const LEAVE = "\u001B[?25h\u001B[?1049l";
const HOME = "\u001B[H";
const TO_LINE_END = "\u001B[K";
const TO_SCREEN_END = "\u001B[J";
/** The terminal shows all of a frame at once, where it knows this; others pass over it. */
const BEGIN_FRAME = "\u001B[?2026h";
const END_FRAME = "\u001B[?2026l";

/** What a terminal that does not say its size is taken to have. */
const USUAL = { columns: 80, rows: 24 };

/** Takes the terminal of standard output, and the keys of standard input where that is one too. */
export function openScreen({ write, onKey, onResize }: ScreenOptions): Screen {
  // Only this one of Node's streams is told of a new size. It is asked for no more than that.
  const output = process.stdout;
  const input = openKeys(onKey);
  output.on("resize", onResize);
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    process.removeListener("exit", close);
    output.removeListener("resize", onResize);
    input?.close();
    write(LEAVE);
  };
  // A fault that nothing catches must not leave a terminal without a cursor.
  process.once("exit", close);
  write(ENTER);
  const size = () => ({ columns: output.columns || USUAL.columns, rows: output.rows || USUAL.rows });
  const show = (lines: readonly string[]): void => {
    if (!open) return;
    const { columns, rows } = size();
    // No newline after the last line: it would scroll the screen.
    const body = lines.slice(0, rows).map((line) => clip(line, columns) + TO_LINE_END);
    write(`${BEGIN_FRAME}${HOME}${body.join("\r\n")}${lines.length < rows ? TO_SCREEN_END : ""}${END_FRAME}`);
  };
  return { size, show, close };
}

function openKeys(onKey: (key: string) => void): { readonly close: () => void } | null {
  let input: ReadStream;
  try {
    input = new ReadStream(0);
  } catch {
    // No terminal: signals are the only way to end it.
    return null;
  }
  input.setRawMode(true);
  input.on("data", (data) => onKey(String(data)));
  input.on("error", () => undefined);
  return {
    close: () => {
      input.setRawMode(false);
      input.destroy();
    },
  };
}

/** The first characters that fit into so many columns, none of them halved. A wide one that may not fit is left out. */
function clip(line: string, columns: number): string {
  let used = 0;
  let text = "";
  for (const character of line) {
    used += /^[\u0000-\u02FF\u2010-\u2027]$/.test(character) ? 1 : 2;
    if (used > columns) return text;
    text += character;
  }
  return text;
}
