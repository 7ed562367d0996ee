import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  CONTEXT_FILE_MAX_BYTES,
  contextFileReader,
  listContextFiles,
  readContextFile,
  readContextFileAt,
  roleOfContextFile,
  writeContextFile,
} from "../../src/stores/context-file-store.ts";
import { contextFilePath, type ProjectPaths } from "../../src/stores/paths.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";
import { project, role } from "./projects.ts";

const ROLE = role();
let paths: ProjectPaths;
let path = "";

beforeEach(() => {
  paths = project();
  path = contextFilePath(paths, ROLE);
  return () => remove(paths.root);
});

const problem = () => {
  const file = readContextFile(paths, ROLE);
  return file.ok ? null : file.error.problem;
};

test("reads a role's file; one that is missing, empty, too large or no text is told apart", () => {
  expect(problem()).toBe("missing");
  writeFileSync(path, "text");
  expect(readContextFile(paths, ROLE)).toMatchObject({ ok: true, value: { text: "text" } });
  writeFileSync(path, "");
  expect(readContextFile(paths, ROLE)).toMatchObject({ ok: true, value: { text: "" } });
  writeFileSync(path, "\0\0");
  expect(readContextFile(paths, ROLE)).toMatchObject({ ok: true, value: { text: "" } });
  writeFileSync(path, "a\0");
  expect(problem()).toBe("not-text");
  truncateSync(path, CONTEXT_FILE_MAX_BYTES + 1);
  expect(problem()).toBe("too-large");
  rmSync(path);
  mkdirSync(path);
  expect(problem()).toBe("not-a-file");
});

test("a link that leads out of the project is not read, by either reader; one that stays inside is", () => {
  const outside = temporaryFolder();
  try {
    writeFileSync(join(outside, "secret"), "secret");
    symlinkSync(join(outside, "secret"), path);
    expect(problem()).toBe("link");
    expect(readContextFileAt(paths, path)).toMatchObject({ ok: false, error: { problem: "link", path } });
    const read = contextFileReader(paths);
    expect(read("oosh-expert.context.md")).toMatchObject({ ok: false, error: { problem: "link", path } });
    rmSync(path);
    writeFileSync(join(paths.root, "inside"), "inside");
    symlinkSync(join(paths.root, "inside"), path);
    expect(read("oosh-expert.context.md")).toMatchObject({ ok: true, value: { text: "inside" } });
    expect(problem()).toBeNull();
    rmSync(paths.agents, { recursive: true });
    symlinkSync(outside, paths.agents);
    expect(contextFileReader(paths)("secret")).toMatchObject({ ok: false, error: { problem: "link" } });
    expect(problem()).toBe("link");
  } finally {
    remove(outside);
  }
});

test("writes a file that everybody may read, in place of the one that is there", () => {
  expect(writeContextFile(paths, path, "one").ok).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(writeContextFile(paths, path, "two").ok).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("two");
});

test("lists context files in byte order, and says where that cannot be told", () => {
  for (const name of ["b", "a-b", "a", "Z", "é"]) writeFileSync(join(paths.agents, `${name}.context.md`), "");
  for (const name of ["x.md", "context.md", "y.context.md.bak"]) writeFileSync(join(paths.agents, name), "");
  const wanted = ["Z", "a-b", "a", "b", "é"].map((name) => `${name}.context.md`);
  expect(listContextFiles(paths)).toEqual({ ok: true, value: wanted });
  rmSync(paths.agents, { recursive: true });
  expect(listContextFiles(paths)).toEqual({ ok: true, value: [] });
  writeFileSync(paths.agents, "");
  expect(listContextFiles(paths)).toMatchObject({ ok: false, error: { path: paths.agents } });
});

test.each([
  ["oosh-expert.context.md", "oosh-expert"],
  ["../x.context.md", null],
  ["A B.context.md", null],
  ["a_b.context.md", null],
  ["con.context.md", null],
  [".context.md", null],
])("the role of %s is %s", (name, expected) => {
  expect(roleOfContextFile(name)).toBe(expected);
});
