import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { openScanCache } from "../../src/stores/scan-cache.ts";
import { faultsOf, scanProjects } from "../../src/stores/workspace-store.ts";
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
  const cache = openScanCache(paths, "projects", LATER);
  const scanned = await scanProjects(paths, CONFIG, cache);
  cache.save();
  return scanned;
}

const planning = (id: string, name: string) => `02-projects/${id}/01-planning/${name}`;

test("reads overview, steps and manifest under either of their names, the first one first", async () => {
  put(paths, planning("01-a", "overview.md"), "---\nname: Second\nstatus: PLANNING\n---\n");
  put(paths, planning("01-a", "steps.md"), "- [x] a\n- [ ] b\n");
  put(paths, planning("01-a", "_resume.md"), "---\nlast_updated: 2026-01-01T00:00:00Z\n---\n");
  expect((await scan()).projects).toEqual([
    {
      id: "01-a",
      name: "Second",
      status: "PLANNING",
      phase: "execution",
      closed: 1,
      total: 2,
      currentTask: "b",
      currentSection: 1,
      description: null,
      updated: "2026-01-01T00:00:00Z",
      fault: null,
    },
  ]);
  put(paths, planning("01-a", "01-overview.md"), "---\nname: First\n---\n");
  put(paths, planning("01-a", "04-steps.md"), "- [ ] c\n");
  put(paths, planning("01-a", "resume-context.md"), "---\nlast_updated: '2026-02-01' # a comment\n---\n");
  expect((await scan()).projects).toMatchObject([
    { name: "First", status: "IN_PROGRESS", currentTask: "c", updated: "2026-02-01" },
  ]);
});

test("takes from the cache what has not changed, and no more than its own kind of value", async () => {
  put(paths, planning("01-a", "01-overview.md"), "# Name\n");
  const first = await scan();
  // What is recalled is what was written down, not what is read again.
  const cache = openScanCache(paths, "projects", LATER);
  const spied: unknown[] = [];
  const seen = await scanProjects(paths, CONFIG, {
    ...cache,
    recall: (path, mark) => {
      const value = cache.recall(path, mark);
      spied.push(value);
      return value;
    },
  });
  expect(seen).toEqual(first);
  expect(spied).toMatchObject([{ name: "Name" }]);
  for (const odd of [null, [], { name: "x" }, { ...first.projects[0], id: undefined }, 5]) {
    expect(
      await scanProjects(paths, CONFIG, { recall: () => odd, remember: () => undefined, save: () => undefined }),
    ).toEqual(first);
  }
});

test("a fault is told each time, and the files beside it are read", async () => {
  put(paths, planning("01-a", "01-overview.md"), Uint8Array.of(0xff));
  put(paths, planning("01-a", "04-steps.md"), "- [ ] a\n");
  put(paths, planning("02-b", "01-overview.md"), "# B\n");
  for (let run = 0; run < 2; run++) {
    const { projects, notes } = await scan();
    expect(notes).toEqual([expect.stringMatching(/^01-a: .*01-overview\.md is not UTF-8\.$/)]);
    expect(projects).toMatchObject([{ name: "01-a", currentTask: "a" }, { name: "B" }]);
  }
});

test("front matter that is broken is told each time, by its place, and remembered with the rest", async () => {
  put(paths, planning("01-a", "overview.md"), "---\nname: A\n");
  put(paths, planning("02-b", "01-overview.md"), "---\nname: B\nstatus: a: b\n---\n# Title\n");
  for (let run = 0; run < 2; run++) {
    const { projects, notes } = await scan();
    expect(projects).toMatchObject([{ name: "01-a" }, { name: "Title", status: "PLANNING" }]);
    expect(notes).toEqual([]);
    expect(faultsOf(projects)).toEqual([
      "02-projects/01-a/01-planning/overview.md, line 1, column 1: the front matter that opens here is not closed, and nothing in it is read.",
      expect.stringMatching(
        /^02-projects\/02-b\/01-planning\/01-overview\.md, line 3, column 9: the front matter is not read: .*\.$/,
      ),
    ]);
  }
  const remembered = JSON.parse(readFileSync(join(paths.cache, "projects.json"), "utf8"));
  expect(Object.keys(remembered.entries)).toEqual(["02-projects/01-a", "02-projects/02-b"]);
  put(paths, planning("02-b", "01-overview.md"), "---\nname: B\nstatus: DONE\n---\n");
  expect((await scan()).projects).toMatchObject([{}, { name: "B", status: "COMPLETE", fault: null }]);
});

test("planning files that were moved out of the project and linked to are refused, whatever was remembered", async () => {
  put(paths, planning("01-a", "01-overview.md"), "# A\n");
  await scan();
  const outside = project();
  renameSync(join(paths.root, "02-projects/01-a/01-planning"), join(outside.root, "moved"));
  symlinkSync(join(outside.root, "moved"), join(paths.root, "02-projects/01-a/01-planning"));
  const { projects, notes } = await scan();
  expect(projects).toMatchObject([{ name: "01-a" }]);
  expect(notes[0]).toMatch(/^01-a: .* is a link that leads out of the project\.$/);
  remove(outside.root);
});

test("no projects, and a folder that cannot be listed, are told apart", async () => {
  expect(await scan()).toMatchObject({ projects: [], notes: [] });
  mkdirSync(join(paths.root, "02-projects"));
  expect(await scan()).toMatchObject({ projects: [], notes: [] });
  remove(join(paths.root, "02-projects"));
  put(paths, "02-projects", "a file");
  expect((await scan()).notes).toEqual([expect.stringMatching(/^02-projects cannot be listed: .*\.$/)]);
});
