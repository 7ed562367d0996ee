import { parseOverview } from "../../projects/overview.ts";
import { parseSteps } from "../../projects/steps.ts";
import { manifestValues } from "../../resume/manifest-values.ts";
import { newManifest } from "../../resume/new-manifest.ts";
import { parseManifest } from "../../resume/parse-manifest.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { createManifest, findManifest } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { listProjectFiles, readOverviewFile, readStepsFile } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";
import { projectArgument } from "../project-argument.ts";
import { done, failed, type Report } from "../report.ts";
import { unwritable } from "../unwritable.ts";

/** `resume.new <project>`: a manifest of what the project's planning files say; none is ever written over. */
export async function resumeNew(context: CommandContext, argument: string): Promise<Report> {
  const { paths } = context;
  const config = await loadConfig(paths);
  const project = projectArgument(context, config.value, argument);
  if (!project.ok) return project.error;
  const id = project.value;
  const found = findManifest(paths, config.value, id);
  if (!found.ok) {
    const message = `${shownPath(paths, found.error.path)} ${found.error.message}.`;
    return failed({ code: "manifest-unreadable", message });
  }
  if (found.value !== null) {
    const { file, legacy } = found.value;
    // An update of what is no manifest changes nothing.
    const next = legacy
      ? `resume.migrate ${id} makes a whole manifest of it`
      : parseManifest(file.text, id).manifest === null
        ? `resume.validate ${id} says what is wrong with it`
        : `resume.update ${id} brings it up to date`;
    return failed({
      code: "already-there",
      message: `${shownPath(paths, file.path)} is already there.`,
      hint: `${context.invokedAs} ${next}.`,
    });
  }
  const overview = readOverviewFile(paths, config.value, id);
  const steps = readStepsFile(paths, config.value, id);
  const text = newManifest({
    folderName: id,
    name: (overview.ok ? parseOverview(overview.value.text).name : null) ?? id,
    existingFiles: listProjectFiles(paths, config.value, id),
    values: steps.ok ? manifestValues(parseSteps(steps.value.text)) : {},
    now: context.now().toISOString(),
  });
  const written = createManifest(paths, config.value, id, text);
  if (!written.ok) {
    const shown = shownPath(paths, written.error.path);
    if (!written.error.locked) return failed(unwritable(shown, written.error));
    return failed({ code: "locked", message: `${shown} ${written.error.message}.` }, { outcome: "locked" });
  }
  const shown = shownPath(paths, written.value);
  return done(
    `${shown} is written.\nNext: see which files it lists, and what its gate asks: ${context.invokedAs} resume.show ${id}\n`,
    { project: id, path: shown },
    config.notes,
  );
}
