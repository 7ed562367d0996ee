import { printableLine } from "./printable.ts";

/** The text in double quotes for a message: on one line, safe to print, cut to 60 characters without splitting one. */
export function quote(text: string): string {
  return `"${printableLine(firstCharacters(text, 60))}"`;
}

/** The first `count` characters (code points) of a text, the last of them an ellipsis where more were there. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  // A character is at most two units long: what lies beyond is never looked at.
  const characters = [...text.slice(0, 2 * count + 2)];
  return characters.length <= count ? text : `${characters.slice(0, count - 1).join("")}…`;
}

/** Characters (code points), counted without making a list of them. */
export function countCharacters(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const before = text.charCodeAt(at - 1);
    if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff) count -= 1;
  }
  return count;
}

const SURROGATE = /[\uD800-\uDFFF]/;
