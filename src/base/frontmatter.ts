import type { Span } from "./source-text.ts";

/** A text's front matter, or why there is none. Offsets are into the text as it was given, BOM included. */
export type FrontMatter =
  | {
      readonly kind: "found";
      /** The lines between the dashes, line endings included. */
      readonly raw: string;
      readonly span: Span;
      /** What follows the closing line. */
      readonly body: string;
      readonly bodyStart: number;
    }
  /** Line 1 is no line of three dashes: the text is all body. */
  | { readonly kind: "absent"; readonly body: string; readonly bodyStart: number }
  /** Line 1 opens front matter that no line closes; `opening` is that line. */
  | { readonly kind: "unclosed"; readonly opening: Span };

/**
 * Parts the front matter from the body. Only a line of exactly three dashes, trailing blanks allowed, opens it, on line 1
 * after an optional BOM, and only such a line closes it.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const opening = lineAt(text, start);
  if (!isDashes(text, start, opening.end)) return { kind: "absent", body: text.slice(start), bodyStart: start };
  for (let at = opening.next; at < text.length; ) {
    const line = lineAt(text, at);
    if (isDashes(text, at, line.end)) {
      const span = { start: opening.next, end: at };
      return {
        kind: "found",
        raw: text.slice(span.start, span.end),
        span,
        body: text.slice(line.next),
        bodyStart: line.next,
      };
    }
    at = line.next;
  }
  return { kind: "unclosed", opening: { start, end: opening.end } };
}

/** A line's end without its line ending, and the start of the next. */
function lineAt(text: string, start: number): { readonly end: number; readonly next: number } {
  const feed = text.indexOf("\n", start);
  if (feed === -1) return { end: text.length, next: text.length };
  return { end: feed > start && text[feed - 1] === "\r" ? feed - 1 : feed, next: feed + 1 };
}

function isDashes(text: string, start: number, end: number): boolean {
  if (!text.startsWith("---", start)) return false;
  for (let at = start + 3; at < end; at++) if (text[at] !== " " && text[at] !== "\t") return false;
  return end >= start + 3;
}

/** Longest front matter worth a YAML parser: real ones have under 2 000 characters. */
export const FRONT_MATTER_MAX = 32_768;

const FLOW_DEPTH_MAX = 32;
const EXPLICIT_KEYS_MAX = 100;
/** More list marks in a row than any list of lists has; each costs a level of the stack. */
const DASH_RUN = /(?:-[ \t]+){33}/;

/** Without any of these there is nothing to count. */
const MAY_NEST = /[[{?]/;

/**
 * Why a YAML text must not be given to the `yaml` package, or null. That package takes time that grows with a power of
 * the depth: a line of 2 000 `? ` costs minutes. Plain counting, so a text with many stray brackets is refused as well.
 */
export function yamlHazard(raw: string): string | null {
  if (raw.length > FRONT_MATTER_MAX) return `it has ${raw.length} characters, more than ${FRONT_MATTER_MAX}`;
  if (DASH_RUN.test(raw)) return "it nests lists deeper than 32";
  if (!MAY_NEST.test(raw)) return null;
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < raw.length; at++) {
    const unit = raw.charCodeAt(at);
    if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if ((unit === 0x5d || unit === 0x7d) && depth > 0) depth -= 1;
    else if (unit === 0x3f && isBlankOrBreak(raw.charCodeAt(at + 1))) keys += 1;
    if (depth > FLOW_DEPTH_MAX) return `it nests brackets deeper than ${FLOW_DEPTH_MAX}`;
    if (keys > EXPLICIT_KEYS_MAX)
      return `it has more than ${EXPLICIT_KEYS_MAX} question marks that YAML may take for keys`;
  }
  return null;
}

/** Blank, tab, line feed, carriage return, or the text's end (NaN). */
function isBlankOrBreak(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d || Number.isNaN(unit);
}

export type FrontMatterScalar = string | number | boolean | null;
export type FrontMatterValue = FrontMatterScalar | readonly FrontMatterScalar[];

const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,127} *$/;
/** A dash, blanks, a value. */
const LIST_ITEM = /^ *- +(?! )/;
/** Controls and what other readers take for a line break or drop; lines end with a line feed. */
const UNUSUAL = /[\u0000-\u0009\u000B-\u001F\u007F-\u00A0\u2028\u2029\uFEFF]/;

