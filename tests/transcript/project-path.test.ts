import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ProjectPlaces, projectFinder, projectsNamed } from "../../src/transcript/project-path.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const POSIX: ProjectPlaces = { root: "/home/dev/acme", home: "/home/dev", projectsFolder: "02-projects" };
const WINDOWS: ProjectPlaces = {
  root: "C:\\Users\\Ann\\My Work",
  home: "C:\\Users\\Ann",
  projectsFolder: "02-projects",
};
const ACCENT: ProjectPlaces = { root: "/home/dev/é ü/acme", home: null, projectsFolder: "02-projects" };

describe("projectFinder", () => {
  it.each([
    ["/home/dev/acme/02-projects/24-demo/01-planning/04-steps.md", null, "24-demo"],
    ["/home/dev/acme/02-projects/24-demo", null, "24-demo"],
    ["/home/dev/acme/02-projects/24-demo/", null, "24-demo"],
    ["02-projects/24-demo/x", null, "24-demo"],
    ["./02-projects//24-demo/x", "/home/dev/acme", "24-demo"],
    ["01-planning/x", "/home/dev/acme/02-projects/24-demo", "24-demo"],
    ["../27-b/x", "/home/dev/acme/02-projects/24-demo", "27-b"],
    ["02-projects/24-demo/../27-b/x", null, "27-b"],
    ["~/acme/02-projects/24-demo/x", null, "24-demo"],
    ["$CLAUDE_PROJECT_DIR/02-projects/24-demo/x", "/tmp", "24-demo"],
    [`\${CLAUDE_PROJECT_DIR}/02-projects/24-demo`, "/tmp", "24-demo"],
    ["/home/dev/acme/.claude/worktrees/w-1/02-projects/24-demo/x", null, "24-demo"],
    ["02-projects/24-demo/x", "/home/dev/acme/.claude/worktrees/w-1", "24-demo"],
    ["/home/dev/acme\\02-projects\\24-Demo_2\\x", null, "24-Demo_2"],
    [`/home/dev/acme/02-projects/1-a/${"x/".repeat(250)}y`, null, "1-a"],
    ["/home/dev/acme/02-projects", null, null],
    ["/home/dev/acme/02-projects/readme.md", null, null],
    ["/home/dev/acme/02-projects/archive/24-demo/x", null, null],
    ["/home/dev/acme/02-projects/24-*/x", null, null],
    ["/home/dev/acme/02-projects/24-/x", null, null],
    ["/home/dev/acme/notes/02-projects/24-demo/x", null, null],
    ["/home/dev/acme2/02-projects/24-demo/x", null, null],
    ["/srv/other/02-projects/24-demo/x", null, null],
    ["02-projects/24-demo/x", "/srv/other", null],
    ["/home/dev/acme/02-projects/../../x", null, null],
    ["", null, null],
    ["a\0b", null, null],
  ])("of %j from %j is %j", (path, base, expected) => {
    expect(projectFinder(POSIX)(path, base)).toBe(expected);
  });

  it.each([
    ["C:\\Users\\Ann\\My Work\\02-projects\\09-plan-me\\03-plan.md", "09-plan-me"],
    ["c:/users/ann/my work/02-projects/09-plan-me/x", "09-plan-me"],
    ["C:/Users\\Ann/My Work\\02-projects/09-plan-me", "09-plan-me"],
    ["02-projects\\09-plan-me\\x", "09-plan-me"],
    ["~\\My Work\\02-projects\\09-plan-me\\x", "09-plan-me"],
    ["D:\\Users\\Ann\\My Work\\02-projects\\09-plan-me\\x", null],
  ])("of the Windows path %j is %j", (path, expected) => {
    expect(projectFinder(WINDOWS)(path, null)).toBe(expected);
  });

  it("reads a path that Windows wrote against a root without a drive", () => {
    const sample = "C:\\ws\\02-projects\\09-plan-me\\01-planning\\03-plan.md";
    expect(projectFinder({ ...POSIX, root: "/ws" })(sample, null)).toBe("09-plan-me");
  });

  it("takes composed and decomposed accents for the same", () => {
    expect(projectFinder(ACCENT)("/home/dev/e\u0301 u\u0308/acme/02-projects/1-a/x", null)).toBe("1-a");
  });

  it("counts a root's other spelling where it is given", () => {
    const path = "/srv/wt/02-projects/24-demo/x";
    expect(projectFinder({ ...POSIX, aliases: ["/srv/wt"] })(path, null)).toBe("24-demo");
  });

  it("finds the folder's whole name, whatever the id", () => {
    const id = fc.stringMatching(/^[0-9]{1,4}-[A-Za-z0-9_-]{1,20}$/);
    fc.assert(
      fc.property(id, fc.stringMatching(/^[a-z0-9./]{0,20}$/), (name, rest) => {
        fc.pre(!rest.includes(".."));
        expect(projectFinder(POSIX)(`02-projects/${name}/${rest}`, null)).toBe(name);
      }),
    );
  });
});

describe("projectsNamed", () => {
  it.each([
    ["go on with 24-demo.", null, ["24-demo"]],
    ["24-a and 2-a", new Set(["2-a"]), ["2-a"]],
    ["only 24-a", new Set(["2-a", "4-a"]), []],
    ["24-demo-2", new Set(["24-demo"]), []],
    ["on 2026-01-03, project 24", null, []],
    ["02-projects/24-demo/x", new Set(["24-demo"]), ["24-demo"]],
    ["x24-demo", null, []],
  ])("in %j with %j are %j", (text, known, expected) => {
    expect(projectsNamed(text, known)).toEqual(expected);
  });

  it.each(["1", "-", "1-", "1-a", "1-a "])("reads a megabyte of %j in one pass", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const start = cpuTime();
    projectsNamed(text, new Set());
    expect(cpuTime() - start).toBeLessThan(2_000);
  });
});
