import { resolve } from "node:path";
import { countBySeverity } from "../../base/diagnostic.ts";
import { isProjectId } from "../../base/project-id.ts";
import { readText, type TextFile } from "../../platform/read-text.ts";
import { parseManifest } from "../../resume/parse-manifest.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { findManifest } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { listProjectIds, PLANNING_FILE_MAX_BYTES } from "../../stores/project-store.ts";
import { countText, plural } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { projectArgument } from "../project-argument.ts";
import { type CheckedFile, done, failed, type Report } from "../report.ts";

/** `resume.validate [project|file]`: findings as for context files; of every project where none is named. */
export async function resumeValidate(context: CommandContext, argument: string | undefined): Promise<Report> {
  const config = await loadConfig(context.paths);
  const files: TextFile[] = [];
  const unreadable: string[] = [];
  if (argument !== undefined && looksLikePath(argument)) {
    const file = readText(resolve(context.cwd, argument), PLANNING_FILE_MAX_BYTES);
    if (file.ok) files.push(file.value);
    else unreadable.push(`${shownPath(context.paths, file.error.path)} ${file.error.message}.`);
  } else {
    const named = argument === undefined ? null : projectArgument(context, config.value, argument);
    if (named !== null && !named.ok) return named.error;
    const ids = named === null ? listProjectIds(context.paths, config.value) : [named.value];
    for (const id of ids) {
      const found = findManifest(context.paths, config.value, id);
      if (!found.ok) unreadable.push(`${shownPath(context.paths, found.error.path)} ${found.error.message}.`);
      else if (found.value !== null) files.push(found.value.file);
      else if (named !== null) unreadable.push(`${id} has no resume-context.md.`);
    }
  }
  return report(context, files, unreadable, config.notes);
}

function looksLikePath(argument: string): boolean {
  return /[/\\]/.test(argument) || (argument.endsWith(".md") && !isProjectId(argument));
}

function report(
  context: CommandContext,
  files: readonly TextFile[],
  unreadable: readonly string[],
  configNotes: readonly string[],
): Report {
  const checked: CheckedFile[] = files.map((file) => ({
    path: shownPath(context.paths, file.path),
    text: file.text,
    diagnostics: parseManifest(file.text).diagnostics,
  }));
  const counts = checked.map((file) => countBySeverity(file.diagnostics));
  const errors = counts.reduce((sum, count) => sum + count.error, 0);
  const warnings = counts.reduce((sum, count) => sum + count.warning, 0);
  const invalid = counts.filter((count) => count.error > 0).length + unreadable.length;
  const data = {
    files: checked.map(({ path, diagnostics }, index) => ({
      path,
      valid: counts[index]?.error === 0,
      findings: diagnostics.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined })),
    })),
    unreadable,
    invalid,
  };
  if (checked.length === 0 && unreadable.length === 0) return done("No project has a manifest.\n", data, configNotes);
  const summary = `${plural(checked.length + unreadable.length, "manifest")}, ${invalid} invalid: ${countText(errors, warnings)}\n`;
  const parts: Report["parts"] = [
    { kind: "findings", files: checked },
    { kind: "text", text: summary },
  ];
  const notes = [...configNotes, ...unreadable];
  if (invalid === 0) return { outcome: "done", parts, notes, data };
  return failed(
    { code: "invalid", message: `${plural(invalid, "manifest")} not as it should be.` },
    { parts, notes, data },
  );
}
