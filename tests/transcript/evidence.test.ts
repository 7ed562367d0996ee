import { describe, expect, it } from "vitest";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { projectFinder, projectsNamed } from "../../src/transcript/project-path.ts";
import { isBulk, type ScoredClue, scoreProjects } from "../../src/transcript/project-score.ts";
import { OPTIONS, ROOT, Session } from "./helpers.ts";

const A = "02-projects/24-a/x.md";
const B = "02-projects/27-b/x.md";

describe("the evidence of a session", () => {
  it("names each thing that points to a project, with its row, kind and reason", () => {
    const detection = new Session()
      .prompt("go on with 24-a and 27-b")
      .read(A)
      .bash(`cp ${A} ${B}`)
      .edit(A)
      .skill("execute-project", "24-a 27-b")
      .skill("other", "look at 24-a")
      .slash("execute-project", "24-a")
      .slash("lab", "27-b")
      .slash("compact", "24-a")
      .call("Task", { prompt: "Read 27-b" })
      .call("Edit", { file_path: A }, "failed")
      .call("Edit", { file_path: A }, "ok", { isSidechain: true })
      .compacted("24-a, 27-b and 24-a")
      .compacted("24-a and 27-b")
      .edit(B)
      .detect();
    expect(
      detection.evidence.map(({ row, kind, project, counted, why }) => [row, kind, project, counted, why]),
    ).toEqual([
      [0, "prompt", "24-a", false, "a project named in talk is no work"],
      [0, "prompt", "27-b", false, "a project named in talk is no work"],
      [1, "read", "24-a", true, "Read"],
      [3, "read", "24-a", true, "Bash"],
      [3, "write", "27-b", true, "Bash"],
      [5, "write", "24-a", true, "Edit"],
      [7, "skill", "24-a", true, "project skill called"],
      [7, "skill", "27-b", true, "project skill called"],
      [9, "mention", "24-a", true, "named only"],
      [11, "slash-command", "24-a", true, "project skill, typed"],
      [12, "mention", "27-b", true, "named only"],
      [14, "mention", "27-b", true, "named only"],
      [16, "write", "24-a", false, "a call that failed is no work"],
      [18, "write", "24-a", false, "a sub-agent's work is not the main line's"],
      [21, "summary", "24-a", true, "the summary is weak evidence"],
      [24, "write", "27-b", true, "Edit"],
    ]);
    expect(detection.scores).toEqual([
      {
        project: "27-b",
        score: 100,
        compactionsAgo: 0,
        writes: 2,
        reads: 0,
        skillCalls: 1,
        mentions: 2,
        lastIndex: 16,
        lastRow: 24,
      },
      {
        project: "24-a",
        score: 357.6,
        compactionsAgo: 2,
        writes: 1,
        reads: 2,
        skillCalls: 2,
        mentions: 2,
        lastIndex: 13,
        lastRow: 21,
      },
    ]);
    expect(detection).toMatchObject({
      project: "27-b",
      confidence: "high",
      switched: false,
      switchedBy: null,
      talkedSince: false,
      otherSkill: { name: "lab", row: 12 },
      bulk: false,
      runnerUp: { project: "24-a" },
    });
  });

  it("takes a call that writes and reads for one that writes, whichever comes first", () => {
    for (const command of [`touch ${A} && cat ${A}`, `cat ${A} && touch ${A}`]) {
      expect(
        new Session()
          .bash(command)
          .detect()
          .evidence.map(({ kind }) => kind),
      ).toEqual(["write"]);
    }
  });

  it("tells who took over, and what a person said since", () => {
    const detection = new Session().edit(A).skill("other").slash("lab").prompt("thanks").detect();
    expect(detection).toMatchObject({
      switchedBy: { name: "other", row: 2 },
      otherSkill: { name: "lab", row: 4 },
      talkedSince: true,
      runnerUp: null,
    });
    expect(new Session().prompt("go").edit(A).detect().talkedSince).toBe(false);
    const side = new Session().edit(A).add({ type: "user", isSidechain: true, message: { content: "go" } });
    expect(side.detect().talkedSince).toBe(false);
    expect(new Session().edit(A).skill("other", "24-a").detect()).toMatchObject({ switched: false, switchedBy: null });
  });

  it("takes no skill for a switch where the project is only named", () => {
    expect(new Session().call("Task", { prompt: "24-a" }).skill("other").detect()).toMatchObject({
      project: "24-a",
      confidence: "low",
      switched: false,
      talkedSince: false,
    });
  });

  it.each([
    ["24-a", null, ["24-a"]],
    ["24", null, []],
    [" project  24 please", new Set(["24-a", "2-b"]), ["24-a"]],
    ["#24", new Set(["24-a"]), ["24-a"]],
    ["Project #24", new Set(["24-a"]), ["24-a"]],
    ["24-", new Set(["24-a"]), []],
    ["24x", new Set(["24-a"]), []],
    ["on 24", new Set(["24-a"]), []],
    ["2", new Set(["24-a"]), []],
    ["", new Set(["24-a"]), []],
  ])("finds in a project skill's arguments %j", (args, knownProjects, expected) => {
    const { evidence } = new Session().skill("plan-project", args).detect({ knownProjects });
    expect(evidence.map(({ project }) => project)).toEqual(expected);
  });

  it.each([
    ["24-a 24-a 27-b", ["24-a"]],
    ["24-a 27-b", []],
    ["24-a and 27-b, 24-a", ["24-a"]],
    ["nothing", []],
    [`24-a${" ".repeat(65_530)}27-b 27-b`, ["24-a"]],
  ])("finds in a summary the one that it names most", (summary, expected) => {
    const { evidence } = new Session().compacted(summary).detect();
    expect(evidence.map(({ project }) => project)).toEqual(expected);
  });

  it.each([
    [{ file_path: `${ROOT}/skills/report/SKILL.md` }, "report"],
    [{ file_path: "SKILL.md" }, ROOT.split("/").at(-1) ?? ""],
    [{ file_path: "skills/report/SKILL.md.bak" }, null],
    [{ file_path: "skills/report/MYSKILL.md" }, null],
    [{ file_path: "skills/plan-project/SKILL.md" }, null],
    [{ file_path: "skills/a/SKILL.md", path: "skills/b/SKILL.md" }, "a"],
  ])("takes reading %j for the start of %j", (input, name) => {
    expect(new Session().call("Read", input).detect().otherSkill?.name ?? null).toBe(name);
  });

  it("reads a shell command in a project's folder, and where the projects stand deeper", () => {
    const inside = new Session({ cwd: `${ROOT}/02-projects/24-a` });
    expect(inside.bash("make").detect().project).toBe("24-a");
    const deep = new Session().bash("cat work/projects/24-a/x");
    expect(deep.detect({ projectsFolder: "work/projects/" }).project).toBe("24-a");
    expect(deep.detect({ projectsFolder: "work\\projects" }).project).toBe("24-a");
  });

  it("takes the folder of a record, then the session's, then the root", () => {
    const steps = (cwd?: string) => new Session(cwd === undefined ? {} : { cwd }).read("x.md");
    const [a, b] = [`${ROOT}/02-projects/24-a`, `${ROOT}/02-projects/27-b`];
    expect(steps(a).detect({ cwd: b }).project).toBe("24-a");
    expect(steps().detect({ cwd: b }).project).toBe("27-b");
    expect(new Session({}).read(A).detect().project).toBe("24-a");
  });

  it("counts a root's other spellings beside the session's folder", () => {
    const steps = new Session().read("/srv/wt/02-projects/24-a/x");
    expect(steps.detect({ aliases: ["/srv/wt"] }).project).toBe("24-a");
    expect(steps.detect({ aliases: ["/srv/wt"], cwd: "/srv/other" }).project).toBe("24-a");
    expect(steps.detect({ aliases: ["/srv/other"], cwd: "/srv/wt" }).project).toBe("24-a");
  });

  it("knows no folder without a look-up, and none that is not there with one", () => {
    const { root, home, projectsFolder } = OPTIONS;
    expect(detectProject(new Session().read(A).activities(), { root, home, projectsFolder }).project).toBe("24-a");
    expect(new Session().read(A).detect({ knownProjects: new Set() }).project).toBeNull();
  });
});

