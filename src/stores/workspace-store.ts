import { join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import type { Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import type { ReadError } from "../platform/read-text.ts";
import { type ProjectSummary, summariseProject } from "../projects/project.ts";
import type { ProjectPaths } from "./paths.ts";
import { listProjectIds, projectFolder, readManifestFile, readOverviewFile, readStepsFile } from "./project-store.ts";
import { markOf, type ScanCache } from "./scan-cache.ts";

export interface ScannedProject extends ProjectSummary {
  readonly id: ProjectId;
}

export interface ScannedProjects {
  /** In byte order of their ids. */
  readonly projects: readonly ScannedProject[];
  /** What could not be read, a sentence each; the rest is there. */
  readonly notes: readonly string[];
}

/** Every project of the workspace. One that cannot be read is listed by its folder, and said. */
export function scanProjects(paths: ProjectPaths, config: Config, cache: ScanCache): ScannedProjects {
  const notes: string[] = [];
  const projects = listProjectIds(paths, config).map((id) => ({ id, ...scanProject(paths, config, id, cache, notes) }));
  return { projects, notes };
}

const FILES = [
  ["01-planning/01-overview.md", "01-planning/overview.md"],
  ["01-planning/04-steps.md", "01-planning/steps.md"],
  ["01-planning/resume-context.md", "01-planning/_resume.md"],
] as const;

function scanProject(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  cache: ScanCache,
  notes: string[],
): ProjectSummary {
  const folder = projectFolder(paths, config, id);
  // The second name is looked for only where the first is not there, as the readers do.
  const mark = FILES.map(([first, second]) => markOf(join(folder, first)) ?? markOf(join(folder, second)) ?? "-").join(
    " ",
  );
  const key = `${config.layout.projects}/${id}`;
  const remembered = cache.recall(key, mark);
  if (isSummary(remembered)) return remembered;
  const before = notes.length;
  const text = (file: Result<{ readonly text: string }, ReadError>): string | null => {
    if (!file.ok && file.error.problem !== "missing") notes.push(`${id}: ${file.error.path} ${file.error.message}.`);
    return file.ok ? file.value.text : null;
  };
  const summary = summariseProject(id, {
    overview: text(readOverviewFile(paths, config, id)),
    steps: text(readStepsFile(paths, config, id)),
    manifest: text(readManifestFile(paths, config, id)),
  });
  // A file that could not be read may be readable at the next run without having changed.
  if (notes.length === before) cache.remember(key, mark, summary);
  return summary;
}

function isSummary(value: unknown): value is ProjectSummary {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    "status" in value &&
    typeof value.status === "string" &&
    "phase" in value &&
    "closed" in value &&
    typeof value.closed === "number" &&
    "total" in value &&
    typeof value.total === "number" &&
    "currentTask" in value &&
    "currentSection" in value &&
    "description" in value &&
    "updated" in value
  );
}
