import { relative, resolve } from "node:path";
import { printable } from "../base/printable.ts";
import type { CheckedFile, Report } from "../commands/report.ts";
import { reportJson } from "../commands/report-json.ts";
import type { World } from "../platform/world.ts";
import { EXIT } from "./exit-code.ts";
import type { GlobalOptions } from "./invocation.ts";
import { jsonIndent } from "./json-form.ts";
import { codeOfWritten } from "./lost-output.ts";
import { reportGithub } from "./report-github.ts";
import { reportPretty } from "./report-pretty.ts";
import { reportSarif } from "./report-sarif.ts";

export interface OutputForm {
  readonly globals: GlobalOptions;
  /** Of findings, where the command has such an option. */
  readonly format?: string | undefined;
}

/** Writes a report in the form that was asked for: results to stdout, talk to stderr; the exit code. */
export function writeReport(world: World, { globals, format }: OutputForm, report: Report): number {
  const { stdout, stderr } = world;
  if (globals.json) stdout.write(report.document ?? reportJson(report, jsonIndent(world.argv)));
  else if (format === "sarif") stdout.write(reportSarif(checkedOut(world, report)));
  else if (format === "github") stdout.write(reportGithub(checkedOut(world, report)));
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

/** The files with their findings; in a workflow of GitHub's their paths begin where it checked out, of which the project may be a part. */
function checkedOut({ env }: World, { parts, data: { root } }: Report): readonly CheckedFile[] {
  const files = parts.flatMap((part) => (part.kind === "findings" ? part.files : []));
  const { GITHUB_WORKSPACE: top } = env;
  if (!top || typeof root !== "string") return files;
  return files.map((file) => {
    const path = relative(top, resolve(root, file.path));
    return path.startsWith("..") || file.path === "<stdin>" ? file : { ...file, path };
  });
}

function useColor(world: World, wanted: boolean): boolean {
  const { env } = world;
  return wanted && !env.NO_COLOR && env.TERM !== "dumb" && world.stdout.isTerminal();
}
