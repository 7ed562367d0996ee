import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDuration } from "../../src/base/duration.ts";

test.each([
  ["0", 0],
  ["500ms", 500],
  ["60s", 60_000],
  ["60", 60_000],
  ["1.5s", 1500],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["500h", 1_800_000_000],
])("%s is %d milliseconds", (text, milliseconds) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: milliseconds });
});

test.each(["", "s", "-1s", "1 s", "1d", "1e3", "0x10", ".5s", "1.s", "Infinity", "501h", "9999999999h", "1s2m"])(
  "%j is no time",
  (text) => {
    expect(parseDuration(text).ok).toBe(false);
  },
);

test("any whole number of milliseconds within the limit is itself, and a timer can hold it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_800_000_000 }), (milliseconds) => {
      expect(parseDuration(`${milliseconds}ms`)).toEqual({ ok: true, value: milliseconds });
      expect(milliseconds).toBeLessThan(2 ** 31);
    }),
  );
});

test("says what a time looks like, or the most that is waited", () => {
  expect(parseDuration("soon")).toEqual({ ok: false, error: "expected a time such as 500ms, 60s, 5m or 2h" });
  expect(parseDuration("501h")).toEqual({ ok: false, error: "expected at most 500h" });
});

test("blanks around it are none of it, and a part of a millisecond is a whole one", () => {
  expect(parseDuration(" 60s\n")).toEqual({ ok: true, value: 60_000 });
  expect(parseDuration("0.123456s")).toEqual({ ok: true, value: 124 });
});
