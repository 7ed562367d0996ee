import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { addProject, stepsWith } from "../helpers/acme-project.ts";
import { runProgram } from "../helpers/run-program.ts";
import { startDocument, startParts } from "../helpers/session-start.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { all, one, type Read } from "../session-start/read-document.ts";

function addSkill(workspace: Workspace, folder: string, description = "Does one thing."): string {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  return workspace.write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`);
}

function overview(workspace: Workspace, id: string, text: string): string {
  return workspace.write(`02-projects/${id}/01-planning/01-overview.md`, text);
}

function steps(workspace: Workspace, id: string, text: string): string {
  return workspace.write(`02-projects/${id}/01-planning/04-steps.md`, text);
}

interface Project {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly phase: string | null;
  readonly progress: string;
  readonly closed: number;
  readonly total: number;
  readonly current_task: string | null;
}

function json<T>(workspace: Workspace, words: string): T {
  const ran = workspace.context(`${words} --json`);
  expect(ran.code).toBe(0);
  const value: T = JSON.parse(ran.stdout);
  return value;
}

function projectsOf(workspace: Workspace): readonly Project[] {
  return json<{ projects: readonly Project[] }>(workspace, "projects").projects;
}

interface SkillRow {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly category: string | null;
  readonly kind: string;
}

interface Skills {
  readonly skills: readonly SkillRow[];
  readonly findings: readonly { readonly path: string; readonly findings: readonly { readonly code: string }[] }[];
}

function skillsOf(workspace: Workspace): Skills {
  return json<Skills>(workspace, "skills");
}

/** What a document says of the projects and skills, in the words of the two commands. */
function documented(root: Read) {
  const projects = all(root, "active-projects").flatMap(({ children }) =>
    children.map((project) => ({
      id: project.attributes.id,
      status: project.attributes.status,
      progress: project.attributes.progress,
      name: one(project, "name").text,
      task: all(project, "current-task")[0]?.text ?? null,
    })),
  );
  const kinds = ["system", "integration", "user", "project"] as const;
  const skills = kinds.flatMap((kind) =>
    all(root, `${kind}-skills`).flatMap((section) =>
      all(section, "skill").map(({ attributes, text }) => ({
        kind,
        name: attributes.name,
        description: text,
        path: attributes.action?.replace(/^read /, ""),
      })),
    ),
  );
  return { projects, skills };
}

/** The document and the two commands tell of the same things. */
function expectAgreement(workspace: Workspace): void {
  const { root } = startDocument(workspace);
  const shown = documented(root);
  const projects = projectsOf(workspace);
  const active = projects.filter(({ status }) => ["PLANNING", "IN_PROGRESS"].includes(status));
  const byId = (a: { id?: string | undefined }, b: { id?: string | undefined }) =>
    String(a.id) < String(b.id) ? -1 : 1;
  expect([...shown.projects].sort(byId)).toEqual(
    active
      .map(({ id, status, closed, total, name, current_task }) => ({
        id,
        status,
        progress: total === 0 ? undefined : `${Math.floor((closed * 100) / total)}%`,
        name,
        task: current_task,
      }))
      .sort(byId),
  );
  const { skills } = skillsOf(workspace);
  const byPath = (a: { path?: string | undefined }, b: { path?: string | undefined }) =>
    String(a.path) < String(b.path) ? -1 : 1;
  const listed = skills.map(({ kind, name, description, path }) => ({ kind, name, description, path }));
  expect([...shown.skills].sort(byPath)).toEqual(listed.sort(byPath));
  expect(all(root, "stats")[0]?.attributes).toEqual({
    projects: String(projects.length),
    active: String(active.length),
    skills: String(skills.length),
  });
}

describe("projects", () => {
  test("are listed with status, phase, progress and the first open box, whatever a status field says", () => {
    const workspace = makeWorkspace();
    overview(workspace, "01-plain", '---\nstatus: in progress\nname: "Plain: a name"\n---\n');
    steps(workspace, "01-plain", stepsWith(1));
    steps(workspace, "02-boxes-only", stepsWith(4));
    overview(workspace, "03-done", "# Done and dusted\n");
    steps(workspace, "03-done", stepsWith(6));
    overview(workspace, "04-held", "---\nstatus: ON_HOLD\n---\n# Held\n");
    overview(workspace, "05-bare", "No front matter, no title.\n");
    steps(workspace, "06-fences", "## Phase 1\n```\n- [ ] not this\n```\n* [X] a\n+ [ ] **b** `c`\n  1. [ ] nested\n");
    mkdirSync(workspace.path("02-projects/07-empty"));
    // What only a YAML parser reads, comments behind values most of all.
    overview(
      workspace,
      "08-yaml",
      "---\nname: Demo # working title\ndescription: >-\n  one\n  two\nstatus: 'on hold' # since May\nname: Second\n---\n# Other\n",
    );
    workspace.write("02-projects/README.md", "no project");
    mkdirSync(workspace.path("02-projects/notes"));

    expect(projectsOf(workspace)).toMatchObject([
      {
        id: "01-plain",
        name: "Plain: a name",
        status: "IN_PROGRESS",
        phase: "planning",
        closed: 1,
        total: 6,
        progress: "1/6",
      },
      { id: "02-boxes-only", name: "02-boxes-only", status: "IN_PROGRESS", phase: "execution", closed: 4, total: 6 },
      { id: "03-done", name: "Done and dusted", status: "COMPLETE", phase: "complete", closed: 6, current_task: null },
      { id: "04-held", name: "Held", status: "ON_HOLD", phase: null, closed: 0, total: 0 },
      { id: "05-bare", name: "05-bare", status: "PLANNING", phase: null, current_task: null },
      { id: "06-fences", phase: "planning", closed: 1, total: 3, current_task: "**b** `c`" },
      { id: "07-empty", name: "07-empty", status: "PLANNING", phase: null },
      { id: "08-yaml", name: "Demo", status: "ON_HOLD", description: "one two" },
    ]);
    expectAgreement(workspace);
    const { stdout, stderr } = workspace.context("projects");
    expect(stderr).toBe("");
    expect(stdout.split("\n")[0]).toMatch(/^ID +STATUS +PHASE +PROGRESS +CURRENT TASK$/);
    expect(stdout).toMatch(/^01-plain +IN_PROGRESS +planning +1\/6 +Write plan$/m);
    // Where there are no steps, or none can be read, nothing is said of how many there are.
    expect(stdout).toMatch(/^07-empty +PLANNING +- +- +-$/m);
    steps(workspace, "07-empty", "\0");
    steps(workspace, "06-fences", "# No boxes\n");
    const again = workspace.context("projects").stdout;
    expect(again).toMatch(/^07-empty +PLANNING +- +- +-$/m);
    expect(again).toMatch(/^06-fences +PLANNING +empty +0\/0 +-$/m);
    expect(projectsOf(workspace)[6]).toMatchObject({ id: "07-empty", progress: null });
  });

  test("whose status or task goes on and on are rows of a table all the same, and whole in the JSON", () => {
    const workspace = makeWorkspace();
    const [status, task] = ["S".repeat(5_000), "t".repeat(5_000)];
    overview(workspace, "01-long", `---\nstatus: ${status}\n---\n`);
    steps(workspace, "01-long", `## Phase 1: a\n- [ ] ${task}\n`);
    steps(workspace, "02-short", "## Phase 1: a\n- [ ] write\n");
    const lines = workspace.context("projects").stdout.split("\n");
    expect(lines[1]).toMatch(/^01-long +S{23}… +planning +0\/1 +t{99}…$/);
    expect(lines[2]).toMatch(/^02-short +[A-Z_]+ +planning +0\/1 +write$/);
    expect(JSON.parse(workspace.context("projects --json").stdout).projects[0]).toMatchObject({
      status,
      current_task: task,
    });
  });

  test("of which some are broken are all listed, and each fault is told by its file", () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    addProject(workspace, "01-good");
    outside.write("secret.md", "# Secret name\n");
    mkdirSync(workspace.path("02-projects/02-link/01-planning"), { recursive: true });
    symlinkSync(outside.path("secret.md"), workspace.path("02-projects/02-link/01-planning/01-overview.md"));
    mkdirSync(workspace.path("02-projects/03-folder/01-planning/04-steps.md"), { recursive: true });
    mkdirSync(workspace.path("02-projects/04-pipe/01-planning"), { recursive: true });
    runProgram("mkfifo", [workspace.path("02-projects/04-pipe/01-planning/01-overview.md")], { cwd: workspace.root });
    overview(workspace, "05-latin", "x");
    writeFileSync(workspace.path("02-projects/05-latin/01-planning/01-overview.md"), Buffer.from([0x23, 0x20, 0xe9]));
    symlinkSync(outside.root, workspace.path("02-projects/06-elsewhere"));
    steps(workspace, "07-huge", `- [ ] ${"x".repeat(1024 * 1024)}\n`);
    overview(workspace, "08-unclosed", "---\nname: x\n");
    symlinkSync("nowhere", workspace.path("02-projects/09-dangling"));

    // Twice: what was remembered of the rest hides nothing the second time.
    for (const run of [1, 2]) {
      const ran = workspace.context("projects --json");
      expect(ran.code, `${run}`).toBe(0);
      expect(JSON.parse(ran.stdout).projects.map(({ id }: Project) => id)).toEqual([
        "01-good",
        "02-link",
        "03-folder",
        "04-pipe",
        "05-latin",
        "06-elsewhere",
        "07-huge",
        "08-unclosed",
        "09-dangling",
      ]);
      expect(ran.stdout).not.toContain("Secret name");
      for (const [id, problem] of [
        ["02-link", "is a link that leads out of the project"],
        ["03-folder", "is a folder, expected a file"],
        ["04-pipe", "is no regular file"],
        ["05-latin", "is not UTF-8"],
        ["06-elsewhere", "is a link that leads out of the project"],
        ["07-huge", "expected at most 1048576"],
        ["08-unclosed", "line 1, column 1: the front matter that opens here is not closed"],
        ["09-dangling", "is a link that leads to no file"],
      ]) {
        expect(ran.stderr).toMatch(new RegExp(`${id}(?:: |/).*${problem}`));
      }
      expect(ran.stderr).not.toMatch(/01-good/);
    }
    const { stderr, root } = startDocument(workspace);
    expect(stderr).toMatch(/04-pipe: .* is no regular file/);
    const unclosed = /08-unclosed\/01-planning\/01-overview\.md, line 1, column 1: the front matter that opens here/;
    expect(stderr).toMatch(unclosed);
    expect(workspace.context("explain").stderr).toMatch(unclosed);
    expect(all(root, "project").some(({ attributes }) => attributes.id === "01-good")).toBe(true);
  });

  test("outside the project, as a layout has them, are refused by the layout's name, not taken for links", () => {
    const workspace = makeWorkspace();
    addProject(workspace, "01-good");
    workspace.write("context.yaml", "layout: {projects: ../elsewhere, skills: ../skills}\n");
    const { stdout, stderr } = workspace.context("projects");
    expect(stdout).toContain("01-good");
    expect(stderr).toBe(
      ["projects", "skills"]
        .map((key) => `context.yaml: layout.${key}: expected a folder inside the project; the default is used.\n`)
        .join(""),
    );
  });

  test("without any, and in a folder that cannot be listed, the answer says so", () => {
    const workspace = makeWorkspace();
    expect(workspace.context("projects")).toMatchObject({
      code: 0,
      stdout: "No projects in 02-projects.\n",
      stderr: `The project is ${workspace.root}; -C names another.\n`,
    });
    workspace.write("02-projects", "a file");
    const ran = workspace.context("projects");
    expect(ran).toMatchObject({ code: 0, stdout: "No projects in 02-projects.\n" });
    expect(ran.stderr).toMatch(/^(?:context: )?02-projects cannot be listed: .*\.\n$/);
  });
});

