import type { Severity } from "../base/diagnostic.ts";
import { printable } from "../base/printable.ts";
import { type CheckedFile, findingText } from "../commands/report.ts";

const COMMAND = { error: "error", warning: "warning", info: "notice" } satisfies Record<Severity, string>;

/** Workflow commands of GitHub Actions, which it shows beside the changed lines. */
export function reportGithub(files: readonly CheckedFile[]): string {
  let text = "";
  for (const file of files) {
    for (const finding of file.diagnostics) {
      const { severity, code, start, end } = finding;
      const place = `file=${property(file.path)},line=${start.line},endLine=${end.line},col=${start.column},endColumn=${end.column}`;
      text += `::${COMMAND[severity]} ${place},title=${property(code)}::${data(findingText(finding))}\n`;
    }
  }
  return text;
}

/** A percent sign begins an escape; a line break, which would end the command, is one of the controls. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
