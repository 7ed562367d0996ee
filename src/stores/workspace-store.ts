import { join } from "node:path";
import type { ProjectId } from "../base/project-id.ts";
import type { Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { realPathInside } from "../platform/contain.ts";
import type { ReadError } from "../platform/read-text.ts";
import { needsYaml, type ProjectSummary, type ProjectTexts, summariseProject } from "../projects/project.ts";
import type { StepsPhase } from "../projects/steps.ts";
import { listFolder } from "./list-folder.ts";
import { type ProjectPaths, shownPath } from "./paths.ts";
import { listProjectIds, openPlanning, projectFolder, projectsFolder } from "./project-store.ts";
import { folderMark, markOf, type ScanCache } from "./scan-cache.ts";

export interface ScannedProject extends ProjectSummary {
  readonly id: ProjectId;
}

export interface ScannedProjects {
  /** In byte order of their ids. */
  readonly projects: readonly ScannedProject[];
  /** What could not be read, a sentence each; the rest is there. */
  readonly notes: readonly string[];
  /** Absolute paths of all that was looked at: while none of them changes, another scan finds the same. */
  readonly looked: readonly string[];
}

/** Every project of the workspace. One that cannot be read is listed by its folder, and said. */
export async function scanProjects(paths: ProjectPaths, config: Config, cache: ScanCache): Promise<ScannedProjects> {
  const notes: string[] = [];
  const ids = listProjectIds(paths, config);
  if (ids.length === 0) {
    // No projects, and projects that cannot be seen, are not the same.
    const listed = listFolder(projectsFolder(paths, config));
    if (!listed.ok) notes.push(`${shownPath(paths, listed.error.path)} ${listed.error.message}.`);
  }
  const projects: ScannedProject[] = [];
  const looked = [projectsFolder(paths, config)];
  const realFolder = realPathInside(paths.root, projectsFolder(paths, config));
  for (const id of ids) {
    projects.push({ id, ...(await scanProject(paths, config, id, cache, { notes, looked, realFolder })) });
  }
  return { projects, notes, looked };
}

const FILES = [
  ["01-planning/01-overview.md", "01-planning/overview.md"],
  ["01-planning/04-steps.md", "01-planning/steps.md"],
  ["01-planning/resume-context.md", "01-planning/_resume.md"],
] as const;

interface Scan {
  readonly notes: string[];
  readonly looked: string[];
  /** Where the projects' folder really is. */
  readonly realFolder: string | null;
}

async function scanProject(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  cache: ScanCache,
  { notes, looked, realFolder }: Scan,
): Promise<ProjectSummary> {
  const folder = projectFolder(paths, config, id);
  // The second name is looked for only where the first is not there, as the readers do.
  const marks = FILES.map(([first, second]) => {
    const path = join(folder, first);
    looked.push(path);
    const mark = markOf(path);
    if (mark !== null) return mark;
    const other = join(folder, second);
    looked.push(other);
    return markOf(other);
  });
  const where = folderMark(join(folder, "01-planning"));
  const mark = [where, ...marks].map((each) => each ?? "-").join(" ");
  const key = `${config.layout.projects}/${id}`;
  const remembered = cache.recall(key, mark);
  if (isSummary(remembered)) return remembered;
  const before = notes.length;
  const text = (file: Result<{ readonly text: string }, ReadError>): string | null => {
    if (!file.ok && file.error.problem !== "missing") notes.push(`${id}: ${file.error.path} ${file.error.message}.`);
    return file.ok ? file.value.text : null;
  };
  const plain = realFolder !== null && where === join(realFolder, id, "01-planning");
  const files = openPlanning(paths, config, id, plain);
  const texts: ProjectTexts = {
    overview: text(files.overview()),
    steps: text(files.steps()),
    manifest: text(files.manifest()),
  };
  const readYaml = needsYaml(texts) ? (await import("../projects/read-yaml.ts")).readYaml : null;
  const summary = summariseProject(id, texts, readYaml);
  // A file that could not be read may be readable at the next run without having changed.
  if (notes.length === before) cache.remember(key, mark, summary);
  return summary;
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isTextOrNull: Check = (value) => value === null || typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";

const SUMMARY = {
  name: isText,
  status: isText,
  phase: (value) => value === null || PHASES.has(value),
  closed: isNumber,
  total: isNumber,
  currentTask: isTextOrNull,
  currentSection: (value) => value === null || isNumber(value),
  description: isTextOrNull,
  updated: isTextOrNull,
} satisfies Record<keyof ProjectSummary, Check>;

const PHASES: ReadonlySet<unknown> = new Set(["empty", "planning", "execution", "complete"] satisfies StepsPhase[]);

/** The cache is a file like any other: what was edited there must not bring down who reads it. */
function isSummary(value: unknown): value is ProjectSummary {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    fields.size === Object.keys(SUMMARY).length && Object.entries(SUMMARY).every(([key, is]) => is(fields.get(key)))
  );
}
