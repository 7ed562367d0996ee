/** A text of at most `limit` UTF-16 units, its end marked by `…` where it was cut; never within a character. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return limit < 1 ? "" : `${text.slice(0, wholeUpTo(text, limit - 1)).trimEnd()}…`;
}

/** The last place up to `end` at which a text can be cut without taking a character apart. */
function wholeUpTo(text: string, end: number): number {
  let at = end;
  // Bounded: a text of nothing but marks is cut between two of them.
  for (let steps = 0; at > 0 && steps < LONGEST_CLUSTER && isInside(text, at); steps += 1) at -= 1;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at;
}

const LONGEST_CLUSTER = 64;

/** Whether the character at `at` belongs to the one before it: half of a pair, a mark, a part of a joined emoji or flag. */
function isInside(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x0300) return false;
  if (unit >= 0xdc00 && unit <= 0xdfff) return true;
  if (text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return true;
  const codePoint = text.codePointAt(at) ?? 0;
  if (isRegional(codePoint)) return isRegional(text.codePointAt(at - 2) ?? 0);
  return /[\p{M}\p{Emoji_Modifier}\u200d]/u.test(String.fromCodePoint(codePoint));
}

const ZERO_WIDTH_JOINER = 0x200d;

function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
