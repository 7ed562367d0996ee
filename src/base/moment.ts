import { err, ok, type Result } from "./result.ts";

const SPAN = /^([0-9]{1,6})\s?(s|m|h|d|w)$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?)(Z|[+-][0-9]{2}:?[0-9]{2})?$/;

export const DAY_MS = 86_400_000;

/** What a moment may look like, as the end of a sentence. */
const MOMENT_FORMS = "a span back such as 24h or 30d, a day such as 2026-02-03, or a time such as 2026-02-03T12:15Z";

/** A span such as `90s`, `24h` or `30d` in milliseconds; null for what is none. */
export function parseSpan(text: string): number | null {
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  const factor = UNIT_MS[unit];
  return count === undefined || factor === undefined ? null : Number(count) * factor;
}

/** The start of a day of the calendar, in UTC, as milliseconds since the epoch; null where there is no such day. */
export function parseDay(text: string): number | null {
  if (!DAY.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  // 2026-02-30 would be read as a day of March.
  return Number.isNaN(at) || dayText(at) !== text ? null : at;
}

/** A time of ISO 8601 as milliseconds since the epoch, UTC where it names no zone; null for what is none. */
export function parseTime(text: string): number | null {
  const [, day = "", clock = "", zone = "Z"] = TIME.exec(text) ?? [];
  if (parseDay(day) === null) return null;
  const at = Date.parse(`${day}T${clock}${zone}`);
  return Number.isNaN(at) ? null : at;
}

/** A span back from `now`, a day's start, or a time; in milliseconds since the epoch. */
export function parseMoment(text: string, now: number): Result<number, string> {
  const span = parseSpan(text);
  const at = span === null ? (parseDay(text) ?? parseTime(text)) : now - span;
  return at === null ? err(`expected ${MOMENT_FORMS}`) : ok(at);
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The start of a moment's UTC day. */
export function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}
