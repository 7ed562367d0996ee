import { join } from "node:path";
import type { ProjectId } from "../../base/project-id.ts";
import type { Config } from "../../config/config.ts";
import { optimising } from "../../platform/optimiser.ts";
import { isFolder } from "../../platform/stat-of.ts";
import { defaultFiles } from "../../resume/default-files.ts";
import { readGate } from "../../resume/gate.ts";
import { type ManifestCore, readManifestFast } from "../../resume/manifest-fast.ts";
import { classifyPath, REFUSALS } from "../../resume/manifest-paths.ts";
import { isInlinedInExecution } from "../../session-start/compact-document.ts";
import type { FileFact, ProjectFacts, Resumption } from "../../session-start/facts.ts";
import { findManifest, manifestPath } from "../../stores/manifest-store.ts";
import { inRoot, shownPath } from "../../stores/paths.ts";
import {
  listProjectFiles,
  projectFolder,
  readOverviewFile,
  readProjectFile,
  readStepsFile,
} from "../../stores/project-store.ts";
import type { CommandContext } from "../command-context.ts";
import type { StartDecision } from "./decide.ts";
import { fileContent, readRootFile } from "./file-fact.ts";

export interface GatheredProject {
  readonly project: ProjectFacts;
  readonly resumption: Resumption;
}

/** What the compact document shows of the project in hand, and whether it can be gone on with. */
export async function gatherProject(
  context: CommandContext,
  config: Config,
  id: ProjectId,
  start: StartDecision,
): Promise<GatheredProject> {
  const skill = start.decision.skill === "plan-project" ? "plan-project" : "execute-project";
  const manifest = await readManifest(context, config, id);
  const listed =
    manifest.kind === "read" ? manifest.core.files_to_load : defaultFiles(listProjectFiles(context.paths, config, id));
  // Execution goes on from overview and steps; what else the manifest lists is named, to be read when it is needed.
  const wanted = (path: string): boolean => skill === "plan-project" || isInlinedInExecution(path);
  const files = eachOnce(listed.map((path) => projectFile(context, config, id, path, wanted(path))));
  // The boxes say what comes next, though a manifest may have left their file out.
  const beside =
    skill === "plan-project"
      ? []
      : [readOverviewFile, readStepsFile].flatMap((read): FileFact[] => {
          const file = read(context.paths, config, id);
          if (!file.ok || files.some(({ absolutePath }) => absolutePath === file.value.path)) return [];
          const { path } = file.value;
          return [{ path: shownPath(context.paths, path), absolutePath: path, content: fileContent(file) }];
        });
  const missing = files
    .filter(({ content: { kind } }) => kind !== "text" && kind !== "listed" && kind !== "folder")
    .map(({ path }) => path);
  const { steps } = start;
  const project: ProjectFacts = {
    id,
    phase: skill === "plan-project" ? "planning" : "execution",
    skill,
    currentTask: steps?.currentTask?.text ?? null,
    closed: steps?.closed ?? 0,
    total: steps?.total ?? 0,
    confidence: start.confidence,
    manifest:
      manifest.kind === "read"
        ? {
            path: manifest.path,
            absolutePath: inRoot(context.paths, manifest.path),
            // One that names no action leaves it to the phase.
            nextAction: manifest.core.next_action.trim() || skill,
            currentSection: manifest.core.current_section ?? null,
            currentTask: manifest.core.current_task ?? null,
            questions: manifest.questions,
          }
        : null,
    files,
    beside,
    skillFile: readRootFile(context.paths, `${config.layout.system}/skills/projects/${skill}/SKILL.md`),
  };
  if (manifest.kind !== "read") return { project, resumption: manifest.resumption };
  return {
    project,
    resumption: missing.length === 0 ? { kind: "resumed" } : { kind: "files-missing", paths: missing },
  };
}

/** A file that a manifest lists twice, however it spells it, takes its room once. */
function eachOnce(files: readonly FileFact[]): readonly FileFact[] {
  const seen = new Set<string>();
  return files.filter(({ absolutePath }) => !seen.has(absolutePath) && seen.add(absolutePath));
}

type Core = Pick<ManifestCore, "files_to_load" | "next_action" | "current_section" | "current_task">;

type ReadManifest =
  | { readonly kind: "read"; readonly path: string; readonly core: Core; readonly questions: readonly string[] }
  | { readonly kind: "not-read"; readonly resumption: Resumption };

async function readManifest(context: CommandContext, config: Config, id: ProjectId): Promise<ReadManifest> {
  const found = findManifest(context.paths, config, id);
  if (!found.ok) {
    const path = shownPath(context.paths, found.error.path);
    return { kind: "not-read", resumption: { kind: "fault", message: `${path} ${found.error.message}.` } };
  }
  if (found.value === null) {
    const path = shownPath(context.paths, manifestPath(context.paths, config, id));
    return { kind: "not-read", resumption: { kind: "manifest-missing", projectId: id, path } };
  }
  const { text } = found.value.file;
  const path = shownPath(context.paths, found.value.file.path);
  const questions = (readGate(text)?.questions ?? []).map((question) =>
    question.from === null ? question.text : `${question.text} (from ${question.from})`,
  );
  const fast = readManifestFast(text);
  if (fast !== null) return { kind: "read", path, core: fast, questions };
  // Two libraries, loaded only for what the plain reader cannot take.
  const { isMigratable, parseManifest, startManifest } = await optimising(
    () => import("../../resume/parse-manifest.ts"),
  );
  const parsed = parseManifest(text);
  const { diagnostics, cause } = parsed;
  const core = startManifest(text, found.value.legacy, parsed);
  if (core !== null) return { kind: "read", path, core, questions };
  return {
    kind: "not-read",
    resumption: {
      kind: "front-matter-invalid",
      projectId: id,
      path,
      line: cause?.start.line ?? 1,
      column: cause?.start.column ?? 1,
      problem: cause?.message ?? "it does not parse",
      migrates: found.value.legacy && isMigratable(diagnostics),
    },
  };
}

function projectFile(
  context: CommandContext,
  config: Config,
  id: ProjectId,
  listed: string,
  inlined: boolean,
): FileFact {
  const folder = projectFolder(context.paths, config, id);
  const place = classifyPath(listed);
  if (place.kind === "refused") {
    const reason = REFUSALS[place.reason];
    return { path: listed, absolutePath: listed, content: { kind: "refused", reason } };
  }
  const absolutePath = join(folder, place.path);
  const read = readProjectFile(context.paths, config, id, place.path);
  const isOfFiles = !read.ok && read.error.problem === "not-a-file" && isFolder(absolutePath);
  const content = isOfFiles ? ({ kind: "folder" } as const) : fileContent(read);
  const shown = content.kind === "text" && !inlined ? ({ kind: "listed" } as const) : content;
  return { path: shownPath(context.paths, absolutePath), absolutePath, content: shown };
}
