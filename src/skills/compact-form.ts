import { groupSkills, type SkillCategory } from "./group.ts";
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

/** The compact form of a list of skills: kinds in the document's order, categories in byte order. */
export function compactSkills(skills: readonly Skill[]): readonly CompactCategory[] {
  const groups = groupSkills(skills);
  return KINDS.flatMap((kind) => groups[kind].map((category) => compactCategory(kind, category)));
}

function compactCategory(kind: SkillKind, { name, skills }: SkillCategory): CompactCategory {
  const folder = commonFolder(skills);
  return {
    kind,
    category: name,
    count: skills.length,
    folder,
    list: `find ${shellWord(folder)} -name SKILL.md`,
  };
}

function commonFolder(skills: readonly Skill[]): string {
  const parents = skills.map(({ path }) => path.split("/").slice(0, -2));
  const common = parents.reduce((before, folder) => {
    const end = before.findIndex((segment, index) => segment !== folder[index]);
    return end === -1 ? before : before.slice(0, end);
  });
  return common.join("/") || ".";
}

function shellWord(word: string): string {
  const safe = word.startsWith("-") ? `./${word}` : word;
  return /^[A-Za-z0-9_./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
