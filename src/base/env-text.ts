import { err, ok, type Result } from "./result.ts";
import { shellQuote } from "./shell-word.ts";

// We parse these lines and never run them: what a shell would expand, split or execute is an error here, not a value.

/** `KEY=value` lines that a POSIX shell can source. */
export type EnvItem =
  | { readonly kind: "pair"; readonly key: string; readonly value: string; readonly written?: Written }
  /**
   * A comment, a blank line, or a statement that belongs to another tool; kept byte for byte. `open` where it never ends:
   * a shell takes all that follows for a part of it.
   */
  | { readonly kind: "other"; readonly raw: string; readonly open?: true };

/** A pair as it stands in a file, so that a rewrite touches the values that change and no other byte. */
interface Written {
  /** Blanks, a word such as `export`, the key and the equals sign. */
  readonly head: string;
  /** The value with its quotes. */
  readonly value: string;
  /** Blanks, a comment, the line ending; without a line ending only at the end of the text. */
  readonly tail: string;
}

export interface EnvError {
  /** 1-based line at which the statement starts. */
  readonly line: number;
  readonly message: string;
}

const ASSIGNMENT = /^[ \t]*(?:(?:export|declare -[A-Za-z]+)[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)=/;
/** Characters of a line in which an equals sign is looked for. */
const LONGEST_HEAD = 320;
const PLAIN_VALUE = /^[A-Za-z0-9_./:+-]*$/;

/**
 * Reads the statements whose key `owns` accepts; every other line is kept as it is, whatever it holds, unless it opens a
 * quote or a parenthesis, which is kept up to where it closes.
 */
export function parseEnv(text: string, owns: (key: string) => boolean): Result<EnvItem[], EnvError> {
  const items: EnvItem[] = [];
  let at = 0;
  let line = 1;
  let unclosed = false;
  while (at < text.length) {
    const assignment = assignmentAt(text, at);
    let end: number;
    if (assignment !== null && owns(assignment.key)) {
      const { key, head } = assignment;
      const start = at + head.length;
      const value = readValue(text, start);
      if (!value.ok) return err({ line, message: `${key}: ${value.error}` });
      const tail = readTail(text, value.value.end);
      if (!tail.ok) return err({ line, message: `${key}: ${tail.error}` });
      end = tail.value;
      const written = { head, value: text.slice(start, value.value.end), tail: text.slice(value.value.end, end) };
      items.push({ kind: "pair", key, value: value.value.value, written });
    } else {
      const statement: number | null = unclosed ? null : statementEnd(text, at);
      // Each further look for what never closes would read the rest of the text again.
      const opens = statement === null && !unclosed;
      unclosed = statement === null;
      end = statement ?? lineEnd(text, at);
      items.push({ kind: "other", raw: text.slice(at, end), ...(opens ? { open: true } : {}) });
    }
    line += countNewlines(text, at, end);
    at = end;
  }
  return ok(items);
}

/** Writes the items back: new pairs on lines of their own, everything else exactly as it was read. */
export function formatEnv(items: readonly EnvItem[]): string {
  const parts: string[] = [];
  for (const item of items) {
    const before = parts.at(-1);
    if (before !== undefined && !before.endsWith("\n")) parts.push("\n");
    if (item.kind === "other") parts.push(item.raw);
    else if (item.written === undefined) parts.push(`${item.key}=${quoteEnvValue(item.value)}\n`);
    else parts.push(item.written.head + item.written.value + item.written.tail);
  }
  return parts.join("");
}

/** A value that any POSIX shell reads back as the same characters and that runs nothing. NUL has no such form: it is dropped. */
export function quoteEnvValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  return shellQuote(value.replaceAll("\0", ""));
}

/**
 * Replaces the value of each key wherever it stands and keeps the rest; keys that are new come before the key `before`
 * where the file has that, else at the end, in their order, but before a statement that never ends.
 */
