import fc from "fast-check";
import { expect, it } from "vitest";
import { isoText } from "../../src/base/iso-text.ts";

it("says what toISOString says", () => {
  const near = fc.date({ noInvalidDate: true, min: new Date("1999-12-31"), max: new Date("2100-03-01") });
  for (const dates of [fc.date({ noInvalidDate: true }), near]) {
    const property = fc.property(dates, (date) => {
      expect(isoText(date)).toBe(date.toISOString());
    });
    fc.assert(property, { numRuns: 2000 });
  }
  for (const text of ["0999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z", "2026-01-02T03:04:05.006Z"]) {
    expect(isoText(new Date(text))).toBe(text);
  }
});

it("throws of no date, as toISOString does", () => {
  expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError);
});
