import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { NO_SCAN_CACHE, openScanCache } from "../../src/stores/scan-cache.ts";
import { scanSkills } from "../../src/stores/skill-store.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { CONFIG, put } from "./workspace-files.ts";

let paths: ProjectPaths;

/** Long after everything that a test writes. */
const LATER = { build: "b", began: Date.now() + 60_000 };

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

async function scan() {
  const cache = openScanCache(paths, "skills", LATER);
  const scanned = await scanSkills(paths, CONFIG, cache);
  cache.save();
  return scanned;
}

function skill(folder: string, description = "d"): string {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  return put(paths, `${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n`);
}

test("finds skills in all three places, in byte order of their paths, each with its place", async () => {
  for (const folder of [
    "03-skills/b",
    "03-skills/B/x",
    "03-skills/a10",
    "03-skills/a2",
    "00-system/skills/t/s",
    ".claude/skills/p",
  ]) {
    skill(folder);
  }
  const { skills, findings, notes } = await scan();
  expect([findings, notes]).toEqual([[], []]);
  expect(skills.map(({ path, kind, category }) => [path, kind, category])).toEqual([
    ["00-system/skills/t/s/SKILL.md", "system", "t"],
    ["03-skills/B/x/SKILL.md", "user", "B"],
    ["03-skills/a10/SKILL.md", "user", null],
    ["03-skills/a2/SKILL.md", "user", null],
    ["03-skills/b/SKILL.md", "user", null],
    [".claude/skills/p/SKILL.md", "project", null],
  ]);
  expect(await scan()).toMatchObject({ skills, findings, notes });
});

test("goes no deeper than categories of categories do, round no circle, and into no hidden or installed folder", async () => {
  skill("03-skills/1/2/3/4/5/six");
  skill("03-skills/1/2/3/4/5/6/seven");
  skill("03-skills/two/one");
  skill("03-skills/node_modules/x");
  skill("03-skills/.git/x");
  symlinkSync(".", join(paths.root, "03-skills/circle"));
  symlinkSync("../..", join(paths.root, "03-skills/1/2/round"));
  const { skills, notes } = await scan();
  expect(skills.map(({ path }) => path)).toEqual(["03-skills/1/2/3/4/5/six/SKILL.md", "03-skills/two/one/SKILL.md"]);
  expect(notes).toEqual([]);
});

test("finds what two folders link to of each other once each way, and a folder that two links lead to twice", async () => {
  for (const path of ["x/a", "y/b", "z"]) skill(`03-skills/${path}`);
  symlinkSync("../y", join(paths.root, "03-skills/x/to-y"));
  symlinkSync("../x", join(paths.root, "03-skills/y/to-x"));
  for (const name of ["one", "two"]) symlinkSync("z", join(paths.root, `03-skills/${name}`));
  expect((await scan()).skills.map(({ path }) => path)).toEqual(
    ["one", "two", "x/a", "x/to-y/b", "y/b", "y/to-x/a", "z"].map((path) => `03-skills/${path}/SKILL.md`),
  );
});

test("finds what lies behind a link once, where a circle begins behind it", async () => {
  skill("shelf/of/a");
  skill("03-skills/z");
  symlinkSync("../shelf", join(paths.root, "03-skills/shelf"));
  for (const place of ["shelf/again", "shelf/of/again"])
    symlinkSync(join(paths.root, "shelf"), join(paths.root, place));
  expect((await scan()).skills.map(({ path }) => path)).toEqual([
    "03-skills/shelf/of/a/SKILL.md",
    "03-skills/z/SKILL.md",
  ]);
});

