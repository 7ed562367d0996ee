import { expect } from "vitest";
import type { ParsedSkill } from "../../src/skills/open-skill.ts";
import { parseSkillFast } from "../../src/skills/parse-skill-fast.ts";
import { parseSkillYaml } from "../../src/skills/parse-skill-yaml.ts";

/** Reads as the store does, and holds the two readers to one answer wherever both have one. */
export function parseBoth(text: string, folderName = "learn-projects"): ParsedSkill {
  const yaml = parseSkillYaml(text, { folderName });
  const fast = parseSkillFast(text, { folderName });
  if (fast !== "needs-yaml") expect(fast).toEqual(yaml);
  return yaml;
}

/** `code line:column` of each finding. */
export function findingsOf(text: string, folderName?: string): readonly string[] {
  return parseBoth(text, folderName).diagnostics.map(({ code, start }) => `${code} ${start.line}:${start.column}`);
}
