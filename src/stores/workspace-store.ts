import { isObject } from "../base/json-value.ts";
import { merged } from "../base/merged.ts";
import { isProjectId, type ProjectId } from "../base/project-id.ts";
import type { Config } from "../config/config.ts";
import { realPathInside } from "../platform/contain.ts";
import { type Looks, lookAt, noLooks, noteLook } from "../platform/file-marks.ts";
import { optimising } from "../platform/optimiser.ts";
import { isFile } from "../platform/quick-stat.ts";
import { readPlainText } from "../platform/read-text.ts";
import { type ProjectSummary, type ProjectTexts, summariseProject } from "../projects/project.ts";
import type { StepsPhase } from "../projects/steps.ts";
import { listFolder } from "./list-folder.ts";
import { type ProjectPaths, shownPath } from "./paths.ts";
import { listProjectIds, openPlanning, PLANNING_FILE_MAX_BYTES, projectsFolder } from "./project-store.ts";
import { changeOf, folderMark, markFrom, NO_SCAN_CACHE, type ScanCache } from "./scan-cache.ts";

export interface ScannedProject extends ScannedSummary {
  readonly id: ProjectId;
}

interface ScannedSummary extends Omit<ProjectSummary, "fault"> {
  /** The same as a sentence that begins with the file: unlike what could not be read, it lasts while the file is as it is. */
  readonly fault: string | null;
}

export interface ScannedProjects {
  /** In byte order of their ids. */
  readonly projects: readonly ScannedProject[];
  /** What could not be read, a sentence each; the rest is there. */
  readonly notes: readonly string[];
}

/**
 * Every project of the workspace. One that cannot be read is listed by its folder, and said. While nothing changes of what
 * is noted in `looks`, another scan finds the same.
 */
export async function scanProjects(
  paths: ProjectPaths,
  config: Config,
  cache: ScanCache,
  looks: Looks = noLooks(),
): Promise<ScannedProjects> {
  const notes: string[] = [];
  const folder = projectsFolder(paths, config);
  noteLook(looks, folder, lookAt(folder));
  const ids = listProjectIds(paths, config);
  if (ids.length === 0) {
    // No projects, and projects that cannot be seen, are not the same.
    const listed = listFolder(folder);
    if (!listed.ok) notes.push(`${shownPath(paths, listed.error.path)} ${listed.error.message}.`);
  }
  const projects: ScannedProject[] = [];
  const realFolder = realPathInside(paths.root, folder);
  for (const id of ids) {
    const scan = { notes, looks, projects: folder, realFolder };
    projects.push(merged({ id }, await scanProject(paths, config, id, cache, scan)));
  }
  return { projects, notes };
}

/** What is wrong with the overviews of projects, a sentence each. */
export function faultsOf(projects: readonly ScannedProject[]): readonly string[] {
  return projects.flatMap(({ fault }) => fault ?? []);
}

/** One of the projects that an earlier scan found, read anew. */
export async function rescanProject(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  looks: Looks,
  notes: string[],
): Promise<ScannedProject> {
  const projects = projectsFolder(paths, config);
  const scan = { notes, looks, projects, realFolder: realPathInside(paths.root, projects) };
  return merged({ id }, await scanProject(paths, config, id, NO_SCAN_CACHE, scan));
}

const FILES = [
  ["01-planning/01-overview.md", "01-planning/overview.md"],
  ["01-planning/04-steps.md", "01-planning/steps.md"],
  ["01-planning/resume-context.md", "01-planning/_resume.md"],
] as const;

interface Scan {
  readonly notes: string[];
  readonly looks: Looks;
  /** The projects' folder. */
  readonly projects: string;
  /** Where it really is. */
  readonly realFolder: string | null;
}

async function scanProject(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  cache: ScanCache,
  { notes, looks, projects, realFolder }: Scan,
): Promise<ScannedSummary> {
  const folder = `${projects}/${id}`;
  // The second name is looked for only where the first is not there, as the readers do.
  const seen = FILES.map(([first, second]) => {
    const path = `${folder}/${first}`;
    const found = lookAt(path);
    noteLook(looks, path, found);
    if (found !== undefined) return { path, found };
    const other = `${folder}/${second}`;
    const instead = lookAt(other);
    noteLook(looks, other, instead);
    return { path: other, found: instead };
  });
  const where = folderMark(`${folder}/01-planning`);
  const mark = `${where ?? "-"} ${seen.map(({ found }) => markFrom(found) ?? "-").join(" ")}`;
  const key = `${config.layout.projects}/${id}`;
  const remembered = cache.recall(key, mark);
  if (isSummary(remembered)) return remembered;
  const before = notes.length;
  const plain = realFolder !== null && where === `${realFolder}/${id}/01-planning`;
  const text = (index: number, name: "overview" | "steps" | "manifest"): string | null => {
    const look = plain ? seen[index] : undefined;
    if (typeof look?.found === "object" && isFile(look.found) && look.found.size <= PLANNING_FILE_MAX_BYTES) {
      const quick = readPlainText(look.path);
      if (quick !== null) return quick;
    }
    const file = openPlanning(paths, config, id, plain)[name]();
    if (!file.ok && file.error.problem !== "missing") notes.push(`${id}: ${file.error.path} ${file.error.message}.`);
    return file.ok ? file.value.text : null;
  };
  const texts: ProjectTexts = {
    overview: text(0, "overview"),
    steps: text(1, "steps"),
    manifest: text(2, "manifest"),
  };
  let plainly = true;
  let summary = summariseProject(id, texts, () => {
    plainly = false;
    return null;
  });
  // A parser that is loaded only for what it alone can take.
  if (!plainly)
    summary = summariseProject(id, texts, (await optimising(() => import("../projects/read-yaml.ts"))).readYaml);
  const { fault } = summary;
  const told =
    fault &&
    `${shownPath(paths, seen[0]?.path ?? folder)}, line ${fault.line}, column ${fault.column}: ${fault.message}.`;
  const scanned = merged(summary, { fault: told });
  // A file that could not be read may be readable at the next run without having changed.
  const changed = Math.max(...seen.map(({ found }) => changeOf(found)));
  if (notes.length === before) cache.remember(key, mark, changed, scanned);
  return scanned;
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
  fault: isTextOrNull,
} satisfies Record<keyof ScannedSummary, Check>;

const PHASES: ReadonlySet<unknown> = new Set(["empty", "planning", "execution", "complete"] satisfies StepsPhase[]);

const CHECKS = Object.entries(SUMMARY);

/** The cache is a file like any other: what was edited there must not bring down who reads it. */
function isSummary(value: unknown): value is ScannedSummary {
  return isObject(value) && Object.keys(value).length === CHECKS.length && CHECKS.every(([key, is]) => is(value[key]));
}

/** Whether a value, read from a file, is what a scan finds of a project. */
export function isScannedProject(value: unknown): value is ScannedProject {
  if (!isObject(value)) return false;
  const { id, ...summary } = value;
  return typeof id === "string" && isProjectId(id) && isSummary(summary);
}
