import { plural } from "../../base/plural.ts";
import { printableLine } from "../../base/printable.ts";
import type { ProjectId } from "../../base/project-id.ts";
import { table } from "../../base/table.ts";
import type { Config } from "../../config/config.ts";
import { readGate } from "../../resume/gate.ts";
import type { Manifest } from "../../resume/manifest.ts";
import { isMigratable, parseLegacyManifest, parseManifest } from "../../resume/parse-manifest.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { type ListedFile, lookAtFile } from "../../stores/listed-file.ts";
import { type FoundManifest, findManifest } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { listProjectIds, projectFolder } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";
import { lookedInto } from "../looked-into.ts";
import { projectArgument } from "../project-argument.ts";
import { done, failed, type Problem, type Report } from "../report.ts";

interface Shown {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly problem: Problem | null;
}

/** `resume.show [project]`: a project's manifest and whether its files are there; of every project where none is named. */
export async function resumeShow(context: CommandContext, argument: string | undefined): Promise<Report> {
  const config = await loadConfig(context.paths);
  if (argument !== undefined) {
    const id = projectArgument(context, config.value, argument);
    if (!id.ok) return id.error;
    const shown = show(context, config.value, id.value);
    const parts = [{ kind: "text", text: shown.text } as const];
    if (shown.problem === null) return done(shown.text, shown.data, config.notes);
    return failed(shown.problem, { parts, notes: config.notes, data: shown.data });
  }
  const all = listProjectIds(context.paths, config.value).map((id) => show(context, config.value, id));
  const found = all.filter((shown) => shown.problem?.code !== "manifest-missing");
  // What does not parse is told on stderr, and has no text here.
  const texts = found.flatMap((shown) => (shown.text === "" ? [] : [shown.text]));
  const text = found.length === 0 ? "No project has a manifest.\n" : texts.join("\n");
  const data = { projects: found.map((shown) => shown.data) };
  const [broken, ...more] = found.flatMap((shown) => shown.problem ?? []);
  const none = found.length === 0 ? [lookedInto(context)] : [];
  if (broken === undefined) return done(text, data, [...config.notes, ...none]);
  return failed(broken, {
    parts: [{ kind: "text", text }],
    notes: [...config.notes, ...more.map((problem) => problem.message)],
    data,
  });
}

function show(context: CommandContext, config: Config, id: ProjectId): Shown {
  const found = findManifest(context.paths, config, id);
  if (!found.ok) {
    const message = `${shownPath(context.paths, found.error.path)} ${found.error.message}.`;
    return { text: "", data: { project: id, manifest: null }, problem: { code: "manifest-unreadable", message } };
  }
  if (found.value === null) {
    const message = `${id} has no resume-context.md.`;
    const hint = `${context.invokedAs} resume.new ${id} writes one.`;
    return { text: "", data: { project: id, manifest: null }, problem: { code: "manifest-missing", message, hint } };
  }
  const path = shownPath(context.paths, found.value.file.path);
  const { text } = found.value.file;
  const { manifest: whole, diagnostics, cause } = parseManifest(text, id);
  // A start goes by such a one too.
  const manifest = whole ?? (found.value.legacy ? parseLegacyManifest(text) : null);
  // A refused path is an error of the file, and still a manifest that can be shown.
  if (manifest === null) {
    const place = cause === null ? "" : `:${cause.start.line}:${cause.start.column}`;
    const message = `${path}${place} ${cause?.message ?? "does not parse"}`;
    const migrates = found.value.legacy && isMigratable(diagnostics);
    const hint = `${context.invokedAs} ${migrates ? `resume.migrate ${id} makes a whole manifest of it` : `resume.validate ${id} shows every finding`}.`;
    return {
      text: "",
      data: { project: id, path, manifest: null, findings: diagnostics },
      problem: { code: "manifest-invalid", message, hint },
    };
  }
  const files = manifest.files_to_load.map((listed) => lookAtFile(context.paths, config, id, listed));
  const gate = readGate(text);
  const folder = projectFolder(context.paths, config, id);
  return {
    text: showText({ id, path, folder }, found.value, manifest, files, gate?.questions.length ?? 0),
    data: {
      project: id,
      path,
      folder,
      legacy: found.value.legacy,
      manifest,
      files,
      gate: gate?.questions ?? null,
      findings: diagnostics,
    },
    problem: null,
  };
}

function showText(
  place: { readonly id: ProjectId; readonly path: string; readonly folder: string },
  found: FoundManifest,
  manifest: { readonly [K in Exclude<keyof Manifest, "files_to_load">]?: Manifest[K] | undefined },
  files: readonly ListedFile[],
  questions: number,
): string {
  const rows = [
    ["Manifest", `${place.path}${found.legacy ? " (old name: resume.migrate renames it)" : ""}`],
    ["Folder", place.folder],
    ["Project", manifest.project_id === undefined ? place.id : `${manifest.project_id} (${manifest.project_name})`],
    ["Phase", manifest.current_phase ?? "-"],
    ["Next action", manifest.next_action || "-"],
    ["Progress", manifest.progress ?? "-"],
    ["Section", String(manifest.current_section ?? "-")],
    ["Task", String(manifest.current_task ?? "-")],
    ["Updated", manifest.last_updated ?? "-"],
    ["Gate", questions === 0 ? "none" : plural(questions, "question")],
  ];
  const listed = files.map((file) => [
    `  ${file.state}`,
    printableLine(file.listed),
    file.reason === null ? "" : `(${printableLine(file.reason)})`,
  ]);
  const shown = table(rows.map(([name = "", value = ""]) => [name, printableLine(value)]));
  return `${shown}Files to load, in this order, relative to the folder:\n${listed.length === 0 ? "  none\n" : table(listed)}`;
}
