import { describe, expect, it } from "vitest";
import { isAbsolute, partsBelow, resolvePath } from "../../src/transcript/path-text.ts";

const PLACES = { root: "/r", home: "/h" };

describe("resolvePath", () => {
  it.each([
    ["x/y", "/b", "/b/x/y"],
    ["./x//y/.", "/b/", "/b/x/y"],
    ["../x", "/b/c", "/b/x"],
    ["../../../x", "/b", "/x"],
    ["", "/b", "/b"],
    ["/", "/b", "/"],
    ["/a/../b", "/c", "/b"],
    ["\\a\\b", "/c", "/a/b"],
    ["x", "C:\\Work", "c:/Work/x"],
    ["D:\\a\\..\\b", "/c", "d:/b"],
    ["D:a", "/c", "/c/D:a"],
    ["d:", "/c", "/c/d:"],
    ["/d:", "/c", "d:"],
    ["/AB:/x", "/c", "/AB:/x"],
    ["/A:b/x", "/c", "/A:b/x"],
    ["~", "/b", "/h"],
    ["~/x", "/b", "/h/x"],
    ["~\\x", "/b", "/h/x"],
    ["~x", "/b", "/b/~x"],
    ["a/~", "/b", "/b/a/~"],
    ["$HOME/x", "/b", "/h/x"],
    [`\${HOME}/x`, "/b", "/h/x"],
    ["$HOMER/x", "/b", "/b/$HOMER/x"],
    ["$PWD/x", "/b", "/b/x"],
    [`\${PWD}`, "/b", "/b"],
    ["$CLAUDE_PROJECT_DIR/x", "/b", "/r/x"],
    ["$OTHER/x", "/b", "/b/$OTHER/x"],
    ["e\u0301", "/u\u0308", "/\u00fc/\u00e9"],
  ])("of %j from %j is %j", (path, base, expected) => {
    expect(resolvePath(path, base, PLACES)).toBe(expected);
  });

  it("leaves ~ as it is where the home folder is not known", () => {
    expect(resolvePath("~/x", "/b", { root: "/r", home: null })).toBe("/b/~/x");
  });
});

describe("partsBelow", () => {
  it.each([
    ["/a/b/c", "/a", ["b", "c"]],
    ["/a", "/a", []],
    ["/a/b", "/", ["a", "b"]],
    ["/ab", "/a", null],
    ["/A/b", "/a", null],
    ["c:/a/B", "c:/A", ["B"]],
    ["c:/a/b", "d:/a", null],
    ["c:/a/b", "/A", ["b"]],
    ["/a/b", "c:/a", ["b"]],
    ["/A/b", "c:/a", null],
    ["c:", "c:", []],
    ["c:/a", "c:", ["a"]],
  ])("of %j below %j is %j", (path, folder, expected) => {
    expect(partsBelow(path, folder)).toEqual(expected);
  });
});

it.each([
  ["/a", true],
  ["\\a", true],
  ["C:/a", true],
  ["c:\\a", true],
  ["C:a", false],
  ["a/b", false],
  ["a:/b", true],
  ["ab:/c", false],
  ["", false],
])("whether %j is absolute: %j", (path, expected) => {
  expect(isAbsolute(path)).toBe(expected);
});
