import { compareSkills } from "./order.ts";
import type { Skill, SkillKind } from "./skill.ts";

export interface SkillCategory {
  /** Null: the skills that lie in no category. */
  readonly name: string | null;
  readonly skills: readonly Skill[];
}

/** Every kind's categories and their skills, in byte order. */
export type SkillGroups = Readonly<Record<SkillKind, readonly SkillCategory[]>>;

/** Sorts skills into kinds and categories. */
export function groupSkills(skills: readonly Skill[]): SkillGroups {
  const sorted = [...skills].sort(compareSkills);
  return {
    system: categoriesOf(sorted, "system"),
    integration: categoriesOf(sorted, "integration"),
    user: categoriesOf(sorted, "user"),
    project: categoriesOf(sorted, "project"),
  };
}

function categoriesOf(sorted: readonly Skill[], kind: SkillKind): readonly SkillCategory[] {
  const categories = new Map<string | null, Skill[]>();
  for (const skill of sorted) {
    if (skill.kind !== kind) continue;
    const category = categories.get(skill.category);
    if (category === undefined) categories.set(skill.category, [skill]);
    else category.push(skill);
  }
  return [...categories].map(([name, members]) => ({ name, skills: members }));
}
