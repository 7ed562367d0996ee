import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createWhole } from "../../src/platform/create-whole.ts";
import { readText } from "../../src/platform/read-text.ts";
import { replaceUnchanged } from "../../src/platform/replace-unchanged.ts";
import { need } from "../helpers/need.ts";
import { remove, temporaryFolder } from "./scripts.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "x.md");
  return () => remove(folder);
});

const create = (text: string) => createWhole(path, text, { mode: 0o644, root: folder });

test("a new file is made whole, and one that is there stays as it is, whatever it is", () => {
  expect(create("one\n")).toEqual({ ok: true, value: true });
  expect(create("two\n")).toEqual({ ok: true, value: false });
  expect(readFileSync(path, "utf8")).toBe("one\n");
  remove(path);
  mkdirSync(path);
  expect(create("three\n")).toEqual({ ok: true, value: false });
  remove(path);
  symlinkSync("/nowhere", path);
  expect(create("four\n")).toMatchObject({ ok: false, error: { path } });
  expect(readdirSync(folder)).toEqual(["x.md"]);
});

test("a folder that cannot be written is told with the file's own path", () => {
  writeFileSync(join(folder, "file"), "");
  const inside = join(folder, "file", "x.md");
  const refused = createWhole(inside, "", { mode: 0o644, root: folder });
  expect(refused).toMatchObject({ ok: false, error: { path: inside } });
});

test("a text takes a file's place as long as that is what was read", () => {
  writeFileSync(path, "one\n");
  const before = need(readText(path, 1024));
  const replace = (text: string) => replaceUnchanged(path, before, text, { root: folder, maxBytes: 1024 });
  writeFileSync(path, "two\n");
  expect(replace("mended\n")).toEqual({ ok: true, value: false });
  expect(readFileSync(path, "utf8")).toBe("two\n");
  remove(path);
  expect(replace("mended\n")).toEqual({ ok: true, value: false });
  writeFileSync(path, "one\n");
  expect(replace("mended\n")).toEqual({ ok: true, value: true });
  expect(readdirSync(folder)).toEqual(["x.md"]);
});