describe("skills", () => {
  test("are listed by kind and category wherever the layout keeps them", () => {
    const workspace = makeWorkspace();
    workspace.write("context.yaml", "layout: {projects: work, skills: tools, system: sys}\n");
    for (const folder of [
      "sys/skills/projects/plan-project",
      "sys/skills/tools/deep/er/digger",
      "sys/skills/tools/slack-connect",
      "sys/skills/alone",
      "tools/airtable/airtable-connect",
      "tools/notion-connect",
      "tools/research/paper-search",
      "tools/weekly-report",
      ".claude/skills/lab",
      ".claude/skills/group/too-deep",
      "00-system/skills/projects/not-ours",
      "tools/node_modules/pkg",
      "tools/.hidden/secret",
    ]) {
      addSkill(workspace, folder);
    }
    // A skill's own folders hold no skills.
    addSkill(workspace, "tools/weekly-report/examples/inner");
    steps(workspace, "ignored", "");
    workspace.write("work/5-x/01-planning/04-steps.md", "- [ ] y\n");

    const rows = skillsOf(workspace).skills.map(({ kind, category, name }) => `${kind} ${category} ${name}`);
    expect(rows.sort()).toEqual([
      "integration airtable airtable-connect",
      "integration null notion-connect",
      "project null lab",
      "system null alone",
      "system projects plan-project",
      "system tools digger",
      "system tools slack-connect",
      "user null weekly-report",
      "user research paper-search",
    ]);
    expectAgreement(workspace);
    const { root } = startDocument(workspace);
    expect(one(root, "system-skills").attributes.location).toBe("sys/skills/");
    expect(all(one(root, "system-skills"), "category").map(({ attributes }) => attributes.name)).toEqual([
      "projects",
      "tools",
      "uncategorized",
    ]);
    expect(one(root, "integration-skills").attributes.location).toBe("tools/*-connect/");
    const { stdout, stderr } = workspace.context("skills");
    expect(stderr).toBe(".claude/skills/group/too-deep/SKILL.md lies where no skill is looked for; it is not read.\n");
    expect(stdout).toMatch(/^System skills\n/);
    expect(stdout).toMatch(/\nProject skills \(\.claude\/skills\)\n +lab +Does one thing\.\n$/);
  });

  test("with something wrong in their files are listed all the same, and what is wrong is told each time", () => {
    const workspace = makeWorkspace();
    addSkill(workspace, "03-skills/good");
    const bad: Readonly<Record<string, readonly [string | Uint8Array, string]>> = {
      "no-front": ["# Just text\n", "front-matter"],
      unclosed: ["---\nname: unclosed\ndescription: x\n", "front-matter"],
      "other-name": ["---\nname: another\ndescription: x\n---\n", "name"],
      "no-description": ["---\nname: no-description\n---\n", "description"],
      long: [`---\nname: long\ndescription: ${"d".repeat(1025)}\n---\n`, "description"],
      strange: ["---\nname: strange\ndescription: x\nalowed-tools: Read\n---\n", "unknown-key"],
      twice: ["---\nname: twice\ndescription: x\ndescription: y\n---\n", "duplicate-key"],
      "bad-yaml": ["---\nname: [bad-yaml\ndescription: x\n---\n", "front-matter"],
      control: ["---\nname: control\ndescription: a\u0007b\n---\n", "front-matter"],
    };
    for (const [name, [text]] of Object.entries(bad)) workspace.write(`03-skills/${name}/SKILL.md`, text);
    workspace.write("03-skills/latin/SKILL.md", Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9]));
    mkdirSync(workspace.path("03-skills/folder/SKILL.md"), { recursive: true });

    for (const run of [1, 2]) {
      const ran = workspace.context("skills --json");
      const { skills, findings }: Skills = JSON.parse(ran.stdout);
      expect(skills.map(({ name }) => name).sort(), `${run}`).toEqual(
        // A name that is a good one is kept, though it is not the folder's.
        ["good", ...Object.keys(bad)].map((name) => (name === "other-name" ? "another" : name)).sort(),
      );
      const codes = Object.fromEntries(findings.map(({ path, findings: [first] }) => [path, first?.code]));
      expect(codes).toEqual(
        Object.fromEntries(Object.entries(bad).map(([name, [, code]]) => [`03-skills/${name}/SKILL.md`, code])),
      );
      expect(ran.stderr).toMatch(/03-skills\/latin\/SKILL\.md is not UTF-8\./);
      expect(ran.stderr).toMatch(/03-skills\/folder\/SKILL\.md is a folder/);
    }
    const { stdout } = workspace.context("skills");
    expect(stdout).toMatch(/^9 findings in 9 files:$/m);
    // Each with its way out.
    expect(stdout).toMatch(/^03-skills\/strange\/SKILL\.md:4:1 warning unknown-key .*\n {2}hint: \S/m);
    expect(stdout.match(/^ {2}hint: \S/gm)).toHaveLength(9);
    expectAgreement(workspace);
  });

  test("of whose files more is wrong than a hundred things are told that, errors first, and the rest is counted", () => {
    const workspace = makeWorkspace();
    const keys = Array.from({ length: 8 }, (_, at) => `own${at}: x\n`).join("");
    for (let at = 10; at < 23; at++)
      workspace.write(`03-skills/a${at}/SKILL.md`, `---\nname: a${at}\ndescription: x\n${keys}---\n`);
    workspace.write("03-skills/zz/SKILL.md", "---\nname: other\ndescription: x\n---\n");
    const { stdout } = workspace.context("skills");
    const [, findings = ""] = stdout.split("\n105 findings in 14 files:\n");
    expect(findings).toMatch(/^03-skills\/zz\/SKILL\.md:2:7 error name .*\n.*\n03-skills\/a10\/SKILL\.md:4:1 warning /);
    expect(findings.match(/^03-skills/gm)).toHaveLength(100);
    expect(findings).toMatch(/\n5 more findings; --json lists them all\.\n$/);
    expect(skillsOf(workspace).findings.flatMap(({ findings: all }) => all)).toHaveLength(105);
  });

  test("keep the meaning of their YAML: colons in quotes, folded texts, BOM and CRLF", () => {
    const workspace = makeWorkspace();
    const write = (name: string, front: string, end = "\n") =>
      workspace.write(`03-skills/${name}/SKILL.md`, `---\nname: ${name}\n${front}\n---\n`.replaceAll("\n", end));
    write("quoted", 'description: "a: b # not a comment" # a comment');
    write("folded", "description: >-\n  one\n  two\n\n  three");
    write("crlf", "description: line", "\r\n");
    workspace.write("03-skills/bom/SKILL.md", "\uFEFF---\nname: bom\ndescription: 'it''s'\n---\nbody right after");
    const described = Object.fromEntries(
      skillsOf(workspace).skills.map(({ name, description }) => [name, description]),
    );
    expect(described).toEqual({ quoted: "a: b # not a comment", folded: "one two\nthree", crlf: "line", bom: "it's" });
    expect(skillsOf(workspace).findings).toEqual([]);
    const { root } = startDocument(workspace);
    const folded = all(root, "skill").find(({ attributes }) => attributes.name === "folded");
    expect(folded?.text).toBe("one two three");
  });

  test("are found through links inside the project, never through those that lead out of it, and no circle holds", () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    addSkill(outside, "s/foreign", "SECRET");
    addSkill(workspace, "shared/inner");
    mkdirSync(workspace.path("03-skills/own"), { recursive: true });
    symlinkSync(workspace.path("shared/inner"), workspace.path("03-skills/inner"));
    symlinkSync(outside.path("s"), workspace.path("03-skills/away"));
    symlinkSync("..", workspace.path("03-skills/own/circle"));
    symlinkSync(outside.path("s/foreign/SKILL.md"), workspace.path("03-skills/own/SKILL.md"));
    mkdirSync(workspace.path(".claude"));
    symlinkSync(outside.path("s"), workspace.path(".claude/skills"));
    for (const words of ["skills --json", "session-start"]) {
      const ran = workspace.context(words);
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain("inner");
      expect(ran.stdout).not.toMatch(/foreign|SECRET/);
      expect(ran.stderr).toMatch(/03-skills\/own\/SKILL\.md is a link that leads out of the project; it is not read\./);
      expect(ran.stderr).toMatch(/\.claude\/skills leads out of the project; it is not read\./);
    }
  });
});

