import { err, ok, type Result } from "../base/result.ts";
import type { Span } from "../base/source-text.ts";

/** A value of a JSON text with its place; offsets are UTF-16 units, ends exclusive. */
export type JsonNode = JsonContainer | JsonScalar;

export interface JsonContainer extends Span {
  readonly kind: "object" | "array";
  readonly elements: readonly JsonElement[];
}

export interface JsonScalar extends Span {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

/** A member of an object or an item of an array. */
export interface JsonElement extends Span {
  /** Null in an array. */
  readonly key: string | null;
  readonly value: JsonNode;
  /** Where the comma behind it stands. */
  readonly comma: number | null;
}

export interface JsonDocument {
  readonly text: string;
  /** Null where the text holds nothing but blanks and comments. */
  readonly root: JsonNode | null;
  readonly comments: readonly Span[];
  /** The first thing that plain JSON does not know. */
  readonly extension: { readonly offset: number; readonly what: "a comment" | "a trailing comma" } | null;
}

export interface JsonProblem {
  readonly offset: number;
  /** What was found and what was expected, without a full stop. */
  readonly message: string;
}

/** Deep enough for every settings file, and far from where recursion ends a program. */
const MOST_LEVELS = 100;

const BLANKS = /[ \t\r\n]*/y;
const REST_OF_LINE = /[^\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const STRING_PART = /[^"\\\u0000-\u001F]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/**
 * Reads JSON with its places, so that a part of it can be changed and every other byte stay. Comments and a comma behind
 * the last element are read as well: people write them. A BOM at the beginning is skipped.
 */
export function readJson(text: string): Result<JsonDocument, JsonProblem> {
  const comments: Span[] = [];
  let extension: JsonDocument["extension"] = null;
  let problem: JsonProblem | null = null;
  let at = text.startsWith("\uFEFF") ? 1 : 0;

  const fail = (offset: number, message: string): null => {
    problem ??= { offset, message };
    return null;
  };
  const extend = (offset: number, what: "a comment" | "a trailing comma"): void => {
    if (extension === null || offset < extension.offset) extension = { offset, what };
  };
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };

  /** Blanks and comments. */
  function skip(): void {
    for (;;) {
      match(BLANKS);
      if (text[at] !== "/") return;
      const opening = text.slice(at, at + 2);
      if (opening !== "//" && opening !== "/*") return;
      const start = at;
      if (opening === "//") match(REST_OF_LINE);
      else {
        const close = text.indexOf("*/", at + 2);
        if (close === -1) {
          fail(start, "a comment begins and does not end");
          return;
        }
        at = close + 2;
      }
      comments.push({ start, end: at });
      extend(start, "a comment");
    }
  }

  function value(level: number): JsonNode | null {
    const start = at;
    const first = text[at];
    if (first === "{" || first === "[") return container(first, level);
    if (first === '"') {
      const content = string();
      return content === null ? null : { kind: "scalar", start, end: at, value: content };
    }
    if (first !== undefined && /[-\d]/.test(first)) {
      const number = match(NUMBER);
      return number === ""
        ? fail(start, `${found()}, expected a number`)
        : { kind: "scalar", start, end: at, value: Number(number) };
    }
    const word = match(WORD);
    const known = WORDS.get(word);
    if (known !== undefined) return { kind: "scalar", start, end: at, value: known };
    at = start;
    return fail(start, `${word === "" ? found() : `found "${word}"`}, expected a value`);
  }

  function string(): string | null {
    const start = at;
    at += 1;
    for (;;) {
      match(STRING_PART);
      if (text[at] === '"') break;
      if (text[at] === "\\") {
        if (match(ESCAPE) === "") return fail(at, "a backslash in a string begins no escape that JSON knows");
      } else if (at >= text.length || text[at] === "\n" || text[at] === "\r") {
        return fail(start, "a string begins and does not end on its line");
      } else return fail(at, `${found()} in a string, expected an escape such as \\t`);
    }
    at += 1;
    const content: unknown = JSON.parse(text.slice(start, at));
    return String(content);
  }

  function container(opening: "{" | "[", level: number): JsonContainer | null {
    const start = at;
    const close = opening === "{" ? "}" : "]";
    if (level > MOST_LEVELS) return fail(at, `more than ${MOST_LEVELS} levels of nesting`);
    const elements: JsonElement[] = [];
    at += 1;
    for (;;) {
      skip();
      if (problem !== null) return null;
      if (text[at] === close) {
        const last = elements.at(-1);
        if (last !== undefined && last.comma !== null) extend(last.comma, "a trailing comma");
        at += 1;
        return { kind: opening === "{" ? "object" : "array", start, end: at, elements };
      }
      if (elements.length > 0 && elements.at(-1)?.comma === null) {
        return fail(at, `${found()}, expected "," or "${close}"`);
      }
      const element = opening === "{" ? member(level) : item(level);
      if (element === null) return null;
      skip();
      if (problem !== null) return null;
      const comma = text[at] === "," ? at++ : null;
      elements.push({ ...element, comma });
    }
  }

  function member(level: number): Omit<JsonElement, "comma"> | null {
    const start = at;
    if (text[at] !== '"') return fail(at, `${found()}, expected a name in double quotes or "}"`);
    const key = string();
    if (key === null) return null;
    skip();
    if (problem !== null) return null;
    if (text[at] !== ":") return fail(at, `${found()}, expected ":"`);
    at += 1;
    skip();
    if (problem !== null) return null;
    const content = value(level + 1);
    return content === null ? null : { start, end: content.end, key, value: content };
  }

  function item(level: number): Omit<JsonElement, "comma"> | null {
    const content = value(level + 1);
    return content === null ? null : { start: content.start, end: content.end, key: null, value: content };
  }

  /** What stands at the place in hand. */
  function found(): string {
    const code = text.codePointAt(at);
    if (code === undefined) return "found the end of the file";
    if (code > 32 && code < 127) return `found "${String.fromCodePoint(code)}"`;
    return `found the character U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  }

  skip();
  let root: JsonNode | null = null;
  if (problem === null && at < text.length) {
    root = value(1);
    if (root !== null) skip();
    if (problem === null && at < text.length) fail(at, `${found()}, expected the end of the file`);
  }
  return problem === null ? ok({ text, root, comments, extension }) : err(problem);
}

/** The member of an object under a name: the last one, as every reader of JSON has it; null for anything else. */
export function memberOf(node: JsonNode | null | undefined, key: string): JsonElement | null {
  if (node?.kind !== "object") return null;
  return node.elements.findLast((element) => element.key === key) ?? null;
}

/** The text of a string, or null for anything else. */
export function stringOf(node: JsonNode | null | undefined): string | null {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : null;
}

/** A value's kind as a sentence names it: `an array`, `null`, `a string`. */
export function kindName(node: JsonNode): string {
  if (node.kind !== "scalar") return node.kind === "array" ? "an array" : "an object";
  return node.value === null ? "null" : `a ${typeof node.value}`;
}