/**
 * Reads front matter of simple `key: value` lines and simple lists, for paths that must not pay for a YAML parser. Null for
 * all it cannot take: a value with a comment behind it, escapes, anchors, tags, block scalars, flow maps, nesting, odd
 * indentation, a key that stands twice. What it takes, it reads as `yaml` does.
 */
export function scanFrontMatter(raw: string): ReadonlyMap<string, FrontMatterValue> | null {
  // A carriage return without a line feed is text in YAML, also at the very end: it is left, and unusual.
  const text = raw.includes("\r") ? raw.replaceAll("\r\n", "\n") : raw;
  if (UNUSUAL.test(text)) return null;
  const values = new Map<string, FrontMatterValue>();
  let list: { readonly key: string; readonly items: FrontMatterScalar[]; indent: number } | null = null;
  for (const ended of text.split("\n")) {
    const line = withoutBlanks(ended, "end");
    const indent = blanksBefore(line);
    const lead = line.charCodeAt(indent);
    if (line === "" || lead === HASH) continue;
    if (lead === DASH) {
      const item = LIST_ITEM.exec(line);
      if (item === null || list === null || (list.items.length > 0 && list.indent !== indent)) return null;
      const value = scalarOf(line.slice(item[0].length));
      if (value === undefined) return null;
      list.indent = indent;
      list.items.push(value);
      values.set(list.key, list.items);
      continue;
    }
    const colon = line.indexOf(":");
    const written = line.slice(0, Math.max(0, colon));
    const next = line.charCodeAt(colon + 1);
    if (!KEY.test(written) || !(next === BLANK || colon + 1 === line.length)) return null;
    const key = withoutBlanks(written, "end");
    // YAML does not read these as the words they are.
    if (values.has(key) || WORDS.has(key) || key === "__proto__") return null;
    const rest = withoutBlanks(line.slice(colon + 1), "start");
    const value = rest === "" ? null : rest.startsWith("[") ? flowListOf(rest) : scalarOf(rest);
    if (value === undefined) return null;
    list = rest === "" ? { key, items: [], indent: 0 } : null;
    values.set(key, value);
  }
  return values;
}

const BLANK = 0x20;
const HASH = 0x23;
const DASH = 0x2d;

function blanksBefore(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === BLANK) at += 1;
  return at;
}

/** `[a, "b c", 3]` without nesting; a comma inside quotes is left to a real parser. */
function flowListOf(text: string): readonly FrontMatterScalar[] | undefined {
  if (!text.endsWith("]")) return undefined;
  const inner = text.slice(1, -1);
  if (withoutBlanks(inner, "start") === "") return [];
  const items: FrontMatterScalar[] = [];
  for (const part of inner.split(",")) {
    const item = withoutBlanks(withoutBlanks(part, "start"), "end");
    const value = item === "" || /[[\]{}]/.test(item) ? undefined : scalarOf(item);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

/** `trim` would take more than the blank, which is all that YAML takes. */
function withoutBlanks(text: string, side: "start" | "end"): string {
  let start = 0;
  let end = text.length;
  if (side === "start") while (start < end && text.charCodeAt(start) === BLANK) start += 1;
  else while (end > start && text.charCodeAt(end - 1) === BLANK) end -= 1;
  return text.slice(start, end);
}

function scalarOf(text: string): FrontMatterScalar | undefined {
  const first = text.charAt(0);
  if (first === '"' || first === "'") {
    const inner = text.slice(1, -1);
    const whole = text.length > 1 && text.endsWith(first) && !inner.includes(first);
    return whole && !(first === '"' && inner.includes("\\")) ? inner : undefined;
  }
  if (INDICATORS.includes(first)) return undefined;
  if (text.includes(": ") || text.endsWith(":") || text.includes(" #")) return undefined;
  if (first >= "0" && first <= "9") return numeralOf(text);
  return WORDS.has(text) ? WORDS.get(text) : text;
}

/** What begins something else than plain text. */
const INDICATORS = "-?:,[]{}#&*!|>%@`.+=<~";

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** Fifteen digits: what a double holds without loss. */
const PLAIN_NUMBER = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
/** All characters that a number may hold in YAML: what has others, such as a date or `24-demo`, is text. */
const NUMBER_LIKE = /^[0-9][0-9.eExXoa-fA-F+-]*$/;

function numeralOf(text: string): number | string | undefined {
  if (PLAIN_NUMBER.test(text)) return Number(text);
  const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
  return date.test(text) || !NUMBER_LIKE.test(text) ? text : undefined;
}
