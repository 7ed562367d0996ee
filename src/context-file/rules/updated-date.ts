import { quote } from "../../base/quote.ts";
import { mendDate, readDate } from "../dates.ts";
import { FIELDS } from "../fields.ts";
import type { Rule } from "../rule.ts";

/** The date of a file is one that a calendar has. */
export const updatedDateRule: Rule = {
  code: "updated-date",
  severity: "error",
  summary: "`**Updated**` holds a real date as `YYYY-MM-DD`, with an optional time (`T12:15Z`).",
  why: "Whether a memory is older than the last recovery can only be told from a date that is one.",
  good: `**Updated**: ${FIELDS.Updated.example}`,
  mends:
    "Rewrites a date that starts with the year, such as `2026/02/03`. `03/02/2026` may be two days, and is left alone.",
  check(file) {
    const field = file.fields.Updated;
    if (field === null || field.value === "") return [];
    const reading = readDate(field.value);
    if (reading.kind === "real") return [];
    if (reading.kind === "unreal") {
      const span = { start: field.valueStart + reading.start, end: field.valueStart + reading.end };
      const message = `Expected a real date in "**Updated**", found ${quote(reading.text)}: ${reading.why}`;
      return [{ span, message, hint: "Write the day of the last change, as YYYY-MM-DD." }];
    }
    const mended = mendDate(field.value);
    const span = { start: field.valueStart, end: field.valueStart + field.value.length };
    const message = `Expected a date as YYYY-MM-DD in "**Updated**", found ${quote(field.value)}`;
    if (mended === null) return [{ span, message, hint: "Write the day of the last change, as YYYY-MM-DD." }];
    const place = { start: field.valueStart + mended.start, end: field.valueStart + mended.end };
    return [{ span, message, hint: `Write ${mended.date}.`, fix: [{ span: place, text: mended.date }] }];
  },
};
