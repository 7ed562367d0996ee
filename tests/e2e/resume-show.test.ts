import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addProject, makeAcme, manifestText } from "../helpers/acme-project.ts";
import { runProgram } from "../helpers/run-program.ts";
import { EVIL, escaped, RAW } from "../helpers/unsafe-text.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const PROJECT = "02-projects/24-demo";
const MANIFEST = `${PROJECT}/01-planning/resume-context.md`;
const MB = 1024 * 1024;

interface Shown {
  readonly folder: string;
  readonly files: readonly { readonly listed: string; readonly state: string; readonly reason: string | null }[];
  readonly [key: string]: unknown;
}

function show(workspace: Workspace): { readonly text: string; readonly json: Shown } {
  const ran = workspace.context("resume.show 24-demo");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return { text: ran.stdout, json: JSON.parse(workspace.context("resume.show 24-demo --json").stdout) };
}

const LONG_AGO = new Date("2020-01-01T00:00:00Z");

/** Whether a file was read since its access time was set back; file systems that keep no such time never say so. */
function wasRead(path: string): boolean {
  return statSync(path).atime.getTime() !== LONG_AGO.getTime();
}

describe("files to load", () => {
  test("are each said to be there, or what is wrong; nothing outside the project is ever opened", () => {
    const workspace = makeAcme();
    const elsewhere = makeWorkspace();
    workspace.write("02-projects/.ssh/id", "private\n");
    const outside = [
      workspace.path("02-projects/.ssh/id"),
      elsewhere.write("key", "private\n"),
      workspace.write("b", "b\n"),
    ];
    symlinkSync(elsewhere.path("key"), workspace.path(`${PROJECT}/link`));
    symlinkSync(elsewhere.root, workspace.path(`${PROJECT}/folder-link`));
    symlinkSync("01-planning/03-plan.md", workspace.path(`${PROJECT}/inner-link`));
    symlinkSync("loop", workspace.path(`${PROJECT}/loop`));
    symlinkSync(workspace.path(`${PROJECT}/nothing`), workspace.path(`${PROJECT}/dangling`));
    workspace.write(`${PROJECT}/empty.md`, "");
    workspace.write(`${PROJECT}/binary.md`, Buffer.from([1, 2, 0, 3]));
    workspace.write(`${PROJECT}/latin.md`, Buffer.from([0xe9, 0x0a]));
    workspace.write(`${PROJECT}/large.md`, "x".repeat(MB + 1));
    workspace.write(`${PROJECT}/Über uns.MD`, "x\n");
    runProgram("mkfifo", ["fifo"], { cwd: workspace.path(PROJECT) });
    const states: readonly (readonly [string, string])[] = [
      ["01-planning/01-overview.md", "present"],
      ["./01-planning//03-plan.md", "present"],
      ["01-planning/../01-planning/04-steps.md", "present"],
      ["inner-link", "present"],
      ["Über uns.MD", "present"],
      ["02-resources/none.md", "missing"],
      ["empty.md", "empty"],
      ["binary.md", "binary"],
      ["latin.md", "binary"],
      ["large.md", "too-large"],
      ["01-planning", "unreadable"],
      ["fifo", "unreadable"],
      ["../../.ssh/id", "refused"],
      ["../.ssh/id", "refused"],
      ["/etc/passwd", "refused"],
      ["a/../../b", "refused"],
      ["a\\..\\..\\b", "refused"],
      ["link", "refused"],
      ["folder-link/key", "refused"],
      ["loop", "refused"],
      ["C:\\x", "refused"],
      ["CON", "refused"],
      ["01-planning/nul.md", "refused"],
      ["~/.ssh/id", "refused"],
      ["file:///etc/passwd", "refused"],
      ["\\\\host\\share", "refused"],
    ];
    const quoted = states.map(([path]) => JSON.stringify(path));
    workspace.write(MANIFEST, manifestText("24-demo", quoted));
    const inside = workspace.path(`${PROJECT}/01-planning/03-plan.md`);
    for (const path of [...outside, inside]) utimesSync(path, LONG_AGO, new Date());

    const probe = workspace.write("probe", "x\n");
    utimesSync(probe, LONG_AGO, new Date());
    readFileSync(probe);
    const keepsAccessTimes = wasRead(probe);

    const { text, json } = show(workspace);
    expect(json.files.map(({ listed, state }) => [listed, state])).toEqual(states);
    for (const { listed, state, reason } of json.files) {
      expect(reason === null, listed).toBe(state === "present" || state === "missing");
    }
    expect(json.files.map(({ listed }) => listed)).toEqual(states.map(([path]) => path));
    for (const path of outside) expect(wasRead(path), path).toBe(false);
    if (keepsAccessTimes) expect(wasRead(inside)).toBe(true);
    expect(text + JSON.stringify(json)).not.toContain("private");

    // What the paths are relative to is said, and each stands with its state in the order of the manifest.
    expect(json.folder).toBe(workspace.path(PROJECT));
    expect(text).toContain(workspace.path(PROJECT));
    const listed = text.split("\n").filter((line) => /^ {2}\S/.test(line));
    expect(listed.map((line) => line.trim().split(/\s{2,}/)[0])).toEqual(states.map(([, state]) => state));
    expect(text).toMatch(/^ {2}refused +\.\.\/\.\.\/\.ssh\/id +\(climbs out of the project\)$/m);
    expect(text).toMatch(/^ {2}refused +link +\(is a link that leads out of the project\)$/m);
  });

  test("are looked at from wherever the command runs", () => {
    const workspace = makeAcme();
    const here = workspace.context("resume.show 24-demo");
    for (const cwd of [workspace.path(PROJECT), workspace.path("00-system/core")]) {
      expect(workspace.context("resume.show 24", { cwd })).toEqual(here);
    }
    const elsewhere = makeWorkspace();
    expect(workspace.context(["-C", workspace.root, "resume.show", "24"], { cwd: elsewhere.root })).toEqual(here);
  });

  test("of a project that is itself a link out of the root are not read either", () => {
    const workspace = makeAcme();
    const elsewhere = makeAcme();
    symlinkSync(elsewhere.path(PROJECT), workspace.path("02-projects/31-linked"));
    const ran = workspace.context("resume.show 31-linked");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain("leads out of the project");
  });
});

