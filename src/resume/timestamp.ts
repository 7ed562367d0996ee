/** ISO 8601: a date, and behind `T` or a blank a time with or without fraction and zone. Every quantifier is bounded. */
export const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:[Zz]|[+-](\d{2}):?(\d{2}))?)?$/;

/** True where the text has that form and its day and time exist. */
export function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const leap = year !== undefined && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][(month ?? 0) - 1] ?? 0;
  // 60 is a leap second.
  const limits = [
    [day, days],
    [hour, 23],
    [minute, 59],
    [second, 60],
    [zoneHour, 23],
    [zoneMinute, 59],
  ] as const;
  return (day ?? 0) >= 1 && limits.every(([value, limit]) => (value ?? 0) <= limit);
}
