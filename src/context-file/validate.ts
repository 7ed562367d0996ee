import { compareDiagnostics, type Diagnostic, diagnosticAt } from "../base/diagnostic.ts";
import { type ParsedContextFile, parseContextFile } from "./parse.ts";
import type { ValidateOptions } from "./rule.ts";
import { RULES } from "./rules/index.ts";

export interface Validation {
  /** In the file's order. */
  readonly diagnostics: readonly Diagnostic[];
  readonly file: ParsedContextFile;
}

/** Checks a text against every rule; the options say what is known beside the text. */
export function validateContextFile(text: string, options: ValidateOptions = {}): Validation {
  const file = parseContextFile(text);
  const diagnostics = findingsByRule(file, options).flat();
  return { diagnostics: diagnostics.sort(compareDiagnostics), file };
}

/** Whether a file with these findings is of use: no errors and, where `strict`, no warnings. */
export function isValid(
  diagnostics: readonly Diagnostic[],
  { strict = false }: { strict?: boolean | undefined } = {},
): boolean {
  return !diagnostics.some(({ severity }) => severity === "error" || (strict && severity === "warning"));
}

/** The findings of each rule, in the order of the rules. */
export function findingsByRule(file: ParsedContextFile, options: ValidateOptions): readonly Diagnostic[][] {
  return RULES.map(({ code, severity, check }) =>
    check(file, options).map((problem) => diagnosticAt(file.source, { code, severity, ...problem })),
  );
}
