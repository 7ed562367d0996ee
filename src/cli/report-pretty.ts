import type { Diagnostic, Severity } from "../base/diagnostic.ts";
import { printable } from "../base/printable.ts";
import { sourceText } from "../base/source-text.ts";
import type { CheckedFile } from "../commands/report.ts";

export interface PrettyOptions {
  readonly color: boolean;
  /** The next action of the whole report: a finding does not say it once more. */
  readonly told?: string | undefined;
}

const COLOR = { error: "31", warning: "33", info: "36" } satisfies Record<Severity, string>;

/** The line is cut to this many characters round the finding. */
const WIDTH = 100;

/** Of one file: a few thousand would fill the memory of the agent that reads them. */
const MOST = 100;

/** `path:line:column severity code message`, the line with carets under the finding, and the way out. */
export function reportPretty(files: readonly CheckedFile[], options: PrettyOptions): string {
  let text = "";
  for (const file of files) {
    const lines = file.diagnostics.length === 0 ? [] : sourceText(file.text).lines;
    for (const finding of worst(file.diagnostics)) {
      const { line, column } = finding.start;
      const severity = options.color
        ? `\u001B[${COLOR[finding.severity]}m${finding.severity}\u001B[0m`
        : finding.severity;
      text += `${printable(file.path)}:${line}:${column} ${severity} ${finding.code} ${printable(finding.message)}\n`;
      text += frame(lines[line - 1]?.text ?? "", finding);
      if (finding.hint !== undefined && finding.hint !== options.told) text += `  hint: ${printable(finding.hint)}\n`;
    }
    const more = file.diagnostics.length - MOST;
    if (more > 0)
      text += `${printable(file.path)}: ${more} more ${more === 1 ? "finding" : "findings"}; --json lists them all.\n`;
  }
  return text;
}

/** Those that are shown, in their order: where there are too many, errors go before warnings. */
function worst(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  if (findings.length <= MOST) return findings;
  const by = (severity: Severity) => findings.filter((finding) => finding.severity === severity);
  const shown = new Set([...by("error"), ...by("warning"), ...by("info")].slice(0, MOST));
  return findings.filter((finding) => shown.has(finding));
}

/** The source line and the carets. Both are measured as printed: what a control character becomes takes its own room. */
function frame(line: string, finding: Diagnostic): string {
  if (line.trim() === "") return "";
  const from = finding.start.column - 1;
  // Not within a character of two units.
  const whole = (at: number): number => at + Number(/[\uDC00-\uDFFF]/.test(line.charAt(at)));
  const to = finding.end.line === finding.start.line ? whole(Math.max(finding.end.column - 1, from + 1)) : line.length;
  const left = whole(Math.max(0, from - WIDTH / 2));
  const shown = line.slice(left, whole(left + WIDTH));
  const before = shownText(shown.slice(0, from - left));
  const marked = shownText(shown.slice(from - left, to - left));
  const after = shownText(shown.slice(to - left));
  const carets = "^".repeat(Math.max(1, columns(marked)));
  return `  ${before}${marked}${after}\n  ${" ".repeat(columns(before))}${carets}\n`;
}

function shownText(text: string): string {
  return printable(text.replaceAll("\t", " "));
}

/** Terminal columns: two for wide East Asian characters and emoji, none for what combines. */
function columns(text: string): number {
  let count = 0;
  for (const character of text) {
    if (/\p{M}|\u200D|\uFE0F/u.test(character)) continue;
    count +=
      /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return count;
}
