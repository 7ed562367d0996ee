import { describe, expect, test } from "vitest";
import { skillPlaces } from "../../src/skills/classify.ts";

const LAYOUT = { system: "00-system", skills: "03-skills" };

describe("the path of a SKILL.md says what it is", () => {
  test.each([
    ["00-system/skills/projects/plan-project/SKILL.md", "system", "projects", "plan-project"],
    ["00-system/skills/plan-project/SKILL.md", "system", null, "plan-project"],
    ["00-system/skills/tools/deep/er/plan/SKILL.md", "system", "tools", "plan"],
    ["00-system/skills/tools/mail-connect/SKILL.md", "system", "tools", "mail-connect"],
    ["03-skills/airtable/airtable-connect/SKILL.md", "integration", "airtable", "airtable-connect"],
    ["03-skills/airtable-connect/SKILL.md", "integration", null, "airtable-connect"],
    ["03-skills/research-pipeline/paper-search/SKILL.md", "user", "research-pipeline", "paper-search"],
    ["03-skills/connect-x/SKILL.md", "user", null, "connect-x"],
    [".claude/skills/deploy/SKILL.md", "project", null, "deploy"],
    [".claude/skills/mail-connect/SKILL.md", "project", null, "mail-connect"],
    ["./03-skills//a/SKILL.md", "user", null, "a"],
  ])("%s", (path, kind, category, folderName) => {
    expect(skillPlaces(LAYOUT)(path)).toEqual({ kind, category, folderName });
  });

  test.each([
    "00-system/skills/SKILL.md",
    "03-skills/SKILL.md",
    ".claude/skills/SKILL.md",
    ".claude/skills/a/b/SKILL.md",
    ".claude/agents/tester/SKILL.md",
    "03-skills/a/README.md",
    "03-skills/a/SKILL.md/x",
    "03-skillsX/a/SKILL.md",
    "03-skills/../a/SKILL.md",
    "x/03-skills/a/SKILL.md",
    "SKILL.md",
    "",
  ])("%j is no place for one", (path) => {
    expect(skillPlaces(LAYOUT)(path)).toBeNull();
  });
});

test("the layout's folders may have other names and lie deeper", () => {
  const layout = { system: "./nexus/system/", skills: "my skills" };
  const placeOf = skillPlaces(layout);
  expect(placeOf("nexus/system/skills/a/b/SKILL.md")).toMatchObject({ kind: "system", category: "a" });
  expect(placeOf("my skills/x-connect/SKILL.md")).toMatchObject({ kind: "integration" });
  expect(placeOf("00-system/skills/a/b/SKILL.md")).toBeNull();
});
