import { describe, expect, test } from "vitest";
import { parseSkillFast } from "../../src/skills/parse-skill-fast.ts";
import { parseSkillYaml } from "../../src/skills/parse-skill-yaml.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { parseBoth } from "./both.ts";
import { skillText } from "./skill-text.ts";

function milliseconds(work: () => void): number {
  const start = cpuTime();
  work();
  return cpuTime() - start;
}

test("aliases that would multiply to a billion texts are read in no time and never expanded", () => {
  const rounds = Array.from({ length: 12 }, (_, n) => `k${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}*a${n}]`);
  const text = skillText("name: bomb", "k0: &a0 lol", ...rounds, "metadata: *a12", "description: *a12");
  expect(milliseconds(() => parseBoth(text, "bomb"))).toBeLessThan(1000);
  const { diagnostics } = parseBoth(text, "bomb");
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([
    "metadata",
    "description",
  ]);
});

test("an alias of itself is no end of reading", () => {
  const { diagnostics } = parseBoth(skillText("name: a", "description: b", "metadata: &m {self: *m}"), "a");
  expect(diagnostics).toEqual([]);
});

test("a description of 400 kB on one line is reported and cut", () => {
  const text = skillText("name: a", `description: ${"x".repeat(400_000)}`);
  const { skill, diagnostics } = parseBoth(text, "a");
  expect(skill).toEqual({ name: "a", description: `${"x".repeat(1023)}…` });
  expect(diagnostics).toMatchObject([{ code: "front-matter", start: { line: 1 } }]);
  expect(diagnostics[0]?.message).toContain("400");
});

test("messages stay short and printable whatever the file quotes", () => {
  const lines = ["name: \u001b[31mred", `${"k".repeat(9000)}: x`, "description: [", "\u202e: x"];
  for (const text of [skillText(...lines), ...lines.map((line) => skillText(line))])
    for (const { message, hint } of parseBoth(text, "a".repeat(9000)).diagnostics) {
      expect(message.length + (hint?.length ?? 0)).toBeLessThan(500);
      expect(message + hint).not.toMatch(/[\u0000-\u001f\u202e]/);
    }
});

describe("half a megabyte of one thing takes less than half a second", () => {
  const units = [
    "a",
    " ",
    "\t",
    "-",
    "---\n",
    "\n",
    "\r",
    "\r\n",
    "a:\n",
    "name: a\n",
    "name: ",
    "name",
    "#",
    '"',
    "'",
  ];
  units.push(
    "[",
    "{",
    "? ",
    "- ",
    "a: ",
    "- a\n",
    "|",
    ">",
    "&a ",
    "*a ",
    "!",
    "\\",
    "\u0000",
    "🚀",
    "\uFEFF",
    ": ",
    " #",
  );
  const heads = ["---\n", "---\nname: ", '---\ndescription: "', "---\nmetadata:\n  a: "];

  test.each(units)("%j behind every kind of start", (unit) => {
    for (const head of ["", ...heads]) {
      const tail = head === heads[0] ? "" : "\n---\nbody";
      const text = head + unit.repeat(Math.ceil(500_000 / unit.length)) + tail;
      expect(milliseconds(() => parseSkillFast(text, { folderName: "a" }))).toBeLessThan(500);
      expect(milliseconds(() => parseSkillYaml(text, { folderName: "a" }))).toBeLessThan(500);
    }
  });
});

describe("what fits under the limit of length takes less than two seconds", () => {
  const units = [
    "[a,",
    "- ",
    "? ",
    "a: ",
    "a:\n",
    "- a\n",
    "&a ",
    "*a ",
    "!t ",
    "''",
    '""',
    "[]",
    "a: |\n",
    "a\n b\n",
    "| ",
    "\t",
  ];
  const heads = ["", "metadata:\n  "];

  test.each(units)("%j", (unit) => {
    for (const head of heads) {
      const text = `---\n${head}${unit.repeat(Math.floor(32_000 / unit.length))}\n---\n`;
      expect(milliseconds(() => parseSkillYaml(text, { folderName: "a" }))).toBeLessThan(2000);
    }
  });

  test("a staircase of maps", () => {
    const stairs = Array.from({ length: 240 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n");
    expect(milliseconds(() => parseSkillYaml(`---\n${stairs}\n---\n`, { folderName: "a" }))).toBeLessThan(2000);
  });
});
