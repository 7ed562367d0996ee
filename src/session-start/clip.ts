/**
 * `text` in at most `limit` UTF-16 units; what is left out is counted in them. For names and paths, which a file may make
 * as long as it likes.
 */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = `… (${text.length} characters)`;
  if (mark.length >= limit) return text.slice(0, characterEnd(text, limit));
  return text.slice(0, characterEnd(text, limit - mark.length)) + mark;
}

/** As `clip`, on one line: runs of white space become one blank. */
export function clipLine(text: string, limit: number): string {
  // Cut first: a long file must not be searched for white space as a whole.
  const line = text.length > limit * 4 ? text.slice(0, characterEnd(text, limit * 4)) : text;
  const flat = UNEVEN.test(line) ? line.replace(/\s+/g, " ").trim() : line;
  if (line === text) return clip(flat, limit);
  const mark = `… (${text.length} characters)`;
  return flat.slice(0, characterEnd(flat, Math.max(0, limit - mark.length))) + (mark.length < limit ? mark : "");
}

const UNEVEN = /[^\S ]|\s\s|^\s|\s$/;

/** As `clip`, for a path that stands in a line of text: it keeps its blanks, and cannot begin a new line. */
export function clipPath(path: string, limit: number): string {
  return clip(path, limit).replace(/[\t\n\r]/g, " ");
}

/**
 * The last place at or before `end` where `text` may be cut without parting what a reader sees as one character: a
 * surrogate pair, a letter and its marks, an emoji with its joiners, the two halves of a flag. Looks back 64 units at
 * most: a longer pile of marks is parted, a pair never.
 */
export function characterEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  if (end <= 0) return 0;
  const least = Math.max(0, end - 64);
  let at = pairEnd(text, end);
  while (at > least && joins(text, at)) at = pairEnd(text, at - 1);
  return at > least ? at : least === 0 ? 0 : pairEnd(text, end);
}

function pairEnd(text: string, end: number): number {
  return isLow(text.charCodeAt(end)) && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** Whether the characters on both sides of `at` are one to a reader. */
function joins(text: string, at: number): boolean {
  const next = text.codePointAt(at) ?? 0;
  if (text.charCodeAt(at) === 0x0a && text.charCodeAt(at - 1) === 0x0d) return true;
  if (text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return true;
  if (next === ZERO_WIDTH_JOINER || (next >= 0x1f3fb && next <= 0x1f3ff)) return true;
  if (next >= FLAG_FIRST && next <= FLAG_LAST) return flagsBefore(text, at) % 2 === 1;
  return next > 0x2ff && /^\p{M}$/u.test(String.fromCodePoint(next));
}

function flagsBefore(text: string, at: number): number {
  let count = 0;
  for (let place = at - 2; place >= 0 && count < 32; place -= 2) {
    const code = text.codePointAt(place) ?? 0;
    if (code < FLAG_FIRST || code > FLAG_LAST) break;
    count += 1;
  }
  return count;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const ZERO_WIDTH_JOINER = 0x200d;
/** Regional indicators: two of them are a flag. */
const FLAG_FIRST = 0x1f1e6;
const FLAG_LAST = 0x1f1ff;
