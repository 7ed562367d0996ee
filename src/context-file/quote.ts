import { printableLine } from "../base/printable.ts";

// A terminal line holds about this much of a quotation beside the sentence around it.
const LONGEST = 60;

/** The text in double quotes for a message: on one line, safe to print, cut to 60 characters without splitting one. */
export function quote(text: string): string {
  const trimmed = text.length > LONGEST ? `${wholeCharacters(text, LONGEST - 1)}…` : text;
  return `"${printableLine(trimmed)}"`;
}

function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
