import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { canKeepDocument, startDocumentPath, writeStartRecord } from "../../src/stores/start-store.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { put } from "./workspace-files.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

test("knows beforehand whether a document can be kept, and makes nothing to find out", () => {
  expect(canKeepDocument(paths)).toBe(true);
  expect(readdirSync(paths.root)).not.toContain(".cache");
  writeStartRecord(paths, null, ["x"], {});
  expect(canKeepDocument(paths)).toBe(true);
  expect(canKeepDocument({ ...paths, cache: `${startDocumentPath(paths)}/below` })).toBe(false);
});

test("keeps the document to the byte, and the decision beside it, for the owner's eyes", () => {
  const document = "<nexus-context>é 🚀\uFFFD</nexus-context>";
  expect(writeStartRecord(paths, null, [document], { why: "x", lone: "\uD800" })).toEqual({
    ok: true,
    value: undefined,
  });
  expect(readFileSync(startDocumentPath(paths), "utf8")).toBe(document);
  expect(readdirSync(paths.cache)).toEqual(["session-start.json", "session-start.xml"]);
  expect(JSON.parse(readFileSync(`${paths.cache}/session-start.json`, "utf8"))).toEqual({ why: "x", lone: "\uD800" });
  for (const name of readdirSync(paths.cache)) expect(statSync(`${paths.cache}/${name}`).mode & 0o777).toBe(0o600);
  expect(statSync(paths.cache).mode & 0o777).toBe(0o700);
});

test("says where it could not be kept, and writes through no link that leads out of the project", () => {
  const outside = project();
  mkdirSync(outside.cache, { recursive: true });
  symlinkSync(outside.cache, paths.cache);
  expect(writeStartRecord(paths, null, ["x"], {})).toMatchObject({
    ok: false,
    error: { path: startDocumentPath(paths) },
  });
  expect(readdirSync(outside.cache)).toEqual([]);
  expect(canKeepDocument(paths)).toBe(false);
  remove(outside.root);
  remove(paths.cache);
  put(paths, "session/.cache", "a file");
  expect(writeStartRecord(paths, null, ["x"], {})).toMatchObject({ ok: false, error: { message: expect.any(String) } });
  expect(canKeepDocument(paths)).toBe(false);
});
