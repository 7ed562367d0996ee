import { isoText } from "../base/iso-text.ts";

/** ISO 8601: a date, and behind `T` or a blank a time with or without fraction and zone. Every quantifier is bounded. */
export const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:[Zz]|[+-](\d{2}):?(\d{2}))?)?$/;

/** True where the text has that form and its day and time exist. */
export function isTimestamp(text: string): boolean {
  return isOurs(text) || isRead(text);
}

/** The milliseconds since the epoch of what has that form. Engines differ on a comma and small letters, and know no leap second. */
export function timeOf(text: string): number {
  return Date.parse(text.toUpperCase().replace(",", ".").replace(":60", ":59"));
}

/** As we write it ourselves: to compile the pattern takes a fresh process half a millisecond. */
function isOurs(text: string): boolean {
  if (text.length !== OURS.length) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && isoText(date) === text;
}

const OURS = "2026-02-03T12:15:00.000Z";

function isRead(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  // 60 is a leap second; the last two are the zone's.
  const limits = [23, 59, 60, 23, 59];
  return day >= 1 && day <= days && limits.every((limit, index) => part(index + 4) <= limit);
}