describe("the standing of projects", () => {
  const clue = (project: string, kind: ScoredClue["kind"], index: number, compactionsAgo = 0): ScoredClue => ({
    project,
    kind,
    index,
    row: index * 10,
    compactionsAgo,
  });
  const scores = (...clues: readonly ScoredClue[]) =>
    scoreProjects(clues).map(({ project, score }) => [project, score]);

  it.each([
    ["one write", [clue("a", "write", 1)], [["a", 100]]],
    ["two", [clue("a", "write", 1), clue("a", "write", 2)], [["a", 160]]],
    ["two in one activity", [clue("a", "write", 1), clue("a", "write", 1)], [["a", 200]]],
    ["a read", [clue("a", "read", 1)], [["a", 1]]],
    ["a read beside a write", [clue("a", "write", 1), clue("a", "read", 2)], [["a", 101]]],
    ["a skill", [clue("a", "skill", 1)], [["a", 200]]],
    ["a typed command", [clue("a", "slash-command", 1)], [["a", 200]]],
    [
      "names",
      [clue("a", "mention", 1), clue("b", "summary", 2)],
      [
        ["b", 1],
        ["a", 0.6],
      ],
    ],
    [
      "names beside work",
      [clue("a", "mention", 1), clue("b", "read", 0)],
      [
        ["b", 1],
        ["a", 1],
      ],
    ],
    [
      "three projects, where fading is slow",
      [clue("a", "write", 1), clue("b", "write", 2), clue("c", "write", 3)],
      [
        ["c", 100],
        ["b", 85],
        ["a", 72.25],
      ],
    ],
    [
      "an older stretch",
      [clue("a", "write", 1, 1), clue("b", "read", 2)],
      [
        ["b", 1],
        ["a", 100],
      ],
    ],
    [
      "a tie",
      [clue("b", "read", 1), clue("a", "read", 1)],
      [
        ["a", 1],
        ["b", 1],
      ],
    ],
    [
      "a tie of which one is later",
      [clue("a", "mention", 1), clue("b", "mention", 1), clue("a", "read", 2)],
      [
        ["a", 1],
        ["b", 1],
      ],
    ],
    [
      "an equal score",
      [clue("a", "read", 1, 1), clue("b", "read", 2, 2)],
      [
        ["a", 1],
        ["b", 1],
      ],
    ],
  ] as const)("by %s", (_name, clues, expected) => {
    expect(scores(...clues)).toEqual(expected);
  });

  it.each([
    ["two", [clue("a", "write", 1), clue("b", "write", 2)], false],
    ["three alike", [clue("a", "write", 1), clue("b", "write", 2), clue("c", "write", 3)], true],
    ["three in one call", [clue("a", "write", 1), clue("b", "write", 1), clue("c", "write", 1)], true],
    ["one twice as much", [clue("a", "skill", 1), clue("b", "write", 1), clue("c", "write", 1)], false],
    ["three named", [clue("a", "mention", 1), clue("b", "summary", 2), clue("c", "mention", 3)], true],
    ["three read", [clue("a", "read", 1), clue("b", "read", 1), clue("c", "read", 1)], true],
    [
      "one written of three read",
      [clue("a", "read", 1), clue("b", "read", 1), clue("c", "read", 1), clue("a", "write", 2)],
      false,
    ],
    [
      "one skill of three read",
      [clue("a", "read", 1), clue("b", "read", 1), clue("c", "read", 1), clue("a", "skill", 2)],
      false,
    ],
    [
      "three of which two are older",
      [clue("a", "write", 1, 1), clue("b", "write", 1, 1), clue("c", "write", 2)],
      false,
    ],
    [
      "three named, two before a compaction",
      [clue("a", "mention", 1, 1), clue("b", "mention", 1, 1), clue("c", "mention", 2)],
      true,
    ],
    ["none", [], false],
  ] as const)("is bulk work for %s: %#", (_name, clues, expected) => {
    expect(isBulk(scoreProjects(clues), clues)).toBe(expected);
  });
});