describe("the state of the setup", () => {
  test("says whether goals and workspace are the user's own, and which lessons are left", () => {
    const workspace = makeWorkspace();
    const state = () => {
      const { root } = startDocument(workspace);
      const [element] = all(root, "state");
      if (element === undefined) return null;
      return {
        goals: one(element, "goals-personalized").text,
        map: one(element, "workspace-configured").text,
        done: one(element, "onboarding-complete").text,
        pending: all(element, "item").map(({ text }) => text),
        suggested: all(root, "action").some(({ attributes }) => attributes.condition === "onboarding_incomplete"),
      };
    };
    expect(state()).toBeNull();
    for (const name of ["setup-memory", "learn-projects", "learn-nexus"]) {
      addSkill(workspace, `00-system/skills/learning/${name}`);
    }
    workspace.write("01-memory/goals.md", "---\nsmart_default: true\n---\n# Goals\n");
    const untouched = ["setup-memory (8 min)", "learn-projects (8-10 min)", "learn-nexus (15-18 min)"];
    expect(state()).toEqual({ goals: "false", map: "false", done: "false", pending: untouched, suggested: true });
    workspace.write("01-memory/goals.md", "# Goals\n\n- Ship.\n");
    workspace.write("04-workspace/workspace-map.md", "# Map\n\n- here\n");
    workspace.write(
      "01-memory/user-config.yaml",
      "learning_tracker:\n  completed:\n    setup_memory: true\n    learn_projects: yes\n",
    );
    expect(state()).toEqual({
      goals: "true",
      map: "true",
      done: "false",
      // All that the user's own file does not say is done, whether or not its skill is there.
      pending: [
        "setup-workspace (5-8 min)",
        "learn-skills (10-12 min)",
        "learn-integrations (10-12 min)",
        "learn-nexus (15-18 min)",
      ],
      suggested: true,
    });
    const all_ = [
      "setup_memory",
      "setup_workspace",
      "learn_projects",
      "learn_skills",
      "learn_integrations",
      "learn_nexus",
    ];
    workspace.write(
      "01-memory/user-config.yaml",
      `learning_tracker:\n  completed:\n${all_.map((key) => `    ${key}: true\n`).join("")}`,
    );
    expect(state()).toEqual({ goals: "true", map: "true", done: "true", pending: [], suggested: false });
    workspace.write("01-memory/user-config.yaml", "learning_tracker: [\n");
    const { stderr } = startDocument(workspace);
    expect(stderr).toMatch(/01-memory\/user-config\.yaml, line \d+, column \d+: /);
  });
});

