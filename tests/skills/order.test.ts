import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareBytes } from "../../src/skills/byte-order.ts";
import { compactGroups } from "../../src/skills/compact-form.ts";
import { groupSkills } from "../../src/skills/group.ts";
import { compareSkills } from "../../src/skills/order.ts";
import type { Skill, SkillKind } from "../../src/skills/skill.ts";

const compactSkills = (skills: readonly Skill[]) => compactGroups(groupSkills(skills));

function skill(path: string, kind: SkillKind, category: string | null): Skill {
  return { name: path.split("/").at(-2) ?? "", description: "", path, category, kind };
}

const SKILLS = [
  skill("00-system/skills/tools/b/SKILL.md", "system", "tools"),
  skill("03-skills/z/SKILL.md", "user", null),
  skill("00-system/skills/learning/learn-nexus/SKILL.md", "system", "learning"),
  skill("00-system/skills/tools/B/SKILL.md", "system", "tools"),
  skill("03-skills/my mail/mail-connect/SKILL.md", "integration", "my mail"),
  skill("03-skills/a/c/SKILL.md", "user", "a"),
  skill("03-skills/a/d/SKILL.md", "user", "a"),
  skill(".claude/skills/deploy/SKILL.md", "project", null),
];

test("texts compare as their UTF-8 bytes do", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  expect(compareBytes("\u{1F600}", "\uFF5E")).toBeGreaterThan(0);
});

test.each([
  ["", "a"],
  ["a", "ab"],
  ["a\uD7FF", "a\u{10000}"],
  ["a\uE000", "a\u{10000}"],
  ["a\uFFFF", "a\u{10FFFF}"],
  ["\u{10000}", "\u{10001}"],
])("%j stands before %j", (before, after) => {
  expect([compareBytes(before, after) < 0, compareBytes(after, before) > 0]).toEqual([true, true]);
  expect(compareBytes(after, after)).toBe(0);
});

test("of the same category and name, the path decides; no category comes first", () => {
  const [a, b] = [skill("x/a/n/SKILL.md", "user", "c"), skill("x/b/n/SKILL.md", "user", "c")];
  const free = skill("z/n/SKILL.md", "user", null);
  expect([b, a, free].sort(compareSkills)).toEqual([free, a, b]);
  expect([free, a, b].sort(compareSkills)).toEqual([free, a, b]);
  expect([compareSkills(free, free), compareSkills(a, a)]).toEqual([0, 0]);
});

describe("groups", () => {
  test("hold categories and skills in byte order, those without a category first", () => {
    const groups = groupSkills(SKILLS);
    const names = groups.system.map(({ name, skills }) => [name, skills.map((each) => each.name)]);
    expect(names).toEqual([
      ["learning", ["learn-nexus"]],
      ["tools", ["B", "b"]],
    ]);
    expect(groups.user.map(({ name }) => name)).toEqual([null, "a"]);
  });

  test("are the same whatever the order of the folder, and hold every skill once", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(SKILLS, { minLength: SKILLS.length }), (shuffled) => {
        expect(groupSkills(shuffled)).toEqual(groupSkills(SKILLS));
        const all = Object.values(groupSkills(shuffled)).flatMap((kind) => kind.flatMap(({ skills }) => skills));
        expect(all.sort(compareSkills)).toEqual([...SKILLS].sort(compareSkills));
      }),
    );
  });
});

test("the compact form has a line for each category with its number and how to list it", () => {
  const lines = compactSkills(SKILLS).map(({ kind, category, count, list }) => [kind, category, count, list]);
  expect(lines).toEqual([
    ["system", "learning", 1, "find 00-system/skills/learning -name SKILL.md"],
    ["system", "tools", 2, "find 00-system/skills/tools -name SKILL.md"],
    ["integration", "my mail", 1, "find '03-skills/my mail' -name SKILL.md"],
    ["user", null, 1, "find 03-skills -name SKILL.md"],
    ["user", "a", 2, "find 03-skills/a -name SKILL.md"],
    ["project", null, 1, "find .claude/skills -name SKILL.md"],
  ]);
  expect(compactSkills([])).toEqual([]);
  const deep = ["a/x/1/SKILL.md", "a/x/y/2/SKILL.md", "a/z/3/SKILL.md", "a/x/4/SKILL.md"];
  const folders = (...paths: readonly string[]) =>
    compactSkills(paths.map((path) => skill(path, "user", "a"))).map(({ folder, count }) => [folder, count]);
  expect(folders(...deep)).toEqual([["a", 4]]);
  expect(folders("a/x/1/SKILL.md", "a/x/y/2/SKILL.md")).toEqual([["a/x", 2]]);
  expect(folders("a/x/y/2/SKILL.md", "a/x/1/SKILL.md")).toEqual([["a/x", 2]]);
  expect(folders("a/1/SKILL.md", "b/1/SKILL.md")).toEqual([[".", 2]]);
  expect(folders("1/SKILL.md")).toEqual([[".", 1]]);
});

test("a folder's name cannot add to the command that lists it", () => {
  const odd = skill("-o/it's $(x)/a/SKILL.md", "user", "it's $(x)");
  expect(compactSkills([odd])[0]?.list).toBe("find './-o/it'\\''s $(x)' -name SKILL.md");
});
