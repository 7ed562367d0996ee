import { escapeXml, wellFormed } from "./escape-xml.ts";

/**
 * `text` escaped for an element's body in at most `limit` characters: whole where it fits, else its head and tail
 * around a mark that counts the characters (UTF-16 units) left out. The mark counts towards the limit. Nothing is cut
 * inside an entity, a surrogate pair or a joined sequence (flags, emoji with joiners, combining marks).
 */
export function escapeWithin(text: string, limit: number): { readonly escaped: string; readonly cut: boolean } {
  if (text.length <= limit) {
    const escaped = escapeXml(text);
    if (escaped.length <= limit) return { escaped, cut: false };
  }
  return { escaped: withoutMiddle(text, limit, escapedLength, escapeXml), cut: true };
}

/** As `escapeWithin`, of a text that is sent as it is, but for halves of pairs. */
export function textWithin(text: string, limit: number): string {
  return text.length <= limit ? wellFormed(text) : withoutMiddle(text, limit, () => 1, wellFormed);
}

function withoutMiddle(text: string, limit: number, lengthOf: LengthOf, write: (part: string) => string): string {
  const room = limit - leftOutMark(text.length).length;
  if (room < 0) return limit >= 1 ? "…" : "";
  const headEnd = retreat(text, walk(text, 0, 1, Math.ceil(room / 2), lengthOf));
  const tailStart = advance(text, walk(text, text.length, -1, Math.floor(room / 2), lengthOf));
  return write(text.slice(0, headEnd)) + leftOutMark(tailStart - headEnd) + write(text.slice(tailStart));
}

/** How many characters one UTF-16 unit of this code takes as it is written. */
type LengthOf = (code: number) => number;

/** Thousands apart by blanks: a model reads `49 998 000` with fewer mistakes than a run of digits. */
export function leftOutMark(count: number): string {
  return `[… ${String(count).replace(/\B(?=(?:\d{3})+$)/g, " ")} characters left out …]`;
}

/**
 * How far one can go from `from` in the direction of `step` before the written text is longer than `room`; the whole text
 * is.
 */
function walk(text: string, from: number, step: 1 | -1, room: number, lengthOf: LengthOf): number {
  let index = from;
  let left = room;
  for (;;) {
    const at = step === 1 ? index : index - 1;
    left -= lengthOf(text.charCodeAt(at));
    if (left < 0) return index;
    index += step;
  }
}

function escapedLength(code: number): number {
  switch (code) {
    case 34: // &quot;
    case 39: // &apos;
      return 6;
    case 38: // &amp;
    case 13: // &#13;
      return 5;
    case 60: // &lt;
    case 62: // &gt;
      return 4;
    default:
      return 1;
  }
}

/** How far a cut moves for the sake of a joined sequence; a longer one is cut, though never inside a pair. */
const REACH = 64;

function retreat(text: string, cut: number): number {
  for (let index = cut; index >= 0 && index > cut - REACH; index--) if (isEdge(text, index)) return index;
  return splitsPair(text, cut) ? cut - 1 : cut;
}

function advance(text: string, cut: number): number {
  for (let index = cut; index <= text.length && index < cut + REACH; index++) if (isEdge(text, index)) return index;
  return splitsPair(text, cut) ? cut + 1 : cut;
}

function continues(after: string): boolean {
  return /^(?:\p{M}|\p{Emoji_Modifier}|\u200D|[\u{E0020}-\u{E007F}])/u.test(after);
}

const REGIONAL = /^[\u{1F1E6}-\u{1F1FF}]/u;

function splitsPair(text: string, index: number): boolean {
  return isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
}

/** Whether a reader sees two characters on either side of `index`: the common part of Unicode's rules (UAX 29). */
function isEdge(text: string, index: number): boolean {
  if (index === 0 || index === text.length) return true;
  if (splitsPair(text, index)) return false;
  const after = text.slice(index, index + 2);
  if (continues(after) || text.charCodeAt(index - 1) === 0x200d) return false;
  return !REGIONAL.test(after) || regionalBefore(text, index) % 2 === 0;
}

/** As many flags in a row as are looked at; beyond, one may be halved. */
const FLAGS = 512;

/** Flags are pairs of regional indicators: an odd number before a cut means that it halves one. */
function regionalBefore(text: string, index: number): number {
  let count = 0;
  while (count < 2 * FLAGS && REGIONAL.test(text.slice(Math.max(0, index - 2 * (count + 1)), index - 2 * count)))
    count++;
  return count;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