const CACHES = ["session/.cache/projects.json", "session/.cache/skills.json"];

describe("what is remembered between runs", () => {
  /** Of files that changed a moment ago nothing is remembered. */
  async function filled(): Promise<Workspace> {
    const workspace = makeWorkspace();
    for (const id of ["01-a", "02-b", "03-c"]) addProject(workspace, id);
    for (const name of ["one", "two"]) addSkill(workspace, `03-skills/${name}`);
    await sleep(2100);
    return workspace;
  }

  /** A start that does not know the documents of the one before. */
  function startOver(workspace: Workspace) {
    rmSync(workspace.path("session/.cache/start.memo"), { force: true });
    return startDocument(workspace);
  }

  test("gives the same bytes again, and what has changed at once", async () => {
    const workspace = await filled();
    const cold = startDocument(workspace).xml;
    const caches = CACHES.map((file) => workspace.read(file));
    expect(startOver(workspace).xml).toBe(cold);
    expect(CACHES.map((file) => workspace.read(file))).toEqual(caches);

    const file = workspace.path("02-projects/01-a/01-planning/04-steps.md");
    const task = () => projectsOf(workspace)[0]?.current_task;
    expect(task()).toBe("Parse the transcript");
    // As many bytes, and its time of writing put back: only the clock of the file system tells.
    const { atime, mtime } = statSync(file);
    workspace.write(
      "02-projects/01-a/01-planning/04-steps.md",
      workspace.read("02-projects/01-a/01-planning/04-steps.md").replace("Parse the", "Parze the"),
    );
    utimesSync(file, atime, mtime);
    expect(task()).toBe("Parze the transcript");
    steps(workspace, "01-a", stepsWith(4));
    expect(task()).toBe("Write the state file");

    renameSync(workspace.path("02-projects/02-b"), workspace.path("02-projects/09-b"));
    rmSync(workspace.path("02-projects/03-c"), { recursive: true });
    addProject(workspace, "04-d");
    expect(projectsOf(workspace).map(({ id }) => id)).toEqual(["01-a", "04-d", "09-b"]);
    rmSync(workspace.path("02-projects/04-d/01-planning/01-overview.md"));
    renameSync(
      workspace.path("02-projects/09-b/01-planning/04-steps.md"),
      workspace.path("02-projects/09-b/01-planning/steps.md"),
    );
    expect(projectsOf(workspace)).toMatchObject([
      { id: "01-a" },
      { id: "04-d", name: "04-d" },
      { id: "09-b", closed: 3 },
    ]);

    const skill = (name: string) => skillsOf(workspace).skills.find((each) => each.name === name)?.description;
    addSkill(workspace, "03-skills/one", "Does two things");
    expect(skill("one")).toBe("Does two things");
    // Another file under the name of the first.
    renameSync(addSkill(workspace, "03-skills/spare/one", "Swapped."), workspace.path("03-skills/one/SKILL.md"));
    expect(skill("one")).toBe("Swapped.");
    rmSync(workspace.path("03-skills/two"), { recursive: true });
    addSkill(workspace, "03-skills/three");
    expect(skillsOf(workspace).skills.map(({ name }) => name)).toEqual(["one", "three"]);
    expectAgreement(workspace);
  });

  test("hides nothing of a file that became something else", async () => {
    const workspace = await filled();
    startDocument(workspace);
    const planning = "02-projects/01-a/01-planning";
    rmSync(workspace.path(`${planning}/01-overview.md`));
    projectsOf(workspace);
    mkdirSync(workspace.path(`${planning}/01-overview.md`));
    expect(workspace.context("projects").stderr).toMatch(/01-a: .*01-overview\.md is a folder/);
    rmSync(workspace.path("03-skills/one/SKILL.md"));
    runProgram("mkfifo", [workspace.path("03-skills/one/SKILL.md")], { cwd: workspace.root });
    expect(workspace.context("skills").stderr).toMatch(/03-skills\/one\/SKILL\.md is no regular file\./);

    // Folders that were moved out of the project and linked to: the files in them bear the marks they had.
    const outside = makeWorkspace();
    renameSync(workspace.path("02-projects/02-b/01-planning"), outside.path("planning"));
    symlinkSync(outside.path("planning"), workspace.path("02-projects/02-b/01-planning"));
    renameSync(workspace.path("03-skills"), outside.path("skills"));
    symlinkSync(outside.path("skills"), workspace.path("03-skills"));
    expect(workspace.context("projects").stderr).toMatch(/02-b: .* is a link that leads out of the project\./);
    expect(skillsOf(workspace).skills).toEqual([]);
  });

  test.each([
    ["corrupt", "{"],
    ["empty", ""],
    ["NUL bytes", "\0\0\0"],
    ["of another version", '{"version":99,"entries":{}}'],
    ["of another shape", '{"version":1,"entries":[[]]}'],
    ["a list", "[]"],
  ])("is passed over where it is %s, and written anew", async (_what, text) => {
    const workspace = await filled();
    const cold = startDocument(workspace).xml;
    const good = CACHES.map((file) => workspace.read(file));
    for (const file of CACHES) workspace.write(file, text);
    expect(startOver(workspace)).toMatchObject({ xml: cold, stderr: "" });
    expect(CACHES.map((file) => workspace.read(file))).toEqual(good);
  });

  test("is passed over where an entry is not what was written there", async () => {
    const workspace = await filled();
    const cold = startDocument(workspace).xml;
    for (const [index, value] of [
      null,
      5,
      { name: "x" },
      { name: "x", description: 5 },
      { name: "x", description: "x", path: "../../etc/passwd" },
      { name: 1, status: [], phase: {}, closed: "1", total: null, currentTask: 5 },
    ].entries()) {
      for (const file of CACHES) {
        const cache: { entries: Record<string, [string, unknown]> } = JSON.parse(workspace.read(file));
        for (const entry of Object.values(cache.entries)) {
          const before = index === 5 && typeof entry[1] === "object" ? entry[1] : {};
          entry[1] = index === 5 ? { ...before, currentTask: 5, phase: "odd" } : value;
        }
        workspace.write(file, JSON.stringify(cache));
      }
      expect(startOver(workspace), JSON.stringify(value)).toMatchObject({ xml: cold, stderr: "" });
      expect(workspace.context("projects").code).toBe(0);
    }
  });

  test("can be deleted, replaced by a folder, a link or a pipe, and lie where nothing may be written", async () => {
    const workspace = await filled();
    const cold = startDocument(workspace).xml;
    const outside = makeWorkspace();
    outside.write("x.json", '{"version":1,"entries":{}}');
    const replace: readonly ((file: string) => void)[] = [
      () => undefined,
      (file) => mkdirSync(file),
      (file) => symlinkSync(outside.path("x.json"), file),
      (file) => runProgram("mkfifo", [file], { cwd: workspace.root }),
    ];
    for (const make of replace) {
      for (const file of CACHES) {
        rmSync(workspace.path(file), { recursive: true, force: true });
        make(workspace.path(file));
      }
      expect(startOver(workspace).xml).toBe(cold);
      expect(workspace.context("projects")).toMatchObject({ code: 0, stderr: "" });
    }
    expect(outside.read("x.json")).toBe('{"version":1,"entries":{}}');
    rmSync(workspace.path("session/.cache"), { recursive: true });
    chmodSync(workspace.path("session"), 0o555);
    try {
      expect(startDocument(workspace).xml).toBe(cold);
      expect(workspace.context("skills")).toMatchObject({ code: 0, stderr: "" });
    } finally {
      chmodSync(workspace.path("session"), 0o755);
    }
  });

  test("is kept by many runs at once without a trace of the others", async () => {
    const workspace = await filled();
    for (let index = 0; index < 40; index++) addSkill(workspace, `03-skills/many/skill-${index}`);
    const runs = ["projects", "skills", "projects", "skills"].map((name) => {
      const { child, ended } = workspace.start([name, "--json"], { cwd: workspace.root });
      child.stdin?.end();
      return ended;
    });
    const starts = startParts(workspace, 4);
    const ended = await Promise.all(runs);
    await starts;
    for (const ran of ended) expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ended[0]?.stdout).toBe(ended[2]?.stdout);
    expect(ended[1]?.stdout).toBe(ended[3]?.stdout);
    // Where the machine is so slow that the skills have settled, the documents are kept for the next start.
    const left = readdirSync(workspace.path("session/.cache")).filter((name) => name !== "start-4.memo");
    expect(left.sort()).toEqual([
      "deliveries",
      "projects.json",
      "session-start.json",
      "session-start.xml",
      "skills.json",
    ]);
    for (const file of CACHES) expect(statSync(workspace.path(file)).mode & 0o777).toBe(0o600);
  });
});
