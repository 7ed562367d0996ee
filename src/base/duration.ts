import { err, ok, type Result } from "./result.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** More is no waiting but forgetting, and more than a timer holds. */
const MOST_HOURS = 500;

/** Milliseconds of `500ms`, `60s`, `1.5m` or `2h`; a bare number is seconds, as `sleep` takes it. The error ends a sentence. */
export function parseDuration(text: string): Result<number, string> {
  const [, number, unit] = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (number === undefined) return err("expected a time such as 500ms, 60s, 5m or 2h");
  const milliseconds = Number(number) * (UNITS[unit ?? "s"] ?? 1000);
  return milliseconds > MOST_HOURS * 3_600_000 ? err(`expected at most ${MOST_HOURS}h`) : ok(Math.ceil(milliseconds));
}
