import { basename, dirname } from "node:path";
import { compareDiagnostics, countBySeverity } from "../../base/diagnostic.ts";
import { plural } from "../../base/plural.ts";
import { isProjectId, type ProjectId } from "../../base/project-id.ts";
import { ok, type Result } from "../../base/result.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { Config } from "../../config/config.ts";
import { type ReadError, readText, type TextFile } from "../../platform/read-text.ts";
import { wayToRead } from "../../platform/way-to-read.ts";
import { isMigratable, parseManifest } from "../../resume/parse-manifest.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { findManifest, isManifestOf, manifestPath } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { listProjectIds, PLANNING_FILE_MAX_BYTES } from "../../stores/project-store.ts";
import { countText } from "../check-context.ts";
import type { CommandContext } from "../command-context.ts";
import { lookedInto } from "../looked-into.ts";
import { namedFile } from "../named-file.ts";
import { projectArgument } from "../project-argument.ts";
import { type CheckedFile, done, failed, type Report } from "../report.ts";
import { findingsData } from "../report-json.ts";
import { listedFindings } from "./listed-findings.ts";

/** `resume.validate [project|file]`: findings as for context files; of every project where none is named. */
export async function resumeValidate(context: CommandContext, argument: string | undefined): Promise<Report> {
  const config = await loadConfig(context.paths);
  const files: ManifestFile[] = [];
  const notes: string[] = [...config.notes];
  if (argument !== undefined && looksLikePath(argument)) {
    const path = namedFile(context, argument);
    const file = manifestFile(context, projectOf(path), readText(path, PLANNING_FILE_MAX_BYTES));
    const id = listProjectIds(context.paths, config.value).find((each) =>
      isManifestOf(context.paths, config.value, each, path),
    );
    files.push(id === undefined ? file : withListed(context, config.value, id, file));
  } else {
    const named = argument === undefined ? null : projectArgument(context, config.value, argument);
    if (named !== null && !named.ok) return named.error;
    const ids = named === null ? listProjectIds(context.paths, config.value) : [named.value];
    for (const id of ids) {
      const found = findManifest(context.paths, config.value, id);
      if (!found.ok) files.push(manifestFile(context, id, found));
      else if (found.value !== null) {
        const file = manifestFile(context, id, ok(found.value.file));
        const migrates = found.value.legacy && isMigratable(file.diagnostics);
        const way = migrates ? `${context.invokedAs} resume.migrate ${id} makes a whole manifest of it.` : null;
        files.push(withListed(context, config.value, id, { ...file, way }));
        if (way !== null && (file.valid || named === null)) notes.push(`${file.path} has its old name: ${way}`);
      } else if (named !== null) {
        const path = shownPath(context.paths, manifestPath(context.paths, config.value, id));
        const way = `${context.invokedAs} resume.new ${id} writes one.`;
        files.push(unread(path, "manifest-missing", `${id} has no resume-context.md.`, way));
      }
    }
  }
  const again = `${context.invokedAs} resume.validate${argument === undefined ? "" : ` ${shellWord(argument)}`}`;
  return report(files, again, [...notes, ...(files.length === 0 ? [lookedInto(context)] : [])]);
}

interface ManifestFile extends CheckedFile {
  /** Why it is not read, where it is not. */
  readonly unreadable: string | null;
  readonly valid: boolean;
  /** What to do where it alone is not as it should be; null where that is to mend what was found. */
  readonly way: string | null;
}

function manifestFile(
  { paths }: CommandContext,
  project: string | null,
  read: Result<TextFile, ReadError>,
): ManifestFile {
  if (!read.ok) {
    const path = shownPath(paths, read.error.path);
    const code = read.error.problem === "missing" ? "manifest-missing" : "manifest-unreadable";
    const { problem } = read.error;
    const way = problem === "missing" ? "Name a project or a manifest that is there." : `${wayToRead(problem, path)}.`;
    return unread(path, code, `${path} ${read.error.message}.`, way);
  }
  const { path, text } = read.value;
  const { diagnostics } = parseManifest(text, project);
  const valid = countBySeverity(diagnostics).error === 0;
  return { path: shownPath(paths, path), text, diagnostics, unreadable: null, valid, way: null };
}

/** With what is wrong with the files that it lists. */
function withListed(context: CommandContext, config: Config, id: ProjectId, file: ManifestFile): ManifestFile {
  if (file.unreadable !== null) return file;
  const diagnostics = [...file.diagnostics, ...listedFindings(context, config, id, file.text)];
  return { ...file, diagnostics: diagnostics.sort(compareDiagnostics) };
}

function unread(path: string, code: string, message: string, way: string): ManifestFile {
  const start = { line: 1, column: 1 };
  const finding = { code, severity: "error", message, start, end: start } as const;
  return { path, text: "", diagnostics: [finding], unreadable: message, valid: false, way };
}

/** The name of the folder that such a file is of by its place; null where it lies elsewhere. */
function projectOf(path: string): string | null {
  const folder = dirname(path);
  const project = basename(folder) === "01-planning" ? basename(dirname(folder)) : basename(folder);
  return isProjectId(project) ? project : null;
}

function looksLikePath(argument: string): boolean {
  return /[/\\]/.test(argument) || (argument.endsWith(".md") && !isProjectId(argument));
}

function report(files: readonly ManifestFile[], again: string, notes: readonly string[]): Report {
  const counts = files.map((file) => countBySeverity(file.diagnostics));
  const errors = counts.reduce((sum, count) => sum + count.error, 0);
  const warnings = counts.reduce((sum, count) => sum + count.warning, 0);
  const invalid = counts.filter((count) => count.error > 0).length;
  const unreadable = files.flatMap((file) => file.unreadable ?? []);
  const data = {
    files: files.map(({ path, diagnostics }, index) => ({
      path,
      valid: counts[index]?.error === 0,
      findings: findingsData(diagnostics),
    })),
    unreadable,
    invalid,
  };
  if (files.length === 0) return done("No project has a manifest.\n", data, notes);
  const summary = `${plural(files.length, "manifest")}, ${invalid} invalid: ${countText(errors, warnings)}\n`;
  const parts: Report["parts"] = [
    { kind: "findings", files },
    { kind: "text", text: summary },
  ];
  if (invalid === 0) return { outcome: "done", parts, notes, data };
  const are = invalid === 1 ? "is not as it" : "are not as they";
  const [only = `${plural(invalid, "manifest")} ${are} should be.`] = files.length === 1 ? unreadable : [];
  const hint = (files.length === 1 ? files[0]?.way : null) ?? `Mend what is listed above, then run ${again}.`;
  return failed({ code: "invalid", message: only, hint }, { parts, notes, data });
}
