import { posix, win32 } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { classifyPath, REFUSALS, type RefusedPath } from "../../src/resume/manifest-paths.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

test.each([
  ["01-planning/overview.md", "01-planning/overview.md"],
  ["./01-planning//./a.md", "01-planning/a.md"],
  ["01-planning\\steps.md", "01-planning/steps.md"],
  ["a/../b.md", "b.md"],
  ["a/b/../../c.md", "c.md"],
  ["..a/...b/c..md", "..a/...b/c..md"],
  ["02-resources/Notes: final (v2).PDF", "02-resources/Notes: final (v2).PDF"],
  ["console.md", "console.md"],
  ["a~b/~c", "a~b/~c"],
  ["$HOME/x", "$HOME/x"],
  ["café/計画.md", "café/計画.md"],
])("takes %s as %s", (path, meant) => {
  expect(classifyPath(path)).toEqual({ kind: "relative", path: meant });
});

const REFUSED: [string, RefusedPath][] = [
  ["", "empty"],
  ["  ", "empty"],
  ["./.", "empty"],
  ["a/..", "empty"],
  ["/etc/passwd", "absolute"],
  ["\\windows\\x", "absolute"],
  ["C:\\x", "windows-drive"],
  ["c:x.md", "windows-drive"],
  ["C:/x", "windows-drive"],
  ["\\\\host\\share\\x", "network"],
  ["//host/share", "network"],
  ["\\\\?\\C:\\x", "network"],
  ["file:///etc/passwd", "url"],
  ["https://example.org/x", "url"],
  ["..", "climbs-out"],
  ["../../.ssh/id", "climbs-out"],
  ["a/../../b", "climbs-out"],
  ["a\\..\\..\\b", "climbs-out"],
  ["a/.. /../b", "climbs-out"],
  ["~", "home"],
  ["~/x", "home"],
  ["~root/x", "home"],
  ["./~/x", "home"],
  ["./C:/x", "windows-drive"],
  ["a\0b", "control-character"],
  ["a\nb", "control-character"],
  ["CON", "device"],
  ["a/nul.txt", "device"],
  ["COM1 .md", "device"],
  ["lpt\u00B9", "device"],
  ["x".repeat(5000), "too-long"],
];

test.each(REFUSED)("refuses %j: %s", (path, reason) => {
  expect(classifyPath(path)).toEqual({ kind: "refused", reason });
});

test("has a case for each reason", () => {
  expect(new Set(REFUSED.map(([, reason]) => reason))).toEqual(new Set(Object.keys(REFUSALS)));
});

test("a path that is taken never leaves the project, and is taken again as it is", () => {
  const part = fc.constantFrom("..", ".", "", "a", "b.md", "..a", "C:", "~", "con", " ", ".. ", "\0");
  const path = fc
    .array(fc.tuple(part, fc.constantFrom("/", "\\", "")), { maxLength: 8 })
    .map((all) => all.flat().join(""));
  fc.assert(
    fc.property(path, (text) => {
      const found = classifyPath(text);
      if (found.kind === "refused") return;
      expect(found.path).not.toMatch(/^[/\\~]|\\|(^|\/)\.{0,2}(\/|$)|\0/);
      expect(posix.resolve("/p/q", found.path)).toBe(posix.join("/p/q", found.path));
      expect(win32.resolve("D:\\p", found.path).startsWith("D:\\p\\")).toBe(true);
      expect(classifyPath(found.path)).toEqual(found);
    }),
    { numRuns: 3000 },
  );
});

test.each([["../".repeat(400_000)], [" ".repeat(1_000_000)], ["a".repeat(1_000_000)], [`${" ".repeat(1_000_000)}a`]])(
  "classifies a very long path in little time",
  (path) => {
    const start = cpuTime();
    expect(classifyPath(path).kind).toBe("refused");
    expect(cpuTime() - start).toBeLessThan(2_000);
  },
);
