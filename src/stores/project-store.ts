import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { errnoOf } from "../platform/fs-error.ts";
import type { ProjectPaths } from "./paths.ts";

/** A project's folder name: a number, a hyphen, a name. */
const PROJECT_FOLDER = /^[0-9]+-[A-Za-z0-9_-]+$/;

export function projectsFolder(paths: ProjectPaths, config: Config): string {
  return join(paths.root, config.layout.projects);
}

export function projectFolder(paths: ProjectPaths, config: Config, id: string): string {
  return join(projectsFolder(paths, config), id);
}

/** Ids of the project folders in byte order; none where the folder is missing or cannot be listed. */
export function listProjectIds(paths: ProjectPaths, config: Config): readonly string[] {
  try {
    return readdirSync(projectsFolder(paths, config), { withFileTypes: true })
      .filter((entry) => PROJECT_FOLDER.test(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}
