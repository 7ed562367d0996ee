import { type Dirent, existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isProjectId, type ProjectId } from "../base/project-id.ts";
import { err, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import { realPathInside } from "../platform/contain.ts";
import { orNull } from "../platform/fs-error.ts";
import { type ReadError, readText, type TextFile } from "../platform/read-text.ts";
import type { KnownProjects } from "../transcript/project-path.ts";
import type { ProjectPaths } from "./paths.ts";

/** A planning file is read by an agent whole: one of a megabyte would fill its memory. */
export const PLANNING_FILE_MAX_BYTES = 1024 * 1024;

export function projectsFolder(paths: ProjectPaths, config: Config): string {
  return join(paths.root, config.layout.projects);
}

export function projectFolder(paths: ProjectPaths, config: Config, id: ProjectId): string {
  return join(projectsFolder(paths, config), id);
}

/** Ids of the project folders in byte order; none where the folder is missing or cannot be listed. */
export function listProjectIds(paths: ProjectPaths, config: Config): readonly ProjectId[] {
  return entriesOf(projectsFolder(paths, config))
    .filter(mayHoldAProject)
    .map((entry) => entry.name)
    .filter(isProjectId);
}

/** Its target may be anything; whoever reads the project finds out. */
function mayHoldAProject(entry: Dirent | Stats): boolean {
  return entry.isDirectory() || entry.isSymbolicLink();
}

/**
 * Those that `listProjectIds` lists, in no order; null where none has a project's name. Whether a folder has it is looked up
 * where it is asked for: to be told of a hundred entries what they are takes a sixth of the time of finding the project in hand.
 */
export function openProjects(paths: ProjectPaths, config: Config): KnownProjects | null {
  const folder = projectsFolder(paths, config);
  const names = new Set<string>((orNull(() => readdirSync(folder)) ?? []).filter(isProjectId));
  if (names.size === 0) return null;
  const folders = new Map<string, boolean>();
  const isOne = (id: string): boolean => {
    const known = folders.get(id) ?? isThere(join(folder, id));
    folders.set(id, known);
    return known;
  };
  const has = (id: string): boolean => names.has(id) && isOne(id);
  return { has, [Symbol.iterator]: () => [...names].filter(isOne).values() };
}

function isThere(path: string): boolean {
  const stat = orNull(() => lstatSync(path, { throwIfNoEntry: false }) ?? null);
  return stat !== null && mayHoldAProject(stat);
}

/** The three files that a project is planned in, under either of their names; each is read when it is asked for. */
export interface PlanningFiles {
  readonly overview: () => Result<TextFile, ReadError>;
  readonly steps: () => Result<TextFile, ReadError>;
  readonly manifest: () => Result<TextFile, ReadError>;
}

/**
 * `missing` is what a file is told of that stands under neither of its names. `plain`: no link leads to the planning folder,
 * so that a file in it lies where its name says, and one look at the folder served for all of them.
 */
export function openPlanning(paths: ProjectPaths, config: Config, id: ProjectId, plain = false): PlanningFiles {
  const folder = projectFolder(paths, config, id);
  const read = (names: readonly [string, string]): Result<TextFile, ReadError> => {
    const first = one(names[0]);
    if (first.ok || first.error.problem !== "missing") return first;
    const second = one(names[1]);
    return second.ok || second.error.problem !== "missing" ? second : first;
  };
  const one = (name: string): Result<TextFile, ReadError> => {
    const relative = `${PLANNING}/${name}`;
    if (plain) {
      const file = readText(`${folder}/${relative}`, PLANNING_FILE_MAX_BYTES, "refuse");
      if (file.ok || file.error.problem !== "link") return file;
    }
    return readProjectFile(paths, config, id, relative);
  };
  return {
    overview: () => read(["01-overview.md", "overview.md"]),
    steps: () => read(["04-steps.md", "steps.md"]),
    manifest: () => read(["resume-context.md", "_resume.md"]),
  };
}

const PLANNING = "01-planning";

/** The steps file under either of its names. */
export function readStepsFile(paths: ProjectPaths, config: Config, id: ProjectId): Result<TextFile, ReadError> {
  return openPlanning(paths, config, id).steps();
}

export function readOverviewFile(paths: ProjectPaths, config: Config, id: ProjectId): Result<TextFile, ReadError> {
  return openPlanning(paths, config, id).overview();
}

/** A file of a project by its path relative to the project; a link that leads out of the project is refused. */
export function readProjectFile(
  paths: ProjectPaths,
  config: Config,
  id: ProjectId,
  relative: string,
): Result<TextFile, ReadError> {
  const folder = projectFolder(paths, config, id);
  const path = join(folder, relative);
  const inRoot = realPathInside(paths.root, folder) !== null;
  if (!inRoot || realPathInside(folder, path) === null) {
    const leads = existsSync(inRoot ? path : folder) ? "out of the project" : "to no file";
    return err({ problem: "link", path, message: `is a link that leads ${leads}` });
  }
  return readText(path, PLANNING_FILE_MAX_BYTES);
}

/** Enough for any project that a person keeps; a checked-out repository inside must not cost seconds. */
const LISTED_FILES_MAX = 2000;
const LISTED_DEPTH_MAX = 4;

/** Files of a project relative to it, with forward slashes, nearest folders first; links are not followed. */
export function listProjectFiles(paths: ProjectPaths, config: Config, id: ProjectId): readonly string[] {
  const files: string[] = [];
  let folders = [""];
  for (let depth = 0; depth < LISTED_DEPTH_MAX && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      for (const entry of entriesOf(join(projectFolder(paths, config, id), folder))) {
        const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) below.push(relative);
        else if (entry.isFile() && files.length < LISTED_FILES_MAX) files.push(relative);
      }
    }
    folders = files.length < LISTED_FILES_MAX ? below : [];
  }
  return files;
}

function entriesOf(folder: string): readonly Dirent[] {
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
