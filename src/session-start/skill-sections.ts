import { type CompactCategory, compactGroups } from "../skills/compact-form.ts";
import { groupSkills, type SkillCategory } from "../skills/group.ts";
import type { Skill, SkillKind } from "../skills/skill.ts";
import { clip, clipLine } from "./clip.ts";
import type { StartupFacts } from "./facts.ts";
import type { ListItem, ListUnit, Section, SectionId, Wrapper } from "./sections.ts";
import { wrapper } from "./shared-sections.ts";
import { type Element, type ElementName, element, textElement } from "./vocabulary.ts";

/** The four kinds of skills, each in an element of its own; the system's by category. */
export function skillSections(
  skills: readonly Skill[],
  locations: StartupFacts["skillLocations"],
  program: string,
): readonly Section[] {
  const listed = `${clip(program, 200)} skills`;
  if (skills.length === 0) return [];
  const groups = groupSkills(skills);
  const compact = compactGroups(groups);
  const system = groups.system.toSorted((a, b) => systemRank(a) - systemRank(b));
  const outer = skillWrapper("system-skills", locations.system);
  return [
    ...section(
      "system-skills",
      system.map((category) => categoryList(category, outer, howToList(category))),
    ),
    ...flat("integration-skills", "integration", locations.integration),
    ...flat("user-skills", "user", locations.user),
    ...flat("project-skills", "project", locations.project),
  ];

  function flat(id: SectionId & ElementName, kind: SkillKind, location: string): readonly Section[] {
    const members = groups[kind].flatMap((category) => category.skills);
    if (members.length === 0) return [];
    const how = listCommand(compact.filter((category) => category.kind === kind)) ?? listed;
    return section(id, [
      { kind: "list", within: [], wrapper: skillWrapper(id, location), items: members.map(skillItem), howToList: how },
    ]);
  }

  function howToList({ name }: SkillCategory): string {
    return listCommand(compact.filter((form) => form.kind === "system" && form.category === name)) ?? listed;
  }
}

/** The categories of the design come first, in its order; others follow in byte order. */
const SYSTEM_CATEGORIES = ["projects", "learning", "system", "tools", "skill-dev"];

function systemRank({ name }: SkillCategory): number {
  const rank = SYSTEM_CATEGORIES.indexOf(name ?? "");
  return rank === -1 ? SYSTEM_CATEGORIES.length : rank;
}

function section(id: SectionId, units: readonly ListUnit[]): readonly Section[] {
  return units.length === 0 ? [] : [{ id, units }];
}

function skillWrapper(name: ElementName, location: string): Wrapper {
  return wrapper(name, [["location", clip(location, 200)]]);
}

function categoryList({ name, skills }: SkillCategory, outer: Wrapper, howToList: string): ListUnit {
  const category = name ?? "uncategorized";
  return {
    kind: "list",
    within: [outer],
    wrapper: wrapper("category", [["name", clip(category, 80)]], `category ${category}`),
    items: skills.map(skillItem),
    howToList,
  };
}

/** One command lists one folder; null where the skills lie in several. */
function listCommand(categories: readonly CompactCategory[]): string | null {
  const [only] = categories;
  return only !== undefined && categories.length === 1 && only.list.length <= 200 ? only.list : null;
}

/** The client's own limit for a description. */
const DESCRIPTION_UNITS = 1024;

function skillItem({ name, description, path }: Skill): ListItem {
  const attributes = { name: clip(name, 100), action: `read ${clip(path, 300)}` };
  return {
    leastUnits:
      attributes.name.length + attributes.action.length + Math.min(description.length, DESCRIPTION_UNITS) + 28,
    full: () => textSkill(attributes, clipLine(description, DESCRIPTION_UNITS)),
    short: () => element("skill", attributes),
    loses: /\S/.test(description),
  };
}

function textSkill(attributes: { readonly name: string; readonly action: string }, description: string): Element {
  return description === "" ? element("skill", attributes) : textElement("skill", description, attributes);
}
