import type { ReadError } from "../../platform/read-text.ts";
import { wayToRead } from "../../platform/way-to-read.ts";
import { parseSteps } from "../../projects/steps.ts";
import { manifestValues } from "../../resume/manifest-values.ts";
import { writtenPhase } from "../../resume/parse-manifest.ts";
import type { ManifestProblem } from "../../resume/update.ts";
import { updateManifest } from "../../resume/update.ts";
import { loadConfig } from "../../stores/config-store.ts";
import { editManifest, findManifest } from "../../stores/manifest-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { readStepsFile } from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";
import { projectArgument } from "../project-argument.ts";
import { done, failed, type Report } from "../report.ts";
import { unwritable } from "../unwritable.ts";

/** `resume.update <project>`: the manifest says what the steps file says; every other byte stays. */
export async function resumeUpdate(context: CommandContext, argument: string): Promise<Report> {
  const config = await loadConfig(context.paths);
  const id = projectArgument(context, config.value, argument);
  if (!id.ok) return id.error;
  const found = findManifest(context.paths, config.value, id.value);
  if (!found.ok) return unreadable(context, found.error);
  if (found.value === null) {
    return failed({
      code: "manifest-missing",
      message: `${id.value} has no resume-context.md.`,
      hint: `${context.invokedAs} resume.new ${id.value} writes one.`,
    });
  }
  const steps = readStepsFile(context.paths, config.value, id.value);
  if (!steps.ok) return unreadable(context, steps.error);
  const facts = parseSteps(steps.value.text);
  const path = found.value.file.path;
  const edited = editManifest<EditOutcome>(context.paths, path, (text) => {
    const values = manifestValues(facts, writtenPhase(text));
    const updated = updateManifest(text, { ...values, last_updated: context.now().toISOString() });
    if (!updated.ok) return { text: null, result: { kind: "refused", problem: updated.error } };
    return { text: updated.value.text, result: { kind: "updated", changed: updated.value.changed, values } };
  });
  const shown = shownPath(context.paths, path);
  if (!edited.ok) {
    if (!edited.error.locked) return failed(unwritable(shown, edited.error));
    return failed({ code: "locked", message: `${shown} ${edited.error.message}.` }, { outcome: "locked" });
  }
  if (edited.value.kind === "refused") {
    const { code, message, hint, start } = edited.value.problem;
    const place = start === undefined ? "" : `:${start.line}:${start.column}`;
    return failed({ code, message: `${shown}${place} ${message}`, ...(hint === undefined ? {} : { hint }) });
  }
  const { changed, values } = edited.value;
  const empty = facts.total === 0 ? [`${shownPath(context.paths, steps.value.path)} holds no checkbox.`] : [];
  const text =
    changed.length === 0
      ? `${shown}: nothing to change.\n`
      : `${shown}: ${changed.join(", ")} changed.\n${values.progress === undefined ? "" : `${values.progress}\n`}`;
  return done(text, { project: id.value, path: shown, changed, values }, [...config.notes, ...empty]);
}

type EditOutcome =
  | {
      readonly kind: "updated";
      readonly changed: readonly string[];
      readonly values: ReturnType<typeof manifestValues>;
    }
  | { readonly kind: "refused"; readonly problem: ManifestProblem };

function unreadable(context: CommandContext, error: ReadError): Report {
  const path = shownPath(context.paths, error.path);
  return failed({
    code: error.problem === "missing" ? "file-missing" : "file-unreadable",
    message: `${path} ${error.message}.`,
    hint: `${error.problem === "missing" ? "Write the steps there, a box (- [ ]) each" : wayToRead(error.problem, path)}, and run it again.`,
  });
}
