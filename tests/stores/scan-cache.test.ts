import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { lookAt } from "../../src/platform/file-marks.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { changeOf, folderMark, markOf, openScanCache } from "../../src/stores/scan-cache.ts";
import { remove } from "../platform/scripts.ts";
import { project } from "./projects.ts";
import { put } from "./workspace-files.ts";

let paths: ProjectPaths;

/** Long after everything that a test writes. */
const LATER = { build: "b", began: Date.now() + 60_000 };

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

describe("a file's mark", () => {
  test("changes with whatever changes the file, though size and time of writing are put back", () => {
    const path = put(paths, "a.md", "one");
    const marks = [markOf(path)];
    const { atime, mtime } = statSync(path);
    put(paths, "a.md", "two");
    utimesSync(path, atime, mtime);
    marks.push(markOf(path));
    appendFileSync(path, "!");
    marks.push(markOf(path));
    renameSync(put(paths, "b.md", "two!"), path);
    marks.push(markOf(path));
    rmSync(path);
    marks.push(markOf(path));
    mkdirSync(path);
    marks.push(markOf(path));
    rmSync(path, { recursive: true });
    execFileSync("mkfifo", [path]);
    marks.push(markOf(path));
    rmSync(path);
    symlinkSync("a.md", path);
    marks.push(markOf(path));
    expect(new Set(marks).size).toBe(8);
    expect(marks.indexOf(null)).toBe(4);
    expect(markOf(put(paths, "c.md", "x"))).toBe(markOf(join(paths.root, "c.md")));
  });

  test("of a folder is where it really is", () => {
    mkdirSync(join(paths.root, "a"));
    expect(folderMark(join(paths.root, "a"))).toBe(join(paths.root, "a"));
    symlinkSync("a", join(paths.root, "b"));
    expect(folderMark(join(paths.root, "b"))).toBe(join(paths.root, "a"));
    expect(folderMark(join(paths.root, "c"))).toBeNull();
  });
});

describe("what is remembered", () => {
  const file = () => join(paths.cache, "x.json");

  test("is not read where it is larger than any: one that came with a clone took a start half a minute", () => {
    const first = openScanCache(paths, "x", LATER);
    first.remember("a", "1", 1, "x".repeat(4 * 1024 * 1024));
    first.save();
    expect(statSync(file()).size).toBeGreaterThan(4 * 1024 * 1024);
    expect(openScanCache(paths, "x", LATER).recall("a", "1")).toBeUndefined();
  });

  test("is recalled for the same mark, and what a run did not use is forgotten", () => {
    const first = openScanCache(paths, "x", LATER);
    expect(first.recall("a", "1")).toBeUndefined();
    first.remember("a", "1", 1, { v: 1 });
    first.remember("b", "1", 1, "b");
    first.remember("__proto__", "1", 1, "odd");
    // What could not be looked at when it was read has no mark to be known by.
    first.remember("c", null, 1, "c");
    first.save();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const second = openScanCache(paths, "x", LATER);
    expect(second.recall("a", "1")).toEqual({ v: 1 });
    expect(second.recall("b", "2")).toBeUndefined();
    expect(second.recall("c", null)).toBeUndefined();
    expect(second.recall("__proto__", "1")).toBe("odd");
    second.save();
    expect(Object.keys(JSON.parse(readFileSync(file(), "utf8")).entries)).toEqual(["a", "__proto__"]);
  });

  test("is nothing that changed a moment before, since the next change may look the same", () => {
    const path = put(paths, "a.md", "- [ ] a\n");
    const began = statSync(path).ctimeMs;
    for (const [age, value] of [
      [1999, undefined],
      [2000, 1],
    ] as const) {
      const cache = openScanCache(paths, "x", { build: "b", began: began + age });
      cache.remember(path, markOf(path), changeOf(lookAt(path)), 1);
      cache.save();
      expect(openScanCache(paths, "x", LATER).recall(path, markOf(path))).toBe(value);
    }
    expect(changeOf(lookAt(join(paths.root, "none")))).toBe(0);
  });

  test("is nothing to a program that runs from its sources, which may be others each time", () => {
    const first = openScanCache(paths, "x", { ...LATER, build: null });
    first.remember("a", "1", 1, 1);
    first.save();
    expect(() => statSync(file())).toThrow("ENOENT");
    expect(openScanCache(paths, "x", { ...LATER, build: null }).recall("a", "1")).toBeUndefined();
  });

  test("is written only where something is new", () => {
    const write = () => {
      const cache = openScanCache(paths, "x", LATER);
      if (cache.recall("a", "1") === undefined) cache.remember("a", "1", 1, 1);
      cache.save();
      return statSync(file()).ino;
    };
    const before = write();
    expect(write()).toBe(before);
    openScanCache(paths, "x", LATER).save();
    expect(JSON.parse(readFileSync(file(), "utf8")).entries).toEqual({});
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    "5",
    '{"version":3,"build":"b"}',
    '{"version":3,"build":"b","entries":[]}',
    '{"version":2,"build":"b","entries":{"a":["1",1]}}',
    '{"version":3,"build":"c","entries":{"a":["1",1]}}',
    '{"version":3,"entries":{"a":["1",1]}}',
  ])("in a file that says %j is nothing", (text) => {
    put(paths, "session/.cache/x.json", text);
    const cache = openScanCache(paths, "x", LATER);
    expect(cache.recall("a", "1")).toBeUndefined();
    cache.remember("a", "1", 1, 1);
    cache.save();
    expect(openScanCache(paths, "x", LATER).recall("a", "1")).toBe(1);
  });

  test("in an entry of another shape is nothing, and its neighbours are kept", () => {
    put(
      paths,
      "session/.cache/x.json",
      '{"version":3,"build":"b","entries":{"a":1,"b":["1"],"c":[null,1],"d":["1",4],"e":["1",5,6]}}',
    );
    const cache = openScanCache(paths, "x", LATER);
    expect(["a", "b", "c", "d", "e"].map((key) => cache.recall(key, "1"))).toEqual([
      undefined,
      undefined,
      undefined,
      4,
      undefined,
    ]);
  });

  test("where nothing can be read or written costs no fault, and nothing beyond a link is touched", () => {
    const outside = put(paths, "outside.json", '{"version":3,"build":"b","entries":{"a":["1",1]}}');
    mkdirSync(paths.cache, { recursive: true });
    symlinkSync(outside, file());
    const linked = openScanCache(paths, "x", LATER);
    expect(linked.recall("a", "1")).toBeUndefined();
    rmSync(paths.cache, { recursive: true });
    put(paths, "session/.cache", "a file");
    const blocked = openScanCache(paths, "x", LATER);
    blocked.remember("a", "1", 1, 1);
    blocked.save();
    expect(readFileSync(paths.cache, "utf8")).toBe("a file");
    chmodSync(paths.cache, 0o600);
  });
});
