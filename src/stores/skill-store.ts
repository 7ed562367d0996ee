import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../base/diagnostic.ts";
import { isObject } from "../base/json-value.ts";
import { merged } from "../base/merged.ts";
import type { Config } from "../config/config.ts";
import { isInside, realPathInside } from "../platform/contain.ts";
import { type Looks, lookAt, noLooks, noteLook } from "../platform/file-marks.ts";
import { describeErrno, errnoOf } from "../platform/fs-error.ts";
import { optimising } from "../platform/optimiser.ts";
import { isFile } from "../platform/quick-stat.ts";
import { readPlainText, readText } from "../platform/read-text.ts";
import { compareBytes } from "../skills/byte-order.ts";
import { type SkillPlace, skillPlaces } from "../skills/classify.ts";
import type { ParsedSkill } from "../skills/open-skill.ts";
import { parseSkillFast } from "../skills/parse-skill-fast.ts";
import type { Skill } from "../skills/skill.ts";
import type { ProjectPaths } from "./paths.ts";
import { changeOf, type FileMark, markFrom, NO_SCAN_CACHE, type ScanCache } from "./scan-cache.ts";

export interface SkillFinding {
  /** Of the `SKILL.md`, relative to the root. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ScannedSkills {
  /** In byte order of their paths. */
  readonly skills: readonly Skill[];
  readonly findings: readonly SkillFinding[];
  /** Folders and files that could not be read, a sentence each. */
  readonly notes: readonly string[];
}

/** A skill's file is an instruction to read at once. */
const SKILL_MAX_BYTES = 512 * 1024;
/** Deeper than any category of categories. */
const DEPTH_MAX = 6;

export interface SkillScan {
  /** While nothing changes of what is noted here, another scan finds the same. */
  readonly looks?: Looks;
  /** Those that lie where none is read are looked for too, to be told. */
  readonly deeper?: boolean;
}

/** Every skill of the project: what can be loaded is loaded, the rest is reported. */
export async function scanSkills(
  paths: ProjectPaths,
  config: Config,
  cache: ScanCache,
  { looks = noLooks(), deeper = false }: SkillScan = {},
): Promise<ScannedSkills> {
  const { system, skills: own } = config.layout;
  const notes: string[] = [];
  const skills: Skill[] = [];
  const findings: SkillFinding[] = [];
  const placeOf = skillPlaces({ system, skills: own });
  for (const folder of [`${system}/skills`, own, ".claude/skills"]) {
    const files = findSkills(paths, folder, notes, looks, deeper);
    for (const file of files) {
      const { path } = file;
      const place = placeOf(path);
      if (place === null) {
        if (deeper) notes.push(misplaced(path));
        continue;
      }
      const parsed = await readSkill(paths, file, place, cache, notes);
      if (parsed === null) continue;
      skills.push(merged(parsed.skill, { path, category: place.category, kind: place.kind }));
      if (parsed.diagnostics.length > 0) findings.push({ path, diagnostics: parsed.diagnostics });
    }
  }
  return { skills, findings, notes };
}

/** One of the skills that an earlier scan found, read anew; null where its file is gone, or no file any more, or cannot be read. */
export async function rescanSkill(
  paths: ProjectPaths,
  { path, category, kind }: Skill,
  looks: Looks,
  notes: string[],
): Promise<Skill | null> {
  const full = `${paths.root}/${path}`;
  const found = lookAt(full);
  if (typeof found !== "object" || !isFile(found)) return null;
  noteLook(looks, full, found);
  const folderName = path.split("/").at(-2) ?? "";
  // Whether a link leads to its folder is not known: then it is asked for.
  const file = { path, full, mark: null, changed: 0, linked: true, plain: false };
  const parsed = await readSkill(paths, file, { kind, category, folderName }, NO_SCAN_CACHE, notes);
  return parsed === null ? null : merged(parsed.skill, { path, category, kind });
}

interface SkillFile {
  /** Relative to the root. */
  readonly path: string;
  readonly full: string;
  readonly mark: FileMark | null;
  /** When it last changed: `changeOf`. */
  readonly changed: number;
  /** Whether a link leads to its folder. */
  readonly linked: boolean;
  /** Whether a look showed a regular file of a fair size. */
  readonly plain: boolean;
}