export function setEnvValues(
  items: readonly EnvItem[],
  values: ReadonlyMap<string, string>,
  before: string | null = null,
): EnvItem[] {
  const present = new Set(items.map((item) => (item.kind === "pair" ? item.key : null)));
  const added: EnvItem[] = [];
  for (const [key, value] of values) if (!present.has(key)) added.push({ kind: "pair", key, value });
  const next: EnvItem[] = [];
  for (const item of items) {
    const isPlace = item.kind === "pair" ? item.key === before : item.open === true;
    if (isPlace) next.push(...added.splice(0));
    const value = item.kind === "pair" ? values.get(item.key) : undefined;
    next.push(item.kind === "pair" && value !== undefined && value !== item.value ? withValue(item, value) : item);
  }
  return [...next, ...added];
}

function withValue(item: Extract<EnvItem, { kind: "pair" }>, value: string): EnvItem {
  const { written } = item;
  return { ...item, value, ...(written === undefined ? {} : { written: { ...written, value: quoteEnvValue(value) } }) };
}

function assignmentAt(text: string, at: number): { key: string; head: string } | null {
  // A bounded look: a file without "=" must not be searched to its end once a line.
  const match = ASSIGNMENT.exec(text.slice(at, at + LONGEST_HEAD));
  return match?.[1] === undefined ? null : { key: match[1], head: match[0] };
}

function readValue(text: string, start: number): Result<{ value: string; end: number }, string> {
  let value = "";
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "'") {
      const close = text.indexOf("'", at + 1);
      if (close === -1) return err("a single quote is not closed");
      value += text.slice(at + 1, close);
      at = close + 1;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(text, at + 1);
      if (!quoted.ok) return quoted;
      value += quoted.value.value;
      at = quoted.value.end;
    } else if (character === "\\" && at + 1 < text.length && text[at + 1] !== "\n") {
      value += text.charAt(at + 1);
      at += 2;
    } else if (PLAIN_VALUE.test(character) || ",@%=".includes(character)) {
      value += character;
      at += 1;
    } else if (/\s/.test(character)) {
      break;
    } else {
      return err(`expected a plain or quoted value, found ${JSON.stringify(character)}`);
    }
  }
  return ok({ value, end: at });
}

/** The end of the line of a value that ends at `start`: blanks, then a comment, then the line ending, each where it is. */
function readTail(text: string, start: number): Result<number, string> {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  if (text[at] === "#") return ok(lineEnd(text, at));
  if (text[at] === "\r" && text[at + 1] === "\n") return ok(at + 2);
  if (text[at] === "\n") return ok(at + 1);
  return at >= text.length
    ? ok(at)
    : err(`expected the end of the line after the value, found ${JSON.stringify(text.charAt(at))}`);
}

function readDoubleQuoted(text: string, start: number): Result<{ value: string; end: number }, string> {
  let value = "";
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return ok({ value, end: at + 1 });
    if (character === "$" || character === "`") return err(`a shell would expand ${JSON.stringify(character)} here`);
    if (character === "\\" && /["\\$`\n]/.test(text.charAt(at + 1))) {
      // A newline after a backslash joins the two lines.
      if (text[at + 1] !== "\n") value += text.charAt(at + 1);
      at += 1;
    } else {
      value += character;
    }
  }
  return err("a double quote is not closed");
}

/** The end of a statement that is not ours: its line, and on while a quote or a parenthesis is open; null where one never closes. */
function statementEnd(text: string, start: number): number | null {
  let quote: string | null = null;
  let depth = 0;
  let comment = false;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== null) {
      if (character === "\\" && quote === '"') at += 1;
      else if (character === quote) quote = null;
      continue;
    }
    if (character === "\n") {
      if (depth === 0) return at + 1;
      comment = false;
    } else if (comment) {
    } else if (character === "#" && (at === start || /\s/.test(text.charAt(at - 1)))) {
      comment = true;
    } else if (character === "'" || character === '"') {
      if (text.indexOf(character, at + 1) === -1) return null;
      quote = character;
    } else if (character === "\\") {
      at += 1;
      // The next line, whoever writes it, would belong to this one.
      if (at === text.length || (text[at] === "\n" && at + 1 === text.length)) return null;
    } else if (character === "(") {
      depth += 1;
    } else if (character === ")") {
      depth = Math.max(0, depth - 1);
    }
  }
  return quote === null && depth === 0 ? text.length : null;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline + 1;
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
