import { compareBytes } from "./byte-order.ts";
import type { Skill } from "./skill.ts";

/** By category (those without one first), name and path, each in byte order: the same list whatever the folder's order. */
export function compareSkills(a: Skill, b: Skill): number {
  return compareCategories(a.category, b.category) || compareBytes(a.name, b.name) || compareBytes(a.path, b.path);
}

function compareCategories(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  return compareBytes(a, b);
}