test("tells who asks of files that lie too deep, or where no skill is, and reads on beside them", async () => {
  const deep = "03-skills/1/2/3/4/5/6/7";
  for (const path of [deep, `${deep}/inner`, "03-skills/a/2/3/4/5/6/7/8/9", ".claude/skills/group/own", "03-skills/b"])
    skill(path);
  put(paths, "03-skills/SKILL.md", "# Of all\n");
  symlinkSync("1/2/3/4/5", join(paths.root, "03-skills/link"));
  symlinkSync("../b", join(paths.root, "03-skills/1/again"));
  const { skills, notes } = await scanSkills(paths, CONFIG, NO_SCAN_CACHE, { deeper: true });
  expect(skills.map(({ path }) => path)).toEqual([
    "03-skills/1/again/SKILL.md",
    "03-skills/b/SKILL.md",
    "03-skills/link/6/7/SKILL.md",
  ]);
  const nowhere = "lies where no skill is looked for; it is not read.";
  const below = "lies more than 6 folders below 03-skills; it is not read.";
  expect(notes).toEqual([
    `03-skills/SKILL.md ${nowhere}`,
    "03-skills/link/6/7/inner/SKILL.md lies in the folder of another skill; it is not read.",
    `${deep}/SKILL.md ${below}`,
    `03-skills/a/2/3/4/5/6/7/8/9/SKILL.md ${below}`,
    `.claude/skills/group/own/SKILL.md ${nowhere}`,
  ]);
  expect(await scan()).toMatchObject({ skills, notes: [] });
});

test("tells who asks of skills that lie right in another skill's folder, and of no example in one", async () => {
  for (const path of ["mail/send", "mail/get", "mail/.old", "mail/examples/one", "plain"]) skill(`03-skills/${path}`);
  skill("03-skills/mail");
  skill(".claude/skills/own/inner");
  skill(".claude/skills/own");
  const { skills, notes } = await scanSkills(paths, CONFIG, NO_SCAN_CACHE, { deeper: true });
  expect(skills.map(({ name }) => name)).toEqual(["mail", "plain", "own"]);
  expect(notes).toEqual(
    ["03-skills/mail/get", "03-skills/mail/send", ".claude/skills/own/inner"].map(
      (folder) => `${folder}/SKILL.md lies in the folder of another skill; it is not read.`,
    ),
  );
  expect(await scan()).toMatchObject({ skills, notes: [] });
});

test.skipIf(process.platform !== "linux")(
  "tells who asks of a skill whose file's name is not in capitals",
  async () => {
    put(paths, ".claude/skills/small/skill.md", "---\nname: small\ndescription: d\n---\n");
    put(paths, "03-skills/skill.md", "# Of all\n");
    const { skills, notes } = await scanSkills(paths, CONFIG, NO_SCAN_CACHE, { deeper: true });
    expect(skills).toEqual([]);
    expect(notes).toEqual([".claude/skills/small/skill.md is not read: its name is to be SKILL.md, in capitals."]);
    expect(await scan()).toMatchObject({ skills, notes: [] });
  },
);

test("of a file with findings nothing is remembered; of a good one, what was read, until it changes", async () => {
  skill("03-skills/good", "one");
  put(paths, "03-skills/bad/SKILL.md", "---\nname: bad\n---\n");
  const first = await scan();
  expect(first.findings).toMatchObject([{ path: "03-skills/bad/SKILL.md", diagnostics: [{ code: "description" }] }]);
  expect(await scan()).toEqual(first);
  skill("03-skills/good", "two");
  skill("03-skills/bad");
  const { skills, findings } = await scan();
  expect(findings).toEqual([]);
  expect(skills.map(({ description }) => description)).toEqual(["d", "two"]);
});

test("a value in the cache that is no skill is passed over", async () => {
  skill("03-skills/good", "one");
  const first = await scan();
  for (const odd of [
    null,
    5,
    [],
    { name: "x" },
    { name: "x", description: 5 },
    { name: "x", description: "y", path: "/etc/passwd" },
  ]) {
    const cache = { recall: () => odd, remember: () => undefined, save: () => undefined };
    expect(await scanSkills(paths, CONFIG, cache)).toEqual(first);
  }
});

test("a skills folder that leads out of the project is told once and not looked into, whatever was remembered of it", async () => {
  skill("03-skills/secret");
  await scan();
  const outside = project();
  renameSync(join(paths.root, "03-skills"), join(outside.root, "s"));
  symlinkSync(join(outside.root, "s"), join(paths.root, "03-skills"));
  expect(await scan()).toMatchObject({
    skills: [],
    findings: [],
    notes: ["03-skills leads out of the project; it is not read."],
  });
  rmSync(join(paths.root, "03-skills"));
  mkdirSync(join(paths.root, "03-skills"));
  symlinkSync(join(outside.root, "s"), join(paths.root, "03-skills/away"));
  expect((await scan()).skills).toEqual([]);
  remove(outside.root);
});
