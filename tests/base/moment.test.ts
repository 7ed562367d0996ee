import { expect, test } from "vitest";
import { dayText, parseDay, parseMoment, parseSpan, parseTime, startOfDay } from "../../src/base/moment.ts";

const NOW = Date.parse("2026-02-03T12:15:07.120Z");

test.each([
  ["90s", 90_000],
  ["5m", 300_000],
  ["24h", 86_400_000],
  ["30d", 2_592_000_000],
  ["2w", 1_209_600_000],
  ["0s", 0],
])("the span %s", (text, span) => expect(parseSpan(text)).toBe(span));

test.each(["", "5", "m", "-5m", "1.5h", "5M", "5 minutes", "1e3s", "9999999d", "5m\n"])("no span: %j", (text) =>
  expect(parseSpan(text)).toBeNull(),
);

test.each([
  ["2026-02-03T12:15Z", "2026-02-03T12:15:00.000Z"],
  ["2026-02-03 12:15:07", "2026-02-03T12:15:07.000Z"],
  ["2026-02-03T12:15:07.12+01:00", "2026-02-03T11:15:07.120Z"],
  ["2024-02-29T00:00Z", "2024-02-29T00:00:00.000Z"],
])("the time %s", (text, time) => expect(new Date(parseTime(text) ?? 0).toISOString()).toBe(time));

test.each([
  "",
  "now",
  "2026-02-30T10:00Z",
  "2026-02-03T25:00Z",
  "2026-02-03",
  "2026-02-03T12:15Zx",
  "+012026-02-03T00:00Z",
])("no time: %j", (text) => expect(parseTime(text)).toBeNull());

test("a day begins at midnight of UTC, and must be one of the calendar", () => {
  expect(new Date(parseDay("2026-02-03") ?? 0).toISOString()).toBe("2026-02-03T00:00:00.000Z");
  for (const text of ["2026-02-30", "2026-13-01", "26-02-03", "2026-2-3", "2026-02-03T00:00Z"]) {
    expect(parseDay(text)).toBeNull();
  }
});

test("a moment is a span back, a day or a time", () => {
  expect(parseMoment("1h", NOW)).toEqual({ ok: true, value: NOW - 3_600_000 });
  expect(parseMoment("2026-02-03", NOW)).toEqual({ ok: true, value: Date.parse("2026-02-03T00:00:00Z") });
  expect(parseMoment("yesterday", NOW)).toMatchObject({ ok: false, error: expect.stringContaining("24h") });
});

test.each(["5", "constructor", "", "0", "Stryker"])("a text without a unit, such as %j, is no span", (text) => {
  expect(parseSpan(text)).toBeNull();
});

test("a blank may stand between number and unit, and six digits are read", () => {
  expect(parseSpan("24 h")).toBe(86_400_000);
  expect(parseSpan("999999s")).toBe(999_999_000);
  expect(parseSpan("24  h")).toBeNull();
});

test.each([
  "x2026-02-03",
  "2026-02-03x",
  "2026-02-03 ",
  "x2026-02-03T12:15Z",
  "2026-02-03T12:15:07.1234Z",
  "2026-02-03T12:15+1:00",
])("neither a day nor a time is %j", (text) => {
  expect(parseDay(text)).toBeNull();
  expect(parseTime(text)).toBeNull();
});

test("a time without a zone is UTC's, wherever it is read; a zone may have its colon or not", () => {
  expect(parseTime("2026-02-03T12:15")).toBe(Date.parse("2026-02-03T12:15:00Z"));
  expect(parseTime("2026-02-03T12:15-0130")).toBe(Date.parse("2026-02-03T13:45:00Z"));
  expect(parseTime("2026-02-03T12:15:07.1Z")).toBe(Date.parse("2026-02-03T12:15:07.100Z"));
});

test("a moment's day begins at or before it, also before 1970", () => {
  expect(startOfDay(NOW)).toBe(parseDay("2026-02-03"));
  expect(startOfDay(Date.parse("2026-02-03T00:00:00Z"))).toBe(parseDay("2026-02-03"));
  expect(startOfDay(-1)).toBe(-86_400_000);
  expect(dayText(startOfDay(NOW))).toBe("2026-02-03");
});

test("what a moment may look like is told where one is none", () => {
  const parsed = parseMoment("yesterday", NOW);
  expect(parsed.ok ? "" : parsed.error).toBe(
    "expected a span back such as 24h or 30d, a day such as 2026-02-03, or a time such as 2026-02-03T12:15Z",
  );
});
