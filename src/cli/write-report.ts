import { printable } from "../base/printable.ts";
import type { Report } from "../commands/report.ts";
import { reportJson } from "../commands/report-json.ts";
import type { World } from "../platform/world.ts";
import { EXIT } from "./exit-code.ts";
import type { FindingForm } from "./finding-forms.ts";
import type { GlobalOptions } from "./invocation.ts";
import { jsonIndent } from "./json-form.ts";
import { codeOfWritten } from "./lost-output.ts";
import { reportPretty } from "./report-pretty.ts";

export interface OutputForm {
  readonly globals: GlobalOptions;
  /** Tells the findings in the format that was asked for; none where that is a person's. */
  readonly findings?: FindingForm | undefined;
}

/** Writes a report in the form that was asked for: results to stdout, talk to stderr; the exit code. */
export function writeReport(world: World, { globals, findings }: OutputForm, report: Report): number {
  const { stdout, stderr } = world;
  if (globals.json) stdout.write(report.document ?? reportJson(report, jsonIndent(world.argv)));
  else if (findings !== undefined) stdout.write(findings(world, report));
  else {
    const color = useColor(world, globals.color);
    const told = report.problem?.hint;
    for (const part of report.parts) {
      if (part.kind === "text") stdout.write(part.text);
      else if (!part.noted) stdout.write(reportPretty(part.files, { color, told }));
    }
  }
  if (!globals.quiet) for (const note of report.notes) stderr.write(`${printable(note)}\n`);
  if (report.problem !== undefined && !globals.json) {
    stderr.write(`context: ${printable(report.problem.message)}\n`);
    if (report.problem.hint !== undefined) stderr.write(`  ${printable(report.problem.hint)}\n`);
  }
  return codeOfWritten(world, EXIT[report.outcome]);
}

function useColor(world: World, wanted: boolean): boolean {
  const { env } = world;
  return wanted && !env.NO_COLOR && env.TERM !== "dumb" && world.stdout.isTerminal();
}
