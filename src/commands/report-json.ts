import type { Diagnostic } from "../base/diagnostic.ts";
import { jsonEscape } from "../base/json-value.ts";
import type { Report } from "./report.ts";

/** The version of every JSON document that this program prints. */
const JSON_SCHEMA_VERSION = 1;

/** One JSON value: the command's facts, and the error where there is one; on a single line where `indent` is 0. */
export function reportJson(report: Report, indent = 2): string {
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
  return `${printableJson(JSON.stringify(document, null, indent))}\n`;
}

/** Findings for a program, which is not told the edits, only whether there are any. */
export function findingsData(findings: readonly Diagnostic[]): readonly Readonly<Record<string, unknown>>[] {
  return findings.map(({ fix, ...rest }) => ({ ...rest, fixable: fix !== undefined }));
}

/** What a terminal acts on, or what reorders a person's reading, and JSON leaves as it is. */
export const BARE = /[\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/** JSON's own escapes for such characters: the value stays the same. */
export function printableJson(json: string): string {
  return json.replace(BARE, jsonEscape);
}
