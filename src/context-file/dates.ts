/** What a text says about a day: a real one, one that no calendar has, or none. Offsets are into the text. */
export type DateReading =
  | { readonly kind: "real"; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly kind: "unreal";
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly why: string;
    }
  | { readonly kind: "none" };

// ISO 8601 calendar date with an optional time of day and zone; every quantifier is bounded.
const DATE =
  /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?(?:[Zz](?![a-z])|[+-](\d{2}):?(\d{2})))?)?/;
const LOOSE_DATE = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;

/** The first `YYYY-MM-DD` of a text, with the time that follows it. */
export function readDate(text: string): DateReading {
  const match = DATE.exec(text);
  if (match === null) return { kind: "none" };
  const [found, year, month, day, hour, minute, second, zoneHour, zoneMinute] = match;
  const place = { text: found, start: match.index, end: match.index + found.length };
  if (!isRealDay(Number(year), Number(month), Number(day)))
    return { kind: "unreal", ...place, why: "no calendar has that day" };
  if (!isRealTime(hour, minute, second) || !isRealTime(zoneHour, zoneMinute, undefined))
    return { kind: "unreal", ...place, why: "no clock shows that time" };
  if (hour === undefined && /^[Tt]/.test(text.slice(place.end)))
    return { kind: "unreal", ...place, why: "what follows the T is not a time as HH:MM" };
  return { kind: "real", ...place };
}

/** A year-first date in another dress (`2026/02/03`, `2026-2-3`) as `YYYY-MM-DD`, with its place, or null. */
export function mendDate(text: string): { readonly start: number; readonly end: number; readonly date: string } | null {
  const match = LOOSE_DATE.exec(text);
  if (match === null) return null;
  const [found, year, , month, day] = match;
  if (!isRealDay(Number(year), Number(month), Number(day))) return null;
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  return { start: match.index, end: match.index + found.length, date };
}

function isRealDay(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

function isRealTime(hour: string | undefined, minute: string | undefined, second: string | undefined): boolean {
  // 60 is a leap second.
  return Number(hour ?? 0) <= 23 && Number(minute ?? 0) <= 59 && Number(second ?? 0) <= 60;
}