describe("a manifest", () => {
  test("shows what it says, quoted texts with colons and comments behind values included", () => {
    const workspace = makeAcme();
    const text = [
      "---  ",
      "# a comment",
      "resume_version: '1.2'",
      "last_updated: 2026-01-03",
      'project_id: "24-demo" # the folder',
      'project_name: "Demo: the app # 1"',
      "current_phase: COMPLETE",
      "next_action: execute-project",
      'files_to_load: ["01-planning/a, b.md", 01-planning/04-steps.md]  # If there is time',
      'current_task: "15"',
      "progress: 14/40 tasks",
      "---",
      "# Validation Gate",
      "- [ ] Which task comes next?",
      "- [ ] Why?",
      "",
    ].join("\r\n");
    workspace.write(MANIFEST, `\uFEFF${text}`);
    const { json, text: shown } = show(workspace);
    expect(json).toMatchObject({
      project: "24-demo",
      path: MANIFEST,
      legacy: false,
      manifest: {
        resume_schema_version: "1.2",
        project_name: "Demo: the app # 1",
        current_phase: "review",
        files_to_load: ["01-planning/a, b.md", "01-planning/04-steps.md"],
        current_task: 15,
        progress: "14/40 tasks",
      },
    });
    expect(shown).toMatch(/^Project +24-demo \(Demo: the app # 1\)$/m);
    expect(shown).toMatch(/^Gate +2 questions$/m);
  });

  test("under its old name is read where there is no new one, and that is said", () => {
    const workspace = makeAcme();
    runProgram("mv", [workspace.path(MANIFEST), workspace.path(`${PROJECT}/_resume.md`)], { cwd: "/" });
    const { json, text } = show(workspace);
    expect(json).toMatchObject({ legacy: true, path: `${PROJECT}/_resume.md` });
    expect(text).toMatch(/_resume\.md \(old name: resume\.migrate renames it\)/);
    // The designs' own example has no more than this, and a start goes by it.
    workspace.write(`${PROJECT}/_resume.md`, "---\nfiles_to_load:\n  - 01-planning/01-overview.md\n---\n");
    const oldest = show(workspace);
    expect(oldest.text).toMatch(/^Project +24-demo$/m);
    expect(oldest.text).toMatch(/^Next action +-\n(?:.*\n)+ {2}present +01-planning\/01-overview\.md$/m);
    expect(oldest.json).toMatchObject({ ok: true, legacy: true, files: [{ state: "present" }] });
    workspace.write(`${PROJECT}/_resume.md`, "---\nproject_id: 24-demo\n---\n");
    const ran = workspace.context("resume.show 24-demo");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/ resume\.migrate 24-demo makes a whole manifest of it\.\n$/);
    workspace.write(`${PROJECT}/_resume.md`, "# In hand\n");
    expect(workspace.context("resume.show 24-demo").stderr).toContain(" resume.migrate 24-demo ");
    // It would refuse that one.
    workspace.write(`${PROJECT}/_resume.md`, "---\na: [\n---\n");
    expect(workspace.context("resume.migrate 24-demo").code).toBe(1);
    expect(workspace.context("resume.show 24-demo").stderr).toMatch(
      / resume\.validate 24-demo shows every finding\.\n$/,
    );
  });

  test.each([
    ["---\na: 1\nb: [1\n---\n", 1, /resume-context\.md:[2-4]:\d+ .*YAML/],
    ["---\na: 1\na: 2\n---\n", 1, /resume-context\.md:3:1 /],
    ["---\nproject_id: 24-demo\n", 1, /resume-context\.md:1:1 .*not closed/],
    ["# No front matter\n", 1, /resume-context\.md:1:1 /],
    ["", 1, /resume-context\.md:1:1 /],
    [
      `${manifestText("24-demo").replace("current_phase: execution", "current_phase: exection")}`,
      1,
      /resume-context\.md:6:\d+ .*exection/,
    ],
    [Buffer.from([0xff, 0xfe]), 1, /resume-context\.md is not UTF-8/],
  ])("that does not parse is told with its place: %#", (text, code, told) => {
    const workspace = makeAcme();
    workspace.write(MANIFEST, text);
    const ran = workspace.context("resume.show 24-demo");
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(told);
    const json: unknown = JSON.parse(workspace.context("resume.show 24-demo --json").stdout);
    expect(json).toMatchObject({
      ok: false,
      project: "24-demo",
      manifest: null,
      error: { message: expect.stringMatching(told) },
    });
    // The validator and the reader agree.
    expect(workspace.context("resume.validate 24-demo").code).toBe(1);
  });

  test("of each project is shown where none is named, and a bad one does not hide the others", () => {
    const workspace = makeAcme();
    addProject(workspace, "31-bad");
    workspace.write("02-projects/31-bad/01-planning/resume-context.md", "---\na: [\n---\n");
    workspace.write("02-projects/01-bad/01-planning/resume-context.md", "---\na: [\n---\n");
    workspace.write("02-projects/32-none/01-planning/04-steps.md", "- [ ] x\n");
    workspace.write("02-projects/no project/x.md", "x\n");
    const ran = workspace.context("resume.show");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^Manifest [\s\S]*^Project +24-demo /m);
    expect(ran.stdout).toMatch(/^Project +27-xml-context /m);
    // What has no text leaves no blank line either.
    expect(ran.stdout).not.toMatch(/^\n|\n\n\n|\n\n$/);
    expect(ran.stderr).toMatch(/31-bad\/01-planning\/resume-context\.md:\d+:\d+ /);
    expect(ran.stderr).not.toContain("32-none");
    expect(makeWorkspace().context("resume.show")).toMatchObject({ code: 0, stdout: "No project has a manifest.\n" });
  });

  test("that is not there is said, and what the project is called", () => {
    const workspace = makeAcme();
    workspace.write("02-projects/32-none/01-planning/04-steps.md", "- [ ] x\n");
    expect(workspace.context("resume.show 32")).toMatchObject({ code: 1, stdout: "" });
    expect(workspace.context("resume.show 24-dem").stderr).toContain('Did you mean "24-demo"?');
    expect(workspace.context("resume.show 99")).toMatchObject({ code: 2, stdout: "" });
  });

  test("full of escape sequences puts none on a terminal", () => {
    const workspace = makeAcme();
    const evil = escaped(EVIL);
    const text = manifestText("24-demo", [evil, escaped(`01-planning/${EVIL}`)])
      .replace('"Demo"', evil)
      .replace("next_action: execute-project", `next_action: ${evil}\nprogress: ${evil}`);
    workspace.write(MANIFEST, `${text}\n# Validation Gate\n- [ ] ${EVIL}\n`);
    for (const words of [
      "resume.show 24",
      "resume.show",
      "resume.validate",
      "resume.validate --format github",
      "resume.update 24",
    ]) {
      for (const more of [[], ["--json"]]) {
        const ran = workspace.context([...words.split(" "), ...more]);
        expect(ran.code, words).not.toBe(70);
        expect(ran.stdout + ran.stderr, words).not.toMatch(RAW);
      }
    }
    expect(show(workspace).text).toContain("owned");
  });
});

