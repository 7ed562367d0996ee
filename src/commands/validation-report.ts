import { countBySeverity, type Diagnostic } from "../base/diagnostic.ts";
import { plural } from "../base/plural.ts";
import { printableLine } from "../base/printable.ts";
import { isValid } from "../context-file/validate.ts";
import { countText } from "./check-context.ts";
import { type MendWays, mendHint } from "./mend-hint.ts";
import { type CheckedFile, failed, findingText, type Problem, type Report } from "./report.ts";
import { findingsData } from "./report-json.ts";

/** What became of one file that was named. */
export type Checked =
  | { readonly kind: "checked"; readonly file: CheckedFile; readonly fixed: number; readonly output: string | null }
  | { readonly kind: "unreadable"; readonly path: string; readonly problem: Problem };

interface ReportForm {
  readonly ways: MendWays | null;
  /** The one file that was asked about: its verdict stands where the summary of many would. */
  readonly verdictOf: string | null;
}

/** The report on checked files; `strict` counts warnings as errors. */
export function validationReport(
  results: readonly Checked[],
  strict: boolean,
  { ways, verdictOf }: ReportForm,
): Report {
  const files: CheckedFile[] = [];
  const notes: string[] = [];
  let invalid = 0;
  let errors = 0;
  let warnings = 0;
  let output: string | null = null;
  for (const result of results) {
    if (result.kind === "unreadable") {
      invalid += 1;
      errors += 1;
      files.push({ path: result.path, text: "", diagnostics: [unreadableFinding(result.problem)] });
      continue;
    }
    files.push(result.file);
    output ??= result.output;
    const counts = countBySeverity(result.file.diagnostics);
    errors += counts.error;
    warnings += counts.warning;
    if (!isValid(result.file.diagnostics, { strict })) invalid += 1;
    if (result.fixed > 0) notes.push(`${result.file.path}: ${plural(result.fixed, "finding")} mended.`);
  }
  // A filter's output is the text alone; what is left to mend goes to stderr.
  if (output !== null) notes.push(...files.flatMap(findingLines));
  const summary =
    verdictOf !== null
      ? `${printableLine(verdictOf)} is ${invalid === 0 ? "valid" : "not valid"} (${countText(errors, warnings)})\n`
      : `${plural(results.length, "file")}, ${invalid} invalid: ${countText(errors, warnings)}\n`;
  const data = { files: results.map((result) => resultData(result, strict)), invalid, errors, warnings };
  const parts: Report["parts"] = [
    { kind: "findings", files, noted: output !== null },
    { kind: "text", text: output ?? summary },
  ];
  if (invalid === 0) return { outcome: "done", parts, notes, data };
  const unreadable = results.find((result) => result.kind === "unreadable");
  const problem: Problem =
    unreadable?.kind === "unreadable" && results.length === 1
      ? unreadable.problem
      : {
          code: "invalid",
          message: `${plural(invalid, "file")} of ${results.length} ${invalid === 1 ? "is" : "are"} not valid.`,
          ...(ways === null ? {} : { hint: mendHint(files, ways) }),
        };
  return failed(problem, { parts, notes, data });
}

/** A file that cannot be read, in the form that every format shows. */
function unreadableFinding({ code, message, hint }: Problem): Diagnostic {
  const start = { line: 1, column: 1 };
  return { code, severity: "error", message, ...(hint === undefined ? {} : { hint }), start, end: start };
}

function findingLines({ path, diagnostics }: CheckedFile): readonly string[] {
  return diagnostics.map((finding) => {
    const { start, severity, code } = finding;
    return `${path}:${start.line}:${start.column} ${severity} ${code} ${findingText(finding)}`;
  });
}

function resultData(result: Checked, strict: boolean): Record<string, unknown> {
  if (result.kind === "unreadable") return { path: result.path, valid: false, error: result.problem, findings: [] };
  const { path, diagnostics } = result.file;
  return {
    path,
    valid: isValid(diagnostics, { strict }),
    fixed: result.fixed,
    ...(result.output === null ? {} : { text: result.output }),
    findings: findingsData(diagnostics),
  };
}