describe("where a path lies", () => {
  const find = (path: string, base: string | null = null, places: Partial<typeof OPTIONS> = {}) =>
    projectFinder({ ...OPTIONS, ...places })(path, base);

  it.each([
    [`${ROOT}/02-projects/24-a\\x`, "24-a"],
    [`${ROOT}/02-projects/24-a/../27-b/x`, "27-b"],
    [`${ROOT}/02-projects/24-a/x\0y`, null],
    [`${ROOT}/02-projects/24-a`, "24-a"],
    [`${ROOT}/02-projects//24-a/x`, "24-a"],
    [`${ROOT}/.claude/worktrees/w/02-projects/24-a`, "24-a"],
    [`${ROOT}/.claude/worktrees/02-projects/24-a`, null],
    [`${ROOT}/.claude/other/w/02-projects/24-a`, null],
    [`${ROOT}/x/worktrees/w/02-projects/24-a`, null],
  ])("%j is of %j", (path, expected) => {
    expect(find(path)).toBe(expected);
  });

  it("is found below projects that lie anywhere below the root", () => {
    expect(find("a/b/24-a/x", null, { projectsFolder: "a/b" })).toBe("24-a");
    expect(find("a/24-a/x", null, { projectsFolder: "a/b" })).toBeNull();
    expect(find("x/b/24-a/x", null, { projectsFolder: "a/b" })).toBeNull();
    expect(find("24-a/x", null, { projectsFolder: "." })).toBe("24-a");
    expect(find(`${ROOT}/24-a/x`, null, { projectsFolder: "" })).toBe("24-a");
    expect(find(`${ROOT}/.claude/24-a/x`, null, { projectsFolder: ".claude" })).toBe("24-a");
    expect(find(`${ROOT}/.claude/worktrees/24-a/x`, null, { projectsFolder: ".claude/worktrees" })).toBeNull();
    expect(find("24-a", `${ROOT}/02-projects`)).toBe("24-a");
  });

  it("is found below a root that is spelled in another way", () => {
    expect(find(`${ROOT}/02-projects/24-a`, null, { root: `${ROOT}/` })).toBe("24-a");
    expect(find(`${ROOT}/02-projects/24-a`, null, { root: `${ROOT}/x/..` })).toBe("24-a");
  });

  it("is told in a text by whole words, each once", () => {
    expect(projectsNamed("24-a 27-b 24-a", null)).toEqual(["24-a", "27-b"]);
    expect(projectsNamed(`${"1".repeat(12)}-a ${"1".repeat(13)}-a`, null)).toEqual([`${"1".repeat(12)}-a`]);
    expect(projectsNamed(`1-${"a".repeat(250)} 1-${"a".repeat(251)}`, null)).toEqual([`1-${"a".repeat(250)}`]);
    expect(projectsNamed("a.24-a a-24-a a_24-a /24-a (24-a)", new Set(["24-a"]))).toEqual(["24-a"]);
    expect(projectsNamed("24-1 24-a", new Set(["24-1"]))).toEqual(["24-1"]);
  });
});