test("a file without the right to read it is said to be so", () => {
  const workspace = makeAcme();
  workspace.write(MANIFEST, manifestText("24-demo", ["locked.md"]));
  chmodSync(workspace.write(`${PROJECT}/locked.md`, "x\n"), 0);
  mkdirSync(workspace.path(`${PROJECT}/sub`));
  const { json } = show(workspace);
  // Nothing is locked for root.
  expect(json.files[0]?.state).toBe(process.getuid?.() === 0 ? "present" : "unreadable");
});

describe("resume.validate", () => {
  test("warns of each listed file that cannot be loaded, at its place, and says what may be meant", () => {
    const workspace = makeAcme();
    const files = [
      "01-planning/04-steps.md",
      "./01-planning//04-steps.md",
      "04-steps.md",
      `${PROJECT}/01-planning/01-overview.md`,
      "01-planning/03-plan.md#approach",
      "01-planning/*.md",
      "01-planning",
      "link.md",
      "gone/for good.md",
      "01-planning/research.md",
      "01-planing/3-plan.md",
    ];
    workspace.write(MANIFEST, manifestText("24-demo", files));
    symlinkSync("nowhere.md", workspace.path(`${PROJECT}/link.md`));
    for (const argument of ["24-demo", MANIFEST]) {
      const ran = workspace.context(["resume.validate", argument, "--json"]);
      expect(ran.code).toBe(0);
      const { files: checked } = JSON.parse(ran.stdout);
      const told = checked[0].findings.flatMap((finding: Record<string, unknown> & { start: { line: number } }) =>
        /^manifest-(?:file|path)/.test(String(finding.code))
          ? [[finding.start.line, finding.severity, finding.message, finding.hint]]
          : [],
      );
      const other = "Name a text of the project, or take it out of the list.";
      expect(told).toEqual([
        [
          10,
          "warning",
          '"./01-planning//04-steps.md" is listed above, as "01-planning/04-steps.md".',
          "A file is loaded once: keep one of the two.",
        ],
        [11, "warning", '"04-steps.md" does not exist: it is not loaded.', "Did you mean 01-planning/04-steps.md?"],
        [
          12,
          "warning",
          `"${PROJECT}/01-planning/01-overview.md" does not exist: it is not loaded.`,
          "Did you mean 01-planning/01-overview.md?",
        ],
        [
          13,
          "warning",
          '"01-planning/03-plan.md#approach" does not exist: it is not loaded.',
          "Did you mean 01-planning/03-plan.md?",
        ],
        [
          14,
          "warning",
          '"01-planning/*.md" does not exist: it is not loaded.',
          "Name each file: a pattern is taken for a file's name.",
        ],
        [
          15,
          "warning",
          '"01-planning" is a folder, expected a file: it is not loaded.',
          "Name the files in it, such as 01-planning/01-overview.md.",
        ],
        [16, "warning", '"link.md" is a link that leads to no file: it is not loaded.', other],
        [17, "warning", '"gone/for good.md" does not exist: it is not loaded.', other],
        // Its neighbours have their folder's name in common with it, and no more.
        [18, "warning", '"01-planning/research.md" does not exist: it is not loaded.', other],
        [
          19,
          "warning",
          '"01-planing/3-plan.md" does not exist: it is not loaded.',
          "Did you mean 01-planning/03-plan.md?",
        ],
      ]);
    }
    // The path that findings show counts from the root, wherever the command runs.
    const below = workspace.context(["resume.validate", MANIFEST], { cwd: workspace.path(PROJECT) });
    expect(below).toMatchObject({ code: 0, stdout: workspace.context(["resume.validate", MANIFEST]).stdout });
    // Of a copy elsewhere nobody knows which files are meant.
    const elsewhere = workspace.write("copy.md", manifestText("24-demo", files));
    expect(workspace.context(["resume.validate", elsewhere]).stdout).not.toContain("manifest-file");
  });

  test("says of an old file what makes a whole manifest of it, as it can be run", () => {
    const workspace = makeAcme();
    renameSync(workspace.path(MANIFEST), workspace.path(`${PROJECT}/_resume.md`));
    const ran = workspace.context("resume.validate 24-demo");
    expect(ran.stderr).toContain(
      `${PROJECT}/_resume.md has its old name: ./context resume.migrate 24-demo makes a whole manifest of it.\n`,
    );
    workspace.write(`${PROJECT}/_resume.md`, "---\nphase: planning\n---\n");
    expect(workspace.context("resume.validate 24-demo")).toMatchObject({
      code: 1,
      stderr:
        "context: 1 manifest is not as it should be.\n  ./context resume.migrate 24-demo makes a whole manifest of it.\n",
    });
    expect(workspace.context("resume.migrate 24-demo").code).toBe(0);
    expect(workspace.context("resume.validate 24-demo").stderr).toBe("");
  });

  test("ends with what to do next, for one manifest and for several", () => {
    const workspace = makeAcme();
    const next = (words: readonly string[]) => workspace.context(["resume.validate", ...words]).stderr;
    const mend = (argument: string) => `  Mend what is listed above, then run ./context resume.validate${argument}.\n`;
    workspace.write(MANIFEST, "---\n---\n");
    expect(next(["24-demo"])).toBe(`context: 1 manifest is not as it should be.\n${mend(" 24-demo")}`);
    workspace.write(`${PROJECT}/a b.md`, "---\n---\n");
    expect(next([`${PROJECT}/a b.md`])).toContain(mend(` '${PROJECT}/a b.md'`));
    workspace.write("02-projects/27-xml-context/01-planning/resume-context.md", "---\na: [\n---\n");
    expect(next([])).toBe(`context: 2 manifests are not as they should be.\n${mend("")}`);
    rmSync(workspace.path(MANIFEST));
    const none = "context: 24-demo has no resume-context.md.\n  ./context resume.new 24-demo writes one.\n";
    expect(next(["24-demo"])).toBe(none);
    workspace.write(`${PROJECT}/01-planning/_resume.md`, "---\na: [\n---\n");
    expect(next(["24-demo"])).toBe(`context: 1 manifest is not as it should be.\n${mend(" 24-demo")}`);
    workspace.write(MANIFEST, Buffer.from([0xe9]));
    expect(next(["24-demo"])).toBe(`context: ${MANIFEST} is not UTF-8.\n  Save ${MANIFEST} as text in UTF-8.\n`);
  });

  test("warns of a manifest that says it is another project's, by the project and by the file", () => {
    const workspace = makeAcme();
    workspace.write(MANIFEST, manifestText("25-other", ["01-planning/04-steps.md"]));
    const told = `${MANIFEST}:4:13 warning manifest-project \`project_id\` is "25-other"; expected 24-demo`;
    for (const argument of ["24-demo", MANIFEST]) {
      const ran = workspace.context(["resume.validate", argument]);
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(told) });
    }
    expect(workspace.context(["resume.show", "24-demo", "--json"]).stdout).toContain("manifest-project");
    const elsewhere = workspace.write("copy.md", manifestText("25-other", ["01-planning/04-steps.md"]));
    expect(workspace.context(["resume.validate", elsewhere]).stdout).not.toContain("manifest-project");
  });

  test("a manifest that cannot be read is a finding like any other, in every format", () => {
    const workspace = makeAcme();
    rmSync(workspace.path(MANIFEST));
    for (const [argument, path, code] of [
      ["no/file.md", "no/file.md", "manifest-missing"],
      ["24-demo", MANIFEST, "manifest-missing"],
      [PROJECT, PROJECT, "manifest-unreadable"],
    ] as const) {
      const ran = workspace.context(["resume.validate", argument]);
      expect(ran.code).toBe(1);
      expect(ran.stdout).toContain(`${path}:1:1 error ${code} `);
      expect(ran.stdout).toContain("1 manifest, 1 invalid: 1 error\n");
      expect(workspace.context(["resume.validate", argument, "--format", "github"]).stdout).toContain(
        `title=${code}::`,
      );
      const json: unknown = JSON.parse(workspace.context(["resume.validate", argument, "--json"]).stdout);
      expect(json).toMatchObject({ ok: false, files: [{ path, valid: false, findings: [{ code }] }], invalid: 1 });
    }
  });
});

