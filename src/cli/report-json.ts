import type { Report } from "../commands/report.ts";

/** The version of every JSON document that this program prints. */
export const JSON_SCHEMA_VERSION = 1;

/** One JSON value on lines of its own: the command's facts, and the error where there is one. */
export function reportJson(report: Report): string {
  const { outcome, problem, data, notes } = report;
  const document = {
    schema_version: JSON_SCHEMA_VERSION,
    ok: outcome === "done",
    ...(problem === undefined
      ? {}
      : { error: { code: problem.code, message: problem.message, hint: problem.hint ?? null } }),
    ...data,
    ...(notes.length === 0 ? {} : { notes }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
