import type { Config } from "../config/config.ts";
import { type Looks, NUMBERS, noLooks } from "../platform/file-marks.ts";
import type { Skill, SkillKind } from "../skills/skill.ts";
import type { ProjectPaths } from "./paths.ts";
import { projectsFolder } from "./project-store.ts";
import { rescanSkill } from "./skill-store.ts";
import type { EarlierScan } from "./start-memo.ts";
import { isScannedProject, rescanProject, type ScannedProject } from "./workspace-store.ts";

/** All skills and projects of a workspace, as scans find them. */
export interface WorkspaceScan {
  readonly skills: readonly Skill[];
  readonly projects: readonly ScannedProject[];
}

/** A scan brought up to date. */
export interface Rescanned extends WorkspaceScan {
  readonly notes: readonly string[];
  /** All that it depends on. */
  readonly looks: Looks;
}

/**
 * An earlier scan with those projects and skills read anew whose files have changed; the same as a new scan finds. Null
 * where something else of it has changed, such as a folder.
 */
export async function rescan(paths: ProjectPaths, config: Config, earlier: EarlierScan): Promise<Rescanned | null> {
  const before = earlier.scan();
  if (!isWorkspaceScan(before)) return null;
  const folder = `${projectsFolder(paths, config)}/`;
  const ids = new Set<string>();
  const skillFiles = new Set<string>();
  for (const path of earlier.changed) {
    const id = projectIn(folder, path);
    if (id !== null && before.projects.some((project) => project.id === id)) ids.add(id);
    else if (before.skills.some((skill) => `${paths.root}/${skill.path}` === path)) skillFiles.add(path);
    else return null;
  }
  const looks = noLooks();
  const notes: string[] = [];
  const projects: ScannedProject[] = [];
  for (const project of before.projects) {
    projects.push(ids.has(project.id) ? await rescanProject(paths, config, project.id, looks, notes) : project);
  }
  const skills: Skill[] = [];
  for (const skill of before.skills) {
    const now = skillFiles.has(`${paths.root}/${skill.path}`) ? await rescanSkill(paths, skill, looks, notes) : skill;
    if (now === null) return null;
    skills.push(now);
  }
  const isOld = (path: string): boolean =>
    skillFiles.has(path) || (ids.size > 0 && ids.has(projectIn(folder, path) ?? ""));
  keepLooks(earlier.looks, isOld, looks);
  return { skills, projects, notes, looks };
}

function projectIn(folder: string, path: string): string | null {
  const end = path.startsWith(folder) ? path.indexOf("/", folder.length) : -1;
  return end === -1 ? null : path.slice(folder.length, end);
}

function keepLooks(from: Looks, isOld: (path: string) => boolean, to: Looks): void {
  for (const [index, path] of from.paths.entries()) {
    if (isOld(path)) continue;
    to.paths.push(path);
    for (let at = 0; at < NUMBERS; at++) to.marks.push(from.marks[index * NUMBERS + at] ?? 0);
  }
}

const KINDS: ReadonlySet<unknown> = new Set(["system", "integration", "user", "project"] satisfies SkillKind[]);

function isWorkspaceScan(value: unknown): value is WorkspaceScan {
  if (typeof value !== "object" || value === null) return false;
  if (!("skills" in value) || !Array.isArray(value.skills) || !value.skills.every(isSkill)) return false;
  return "projects" in value && Array.isArray(value.projects) && value.projects.every(isScannedProject);
}

function isSkill(value: unknown): value is Skill {
  if (typeof value !== "object" || value === null) return false;
  if (!("name" in value) || typeof value.name !== "string") return false;
  if (!("description" in value) || typeof value.description !== "string") return false;
  if (!("path" in value) || typeof value.path !== "string") return false;
  if (!("category" in value) || (value.category !== null && typeof value.category !== "string")) return false;
  return "kind" in value && KINDS.has(value.kind);
}