test("a number that no project has, or that several have, is no fault of how it is written", () => {
  const workspace = makeWorkspace();
  for (const id of ["24-demo", "31-a", "31-b"]) workspace.write(`02-projects/${id}/x.md`, "x\n");
  const ran = (words: string) => {
    const { code, stderr } = workspace.context(words);
    return [code, stderr];
  };
  expect(ran("resume.show 99")).toEqual([
    2,
    "context: No project in 02-projects has the number 99.\n  Projects there: 24-demo, 31-a, 31-b.\n",
  ]);
  expect(ran("resume.update 31")).toEqual([
    2,
    "context: 2 projects have the number 31.\n  Name one of them: 31-a, 31-b.\n",
  ]);
});

test("a number is one with or without its noughts, and written as it stands there it comes first", () => {
  const workspace = makeAcme();
  addProject(workspace, "07-seven");
  expect(workspace.context("resume.show 7").stdout).toContain("02-projects/07-seven/");
  expect(workspace.context("resume.show 007").stdout).toContain("02-projects/07-seven/");
  addProject(workspace, "7-other");
  expect(workspace.context("resume.show 7").stdout).toContain("02-projects/7-other/");
  expect(workspace.context("resume.show 07").stdout).toContain("02-projects/07-seven/");
  expect(workspace.context("resume.show 007")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("2 projects"),
  });
});
