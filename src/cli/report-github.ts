import type { Severity } from "../base/diagnostic.ts";
import type { CheckedFile } from "../commands/report.ts";

const COMMAND = { error: "error", warning: "warning", info: "notice" } satisfies Record<Severity, string>;

/** Workflow commands of GitHub Actions, which it shows beside the changed lines. */
export function reportGithub(files: readonly CheckedFile[]): string {
  let text = "";
  for (const file of files) {
    for (const { severity, code, message, hint, start, end } of file.diagnostics) {
      const place = `file=${property(file.path)},line=${start.line},endLine=${end.line},col=${start.column},endColumn=${end.column}`;
      text += `::${COMMAND[severity]} ${place},title=${property(code)}::${data(hint === undefined ? message : `${message} ${hint}`)}\n`;
    }
  }
  return text;
}

/** A line break would end the command; a percent sign begins an escape. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
