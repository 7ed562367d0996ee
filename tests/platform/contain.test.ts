import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { isInside, realPathInside } from "../../src/platform/contain.ts";
import { remove, temporaryFolder } from "./scripts.ts";

let root = "";
let outside = "";

beforeEach(() => {
  const folder = realpathSync(temporaryFolder());
  root = join(folder, "root");
  outside = join(folder, "outside");
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(root, "file"), "");
  writeFileSync(join(outside, "secret"), "");
  return () => remove(folder);
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", true],
  ["/a", "/a/..b", true],
  ["/a", "/ab", false],
  ["/a", "/", false],
  ["/a", "/b", false],
  ["/", "/a", true],
  ["/a", "/a/../b", false],
  ["/a", "/a/b/../../a/c", true],
])("by their text, %s holds %s: %s", (folder, path, inside) => {
  expect(isInside(folder, path)).toBe(inside);
});

test("by their text as the paths resolve, whatever they are made of", () => {
  const parts = fc.array(fc.constantFrom("a", "b", "ab", "..", ".", "", "..b", ".c", "..."), { maxLength: 5 });
  fc.assert(
    fc.property(parts, parts, (folder, below) => {
      const from = `/${folder.join("/")}`;
      for (const path of [`/${below.join("/")}`, `${from}/${below.join("/")}`, from]) {
        const base = posix.resolve(from);
        const full = posix.resolve(path);
        const inside = full === base || full.startsWith(base === "/" ? "/" : `${base}/`);
        expect(isInside(from, path), `${from} ${path}`).toBe(inside);
      }
    }),
    { numRuns: 500 },
  );
});

test("a file, a folder, the root itself, and what does not exist yet", () => {
  for (const path of ["file", "sub", "", "new", "sub/new/deep", "file/below"]) {
    expect(realPathInside(root, join(root, path))).toBe(path === "" ? root : join(root, path));
  }
  expect(realPathInside(root, relative(process.cwd(), join(root, "file")))).toBe(join(root, "file"));
  expect(realPathInside(join(root, "not-there"), join(root, "not-there", "x"))).toBe(join(root, "not-there", "x"));
});

test("what climbs out", () => {
  expect(realPathInside(root, join(outside, "secret"))).toBeNull();
  expect(realPathInside(root, `${root}/../outside/secret`)).toBeNull();
  expect(realPathInside(root, `${root}/sub/../../outside/new`)).toBeNull();
  expect(realPathInside(root, `${root}x`)).toBeNull();
});

test.each([
  ["to a file inside", "file", "file"],
  ["to a folder inside", "sub", "sub"],
])("a link %s is that", (_name, target, real) => {
  symlinkSync(join(root, target), join(root, "link"));
  expect(realPathInside(root, join(root, "link"))).toBe(join(root, real));
});

test.each([
  ["to a file outside", () => join(outside, "secret"), "link"],
  ["to a folder outside", () => outside, "link"],
  ["to a folder outside, a file in it", () => outside, "link/secret"],
  ["to a folder outside, a new file in it", () => outside, "link/new/deep"],
  ["to the folder above, relative", () => "..", "link/outside/secret"],
  ["that is dangling, inside", () => join(root, "nowhere"), "link"],
  ["that is dangling, outside", () => join(outside, "nowhere"), "link"],
  ["that is dangling, a file below it", () => join(outside, "nowhere"), "link/x"],
  ["to itself", () => join(root, "link"), "link"],
  ["to itself, a file below it", () => join(root, "link"), "link/x"],
])("a link %s is refused", (_name, target, path) => {
  symlinkSync(target(), join(root, "link"));
  expect(realPathInside(root, join(root, path))).toBeNull();
});

test("a chain of links counts by its end", () => {
  symlinkSync(outside, join(root, "c"));
  symlinkSync(join(root, "c"), join(root, "b"));
  symlinkSync(join(root, "b"), join(root, "a"));
  expect(realPathInside(root, join(root, "a", "secret"))).toBeNull();
  symlinkSync(join(root, "sub"), join(outside, "back"));
  expect(realPathInside(root, join(root, "a", "back", "new"))).toBe(join(root, "sub", "new"));
});

test("a root that is a link itself is what it leads to", () => {
  symlinkSync(root, join(outside, "project"));
  expect(realPathInside(join(outside, "project"), join(outside, "project", "file"))).toBe(join(root, "file"));
  expect(realPathInside(join(outside, "project"), join(root, "new"))).toBe(join(root, "new"));
  expect(realPathInside(join(outside, "project"), join(outside, "secret"))).toBeNull();
});
