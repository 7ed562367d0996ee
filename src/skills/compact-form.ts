import { shellWord } from "../base/shell-word.ts";
import type { SkillCategory, SkillGroups } from "./group.ts";
import type { Skill, SkillKind } from "./skill.ts";

/** One line for the skills of a category, for where there is no room for each. */
export interface CompactCategory {
  readonly kind: SkillKind;
  readonly category: string | null;
  readonly count: number;
  /** The folder that holds all of them, relative to the root. */
  readonly folder: string;
  /** A shell command, run at the root, that lists them. */
  readonly list: string;
}

const KINDS = ["system", "integration", "user", "project"] as const satisfies readonly SkillKind[];

/** Skills in groups, a line for each category: kinds in the document's order, categories in byte order. */
export function compactGroups(groups: SkillGroups): readonly CompactCategory[] {
  return KINDS.flatMap((kind) => groups[kind].map((category) => compactCategory(kind, category)));
}

function compactCategory(kind: SkillKind, { name, skills }: SkillCategory): CompactCategory {
  const folder = commonFolder(skills);
  return {
    kind,
    category: name,
    count: skills.length,
    folder,
    list: `find ${shellWord(folder.startsWith("-") ? `./${folder}` : folder)} -name SKILL.md`,
  };
}

function commonFolder(skills: readonly Skill[]): string {
  const parents = new Set(skills.map(({ path }) => path.slice(0, Math.max(0, folderEnd(path, folderEnd(path))))));
  const common = [...parents]
    .map((parent) => parent.split("/"))
    .reduce((before, folder) => {
      const end = before.findIndex((segment, index) => segment !== folder[index]);
      return end === -1 ? before : before.slice(0, end);
    });
  return common.join("/") || ".";
}

function folderEnd(path: string, before = path.length): number {
  return path.lastIndexOf("/", before - 1);
}
