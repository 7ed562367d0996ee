import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listProjectIds, openProjects } from "../../src/stores/project-store.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { CONFIG, put } from "./workspace-files.ts";

test("what is asked of one project at a time is what the list of all says: a file is none, a link may be one", () => {
  const paths = project();
  onTestFinished(() => remove(paths.root));
  expect(openProjects(paths, CONFIG)).toBeNull();
  put(paths, "02-projects/01-a/01-planning/01-overview.md", "# A\n");
  put(paths, "02-projects/02-file", "no folder\n");
  put(paths, "02-projects/notes.md", "no project\n");
  mkdirSync(join(paths.root, "elsewhere"));
  symlinkSync(join(paths.root, "elsewhere"), join(paths.root, "02-projects", "03-link"));
  const projects = openProjects(paths, CONFIG);
  expect([...(projects ?? [])].sort()).toEqual(["01-a", "03-link"]);
  expect(listProjectIds(paths, CONFIG)).toEqual(["01-a", "03-link"]);
  for (const id of ["01-a", "02-file", "03-link", "04-none", "notes.md"])
    expect(projects?.has(id)).toBe(["01-a", "03-link"].includes(id));
});
