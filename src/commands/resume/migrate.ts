import { createTwoFilesPatch } from "diff";
import { plural } from "../../base/plural.ts";
import { printableBlock, printableLine } from "../../base/printable.ts";
import type { ProjectId } from "../../base/project-id.ts";
import type { Config } from "../../config/config.ts";
import { parseOverview } from "../../projects/overview.ts";
import { parseSteps } from "../../projects/steps.ts";
import { migrateManifest } from "../../resume/migrate.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { finishReplacing, halfReplaced, replaceLegacy, restoreLegacy } from "../../stores/legacy-manifest.ts";
import { findManifest, MANIFEST } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { listProjectFiles, listProjectIds, readOverviewFile, readStepsFile } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";
import { lookedInto } from "../looked-into.ts";
import { projectArgument } from "../project-argument.ts";
import { done, failed, type Report } from "../report.ts";

export interface MigrateInput {
  readonly project: string | undefined;
  readonly dryRun: boolean;
  readonly rollback: boolean;
}

type Result =
  | {
      readonly project: ProjectId;
      readonly outcome: "migrated" | "would-migrate";
      readonly notes: readonly string[];
      readonly diff: string;
    }
  | { readonly project: ProjectId; readonly outcome: "rolled-back"; readonly notes: readonly string[] }
  | { readonly project: ProjectId; readonly outcome: "nothing-to-do" }
  | { readonly project: ProjectId; readonly outcome: "failed"; readonly message: string };

/** `resume.migrate [project]`: `_resume.md` becomes `resume-context.md`; one bad file does not stop the others. */
export async function resumeMigrate(context: CommandContext, input: MigrateInput): Promise<Report> {
  const config = await loadConfig(context.paths);
  let ids = listProjectIds(context.paths, config.value);
  if (input.project !== undefined) {
    const id = projectArgument(context, config.value, input.project);
    if (!id.ok) return id.error;
    ids = [id.value];
  }
  const results = ids.map((id) =>
    input.rollback ? rollback(context, config.value, id) : migrate(context, config.value, id, input.dryRun),
  );
  return report(results, input, ids.length === 0 ? [...config.notes, lookedInto(context)] : config.notes);
}

function migrate(context: CommandContext, config: Config, id: ProjectId, dryRun: boolean): Result {
  const fail = (message: string): Result => ({ project: id, outcome: "failed", message });
  const found = findManifest(context.paths, config, id);
  if (!found.ok) return fail(`${shownPath(context.paths, found.error.path)} ${found.error.message}.`);
  if (found.value === null) return { project: id, outcome: "nothing-to-do" };
  if (!found.value.legacy) return finish(context, config, id, dryRun);
  const { relative, file } = found.value;
  const overview = readOverviewFile(context.paths, config, id);
  const steps = readStepsFile(context.paths, config, id);
  const migrated = migrateManifest({
    legacyText: file.text,
    folderName: id,
    overviewName: overview.ok ? parseOverview(overview.value.text).name : null,
    existingFiles: listProjectFiles(context.paths, config, id),
    steps: steps.ok ? parseSteps(steps.value.text) : null,
    now: context.now().toISOString(),
  });
  if (!migrated.ok) {
    const { message, start } = migrated.error;
    return fail(`${relative}${start === undefined ? "" : `:${start.line}:${start.column}`} ${message}`);
  }
  const { text, notes } = migrated.value;
  const diff = createTwoFilesPatch(`${id}/${relative}`, `${id}/${MANIFEST}`, file.text, text, "", "", { context: 2 });
  if (dryRun) return { project: id, outcome: "would-migrate", notes, diff };
  const written = replaceLegacy(context.paths, config, id, { legacy: found.value, text });
  if (!written.ok) return fail(`${shownPath(context.paths, written.error.path)} ${written.error.message}.`);
  return { project: id, outcome: "migrated", notes, diff };
}

/** The project has a manifest: there is nothing to do, unless a migration was cut off right before its end. */
function finish(context: CommandContext, config: Config, id: ProjectId, dryRun: boolean): Result {
  const relative = halfReplaced(context.paths, config, id);
  if (relative === null) return { project: id, outcome: "nothing-to-do" };
  const notes = [`An earlier migration was cut off: ${relative} is also kept as ${relative}.bak, and goes.`];
  if (dryRun) return { project: id, outcome: "would-migrate", notes, diff: "" };
  const finished = finishReplacing(context.paths, config, id, relative);
  if (finished.ok) return { project: id, outcome: "migrated", notes, diff: "" };
  const message = `${shownPath(context.paths, finished.error.path)} ${finished.error.message}.`;
  return { project: id, outcome: "failed", message };
}

function rollback(context: CommandContext, config: Config, id: ProjectId): Result {
  const restored = restoreLegacy(context.paths, config, id);
  if (!restored.ok) {
    const message = `${shownPath(context.paths, restored.error.path)} ${restored.error.message}.`;
    return { project: id, outcome: "failed", message };
  }
  if (restored.value === null) return { project: id, outcome: "nothing-to-do" };
  const notes = [`${restored.value.restored} is back; the manifest is kept as ${restored.value.kept}.`];
  return { project: id, outcome: "rolled-back", notes };
}

function report(results: readonly Result[], input: MigrateInput, configNotes: readonly string[]): Report {
  let text = "";
  for (const result of results) {
    switch (result.outcome) {
      case "migrated":
      case "would-migrate":
        text += `${result.project}: ${result.outcome === "migrated" ? "migrated" : "would be migrated"}\n`;
        for (const note of result.notes) text += `  ${printableLine(note)}\n`;
        if (input.dryRun) text += `${printableBlock(result.diff)}\n`;
        break;
      case "rolled-back":
        text += `${result.project}: ${result.notes.join(" ")}\n`;
        break;
      case "failed":
        text += `${result.project}: not ${input.rollback ? "rolled back" : "migrated"}: ${printableLine(result.message)}\n`;
        break;
      case "nothing-to-do":
        break;
      default:
        result satisfies never;
    }
  }
  const count = (outcome: Result["outcome"]): number => results.filter((result) => result.outcome === outcome).length;
  const bad = count("failed");
  const good = count("migrated") + count("would-migrate") + count("rolled-back");
  text += `${plural(good, "project")} ${input.rollback ? "rolled back" : input.dryRun ? "to migrate" : "migrated"}, ${bad} failed, ${count("nothing-to-do")} with nothing to do\n`;
  const data = { projects: results, migrated: good, failed: bad };
  if (bad === 0) return done(text, data, configNotes);
  return failed(
    {
      code: "migration-failed",
      message: `${plural(bad, "project")} could not be ${input.rollback ? "rolled back" : "migrated"}.`,
      hint: "Mend the files named above and run it again: what is done stays done.",
    },
    { parts: [{ kind: "text", text }], notes: configNotes, data },
  );
}