/** The `SKILL.md` files below a folder, in byte order of their paths. A folder that is a skill holds no others. */
function findSkills(
  paths: ProjectPaths,
  top: string,
  notes: string[],
  looks: Looks,
  deeper: boolean,
): readonly SkillFile[] {
  if (realPathInside(paths.root, join(paths.root, top)) === null) {
    notes.push(`${top} leads out of the project; it is not read.`);
    return [];
  }
  const found: SkillFile[] = [];
  /** Where a folder stands by its path, and in which folders, of their real names, the links on the way to it stand. */
  let folders: { readonly at: string; readonly links: readonly string[] }[] = [{ at: top, links: [] }];
  for (let depth = 0; (deeper || depth <= DEPTH_MAX) && folders.length > 0; depth++) {
    const below: typeof folders = [];
    for (const { at, links } of folders) {
      const linked = links.length > 0;
      const path = `${at}/SKILL.md`;
      const full = `${paths.root}/${path}`;
      // The folder of all skills is none, whatever lies in it.
      const file = depth === 0 ? undefined : lookAt(full);
      const mark = markFrom(file);
      // Asking for the one file costs less than listing the folder, and most folders here are skills.
      if (mark !== null && !mark.startsWith("E")) {
        if (depth > DEPTH_MAX) {
          notes.push(`${path} lies more than ${DEPTH_MAX} folders below ${top}; it is not read.`);
          continue;
        }
        noteLook(looks, full, file);
        const plain = typeof file === "object" && isFile(file) && file.size <= SKILL_MAX_BYTES;
        found.push({ path, full, mark, changed: changeOf(file), linked, plain });
        if (deeper) notes.push(...withinSkill(paths, at, notes));
        continue;
      }
      const folder = `${paths.root}/${at}`;
      noteLook(looks, folder, lookAt(folder));
      const entries = list(paths, at, notes);
      const isThere = entries.some(({ name }) => name === "SKILL.md");
      if (isThere && depth === 0 && deeper) notes.push(misplaced(path));
      const other = deeper && depth > 0 && !isThere ? entries.find(({ name }) => /^skill\.md$/i.test(name)) : undefined;
      if (other !== undefined) notes.push(`${at}/${other.name} is not read: its name is to be SKILL.md, in capitals.`);
      if (isThere && depth > 0) {
        // A link to nowhere, which is said when it is read.
        found.push({ path, full, mark, changed: 0, linked, plain: false });
        continue;
      }
      let linksHere: readonly string[] | undefined;
      for (const entry of entries) {
        if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
        // Beyond what is read only a tree's own folders: they come to an end.
        if (entry.isDirectory() && !(linked && depth >= DEPTH_MAX)) below.push({ at: `${at}/${entry.name}`, links });
        else if (depth < DEPTH_MAX && entry.isSymbolicLink()) {
          const target = realPathInside(paths.root, `${folder}/${entry.name}`);
          if (target === null) continue;
          linksHere ??= [...links, realPathInside(paths.root, folder) ?? folder];
          // One that leads to a folder around itself, or around another on the way, leads round in a circle.
          if (linksHere.some((around) => isInside(target, around))) continue;
          below.push({ at: `${at}/${entry.name}`, links: linksHere });
        }
      }
    }
    folders = below;
  }
  return found.sort((a, b) => compareBytes(a.path, b.path));
}

function misplaced(path: string): string {
  return `${path} lies where no skill is looked for; it is not read.`;
}

/** Skills right in the folder of another one, as of a service whose parts are skills too, a sentence each. */
function withinSkill(paths: ProjectPaths, at: string, notes: string[]): readonly string[] {
  const inner = list(paths, at, notes).flatMap((entry) => {
    const path = `${at}/${entry.name}/SKILL.md`;
    const isSkill =
      entry.isDirectory() && !entry.name.startsWith(".") && typeof lookAt(`${paths.root}/${path}`) === "object";
    return isSkill ? [`${path} lies in the folder of another skill; it is not read.`] : [];
  });
  return inner.sort(compareBytes);
}

function list(paths: ProjectPaths, folder: string, notes: string[]): readonly Dirent[] {
  try {
    return readdirSync(join(paths.root, folder), { withFileTypes: true });
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    // A link to a file is no folder of skills, and a project need not have any.
    if (code !== "ENOENT" && code !== "ENOTDIR") notes.push(`${folder} cannot be listed: ${describeErrno(code)}.`);
    return [];
  }
}

async function readSkill(
  paths: ProjectPaths,
  skill: SkillFile,
  { folderName }: SkillPlace,
  cache: ScanCache,
  notes: string[],
): Promise<ParsedSkill | null> {
  const { path, mark, changed } = skill;
  const remembered = cache.recall(path, mark);
  if (isGoodSkill(remembered)) return { skill: remembered, diagnostics: [] };
  const text = readSkillText(paths, skill, notes);
  if (text === null) return null;
  let parsed = parseSkillFast(text, { folderName });
  if (parsed === "needs-yaml") {
    const { parseSkillYaml } = await optimising(() => import("../skills/parse-skill-yaml.ts"));
    parsed = parseSkillYaml(text, { folderName });
  }
  // What is wrong with a file is told anew each time.
  if (parsed.diagnostics.length === 0) cache.remember(path, mark, changed, parsed.skill);
  return parsed;
}

function readSkillText(paths: ProjectPaths, { path, full, linked, plain }: SkillFile, notes: string[]): string | null {
  // Without a link on the way the file lies where its folder does.
  const quick = plain && !linked ? readPlainText(full) : null;
  if (quick !== null) return quick;
  let file = linked ? null : readText(full, SKILL_MAX_BYTES, "refuse");
  if (file === null || (!file.ok && file.error.problem === "link")) {
    if (realPathInside(paths.root, full) === null) {
      notes.push(`${path} is a link that leads out of the project; it is not read.`);
      return null;
    }
    file = readText(full, SKILL_MAX_BYTES);
  }
  if (!file.ok) {
    notes.push(`${path} ${file.error.message}.`);
    return null;
  }
  return file.value.text;
}

function isGoodSkill(value: unknown): value is ParsedSkill["skill"] {
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    typeof value.description === "string" &&
    Object.keys(value).length === 2
  );
}
