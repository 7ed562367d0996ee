import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeAcme, manifestText, stepsWith } from "../helpers/acme-project.ts";
import { runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { runStart, type StartOptions, startDocument, startParts, text } from "../helpers/session-start.ts";
import { MACHINES, makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { all, one, type Read, readDocument } from "../session-start/read-document.ts";

const ROLE = "oosh-expert";
const ENV = { HIVEMIND_ROLE: ROLE };
const DEMO = "02-projects/24-demo";
const PLANNING = `${DEMO}/01-planning`;
const MANIFEST = `${PLANNING}/resume-context.md`;

const ALL_FILES = ["01-overview.md", "02-discovery.md", "03-plan.md", "04-steps.md"].map(
  (name) => `01-planning/${name}`,
);

/** A project with everything that a document may show. */
function full(): Workspace {
  const workspace = makeAcme();
  workspace.write("00-system/core/orchestrator.md", "# Orchestrator\n\n\tindented & <escaped>\n");
  workspace.write("00-system/system-map.md", "# System map\n");
  workspace.write("04-workspace/workspace-map.md", "# Workspace map\n\n- here\n");
  workspace.write("01-memory/goals.md", "# Goals\n\n- Ship.\n");
  const skill = (folder: string) => {
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    workspace.write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n# ${name}\n`);
  };
  for (const name of ["plan-project", "execute-project"]) skill(`00-system/skills/projects/${name}`);
  for (const name of ["learn-nexus", "setup-memory"]) skill(`00-system/skills/learning/${name}`);
  for (const name of ["airtable/airtable-connect", "paper-search"]) skill(`03-skills/${name}`);
  skill(".claude/skills/lab");
  workspace.write(`${PLANNING}/02-discovery.md`, "# Discovery\n\nFindings.\n");
  workspace.write(MANIFEST, manifestText("24-demo", ALL_FILES));
  return workspace;
}

function record(workspace: Workspace): string {
  const log = new SessionLog(workspace.root)
    .prompt("continue project 24")
    .edit(`${DEMO}/02-working/parser.md`)
    .read(`${PLANNING}/04-steps.md`)
    .bash("make test", { failed: true, says: "Error: exit 2" });
  return workspace.write("client/s.jsonl", log.text());
}

function compact(workspace: Workspace, options: StartOptions = {}): Read {
  return startDocument(workspace, { source: "compact", transcript: record(workspace), ...options }).root;
}

function names(root: Read): readonly string[] {
  return root.children.map(({ name }) => name);
}

function words(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

describe("the document of a fresh start", () => {
  test("lists all that the user's file says is not done, with what is to be read where its skill is there", () => {
    const workspace = makeWorkspace();
    const items = () =>
      all(startDocument(workspace, { source: "startup" }).root, "item").map(({ attributes, text: said }) => [
        said,
        attributes.action,
      ]);
    const skill = "---\nname: learn-nexus\ndescription: Load when learning\n---\n";
    workspace.write("00-system/skills/learning/learn-nexus/SKILL.md", skill);
    workspace.write("01-memory/goals.md", "# Goals\n");
    const learn = ["learn-nexus (15-18 min)", "read 00-system/skills/learning/learn-nexus/SKILL.md"];
    expect(items()).toEqual([learn]);
    const completed =
      "setup_workspace: true\n    learn_projects: true\n    learn_skills: true\n    learn_integrations: true\n";
    const config = `---\nlearning_tracker:\n  completed:\n    setup_memory: false\n    ${completed}---\n`;
    workspace.write("01-memory/user-config.yaml", config);
    expect(items()).toEqual([["setup-memory (8 min)", undefined], learn]);
  });

  test("has the routing rules where there is an orchestrator's file, or a skill that they name, and else not", () => {
    const workspace = makeWorkspace();
    const routing = () => all(startDocument(workspace, { source: "startup" }).root, "core-routing").length;
    workspace.write("02-projects/24-demo/01-planning/04-steps.md", "- [ ] x\n");
    expect(routing()).toBe(0);
    const orchestrator = workspace.write("00-system/core/orchestrator.md", "# Orchestrator\n");
    expect(routing()).toBe(1);
    rmSync(orchestrator);
    expect(routing()).toBe(0);
    const skill = "---\nname: plan-project\ndescription: Load when planning\n---\n";
    workspace.write("00-system/skills/projects/plan-project/SKILL.md", skill);
    expect(routing()).toBe(1);
  });

  test("holds everything in the order of the design, each file as it stands on disk", () => {
    const workspace = full();
    workspace.role(ROLE);
    const ran = runStart(workspace, { words: ["--print"], run: { env: ENV } });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.endsWith("</nexus-context>\n")).toBe(true);
    const root = readDocument(ran.stdout.trimEnd());
    expect(names(root)).toEqual([
      "session",
      "role-context",
      "orchestrator-file",
      "core-routing",
      "user-goals",
      "active-projects",
      "system-skills",
      "integration-skills",
      "user-skills",
      "project-skills",
      "state",
      "stats",
      "action",
      "suggested-next-actions",
      "instruction",
    ]);
    expect(text(root, "orchestrator-file")).toBe(workspace.read("00-system/core/orchestrator.md"));
    expect(one(root, "orchestrator-file").attributes).toEqual({ path: "00-system/core/orchestrator.md" });
    expect(text(root, "user-goals")).toBe(workspace.read("01-memory/goals.md"));
    expect(names(one(root, "core-routing"))).toEqual([
      "primary-skills",
      "routing-priority",
      "never-do",
      "always-do",
      "mode-rules",
    ]);
    expect(one(root, "state").children.map((child) => `${child.name} ${child.text.trim().split("\n")[0]}`)).toEqual([
      "goals-personalized true",
      "workspace-configured true",
      "onboarding-complete false",
      "pending-onboarding setup-memory (8 min)",
    ]);
    expect(all(root, "item").map(({ attributes }) => attributes.action)).toContain(
      "read 00-system/skills/learning/setup-memory/SKILL.md",
    );
    expect(one(root, "suggested-next-actions").children.map(({ attributes }) => attributes)).toEqual([
      { priority: "1", condition: "has_active_projects" },
      { priority: "2", condition: "always" },
      { priority: "3", condition: "onboarding_incomplete" },
      { priority: "4", condition: "always" },
    ]);
    expect(text(root, "instruction")).toMatch(
      /STEP 1 - MANDATORY: Display Nexus menu\n[\s\S]*STEP 2 - MANDATORY: [\s\S]*- onboarding_incomplete - Prioritize: "Complete setup-memory[\s\S]*- has_active_projects - Prioritize: "Continue Demo at 50%"\n[\s\S]*STEP 3 - MANDATORY: /,
    );
    // A look by a person leaves nothing behind.
    expect(workspace.list("session")).toEqual(["agents"]);
  });

  test("leaves out what there is nothing of", () => {
    const workspace = makeWorkspace();
    workspace.write("03-skills/one/SKILL.md", "---\nname: one\ndescription: x\n---\n");
    const { root } = startDocument(workspace);
    expect(names(root)).toEqual(["session", "user-skills", "stats", "action", "suggested-next-actions", "instruction"]);
    expect(text(root, "instruction")).toContain('no_projects - Prioritize: "Start your first project');
  });

  test("puts the project worked on last first, and passes over those that are done or set aside", () => {
    const workspace = makeAcme();
    const touch = (id: string, when: string) =>
      workspace.write(
        `02-projects/${id}/01-planning/resume-context.md`,
        manifestText(id).replace("2026-01-03T15:30:00", when),
      );
    touch("27-xml-context", "2026-02-01T00:00:00Z");
    workspace.write("02-projects/30-done/01-planning/04-steps.md", "- [x] a\n");
    workspace.write("02-projects/31-held/01-planning/01-overview.md", "---\nstatus: ON_HOLD\n---\n");
    const order = () =>
      one(startDocument(workspace).root, "active-projects").children.map(({ attributes }) => attributes.id);
    expect(order()).toEqual(["27-xml-context", "24-demo"]);
    touch("24-demo", "2026-02-02T00:00:00Z");
    expect(order()).toEqual(["24-demo", "27-xml-context"]);
  });
});

describe("the document of a session that goes on without a project", () => {
  test("says what happened and shows the workspace, but no menu", () => {
    const workspace = full();
    const log = new SessionLog(workspace.root).edit(`${DEMO}/a.md`).edit(`${DEMO}/b.md`);
    const chat = workspace.write("client/chat.jsonl", new SessionLog(workspace.root).prompt("a cat's name?").text());
    const skill = workspace.write("client/x.jsonl", log.call("Skill", { skill: "paper-search" }).text());
    for (const [transcript, told] of [
      [chat, "User was NOT working on a project."],
      [skill, "User had moved on from the project to another skill: the work was NOT on a project."],
    ] as const) {
      const { root } = startDocument(workspace, { source: "compact", transcript });
      expect(root.attributes.mode).toBe("startup");
      expect(text(root, "instruction")).toContain(`MANDATORY: CONTINUE SESSION (NO PROJECT CONTEXT)`);
      expect(text(root, "instruction")).toContain(told);
      expect(names(root)).toContain("active-projects");
      expect(all(root, "resume-project")).toEqual([]);
    }
  });
});

describe("the document that brings a project back", () => {
  test("in planning holds all that the manifest lists, in execution overview and steps; what it holds is marked", () => {
    const workspace = full();
    workspace.role(ROLE);
    for (const [closed, shown, skill] of [
      [1, ALL_FILES, "plan-project"],
      [3, [ALL_FILES[0], ALL_FILES[3]], "execute-project"],
    ] as const) {
      workspace.write(`${PLANNING}/04-steps.md`, stepsWith(closed));
      const ran = runStart(workspace, {
        source: "compact",
        transcript: record(workspace),
        words: ["--print"],
        run: { env: ENV },
      });
      const root = readDocument(ran.stdout.trimEnd());
      expect(names(root)).toEqual([
        "session",
        "resume-project",
        "resume-mode",
        "role-context",
        "system-files",
        "project-files",
        "skill-file",
        "work-trail",
        "validation-gate",
        "action",
        "instruction",
      ]);
      expect(one(root, "resume-project").children.map(({ text }) => text)).toEqual([
        skill,
        closed === 1 ? "Write plan" : "Parse the transcript",
        `${closed}/6 tasks`,
      ]);
      expect(one(root, "resume-mode").attributes).toEqual({
        active: "true",
        case: "resumed",
        "project-id": "24-demo",
        confidence: "high",
        "resume-file": workspace.path(MANIFEST),
        "next-action": "execute-project",
      });
      const files = all(one(root, "project-files"), "file");
      expect(files.map(({ attributes }) => attributes.path)).toEqual(shown.map((path) => `${DEMO}/${path}`));
      for (const file of files) {
        expect(file.attributes.loaded).toBe("true");
        expect(file.text).toBe(workspace.read(file.attributes.path ?? ""));
      }
      expect(one(root, "skill-file").attributes.path).toBe(`00-system/skills/projects/${skill}/SKILL.md`);
      expect(all(one(root, "system-files"), "file").map(({ attributes }) => attributes.path)).toEqual([
        "00-system/core/orchestrator.md",
        "00-system/system-map.md",
        "04-workspace/workspace-map.md",
      ]);
      expect(text(root, "work-trail")).toMatch(/edited 02-projects\/24-demo\/02-working\/parser\.md/);
      expect(text(root, "work-trail")).toContain("make test");
      const order = text(root, "instruction");
      for (const [index, path] of ALL_FILES.entries()) {
        const mark = shown.includes(path) ? "loaded" : "read it";
        expect(order).toContain(`   ${index + 1}. ${workspace.path(`${DEMO}/${path}`)} (${mark})\n`);
      }
      expect(order).toContain(`File: ${workspace.path(MANIFEST)}`);
      expect(order).toContain("[ ] I have loaded ALL 4 files from files_to_load");
      expect(workspace.exists("session/.cache")).toBe(false);
    }
  });

  test("asks the manifest's own questions, keeps the meaning of its YAML, and reads the old name where it is alone", () => {
    const workspace = full();
    const gate = "\n## Validation Gate\n\n1. Why & what?\n2. **Place** (from 04-steps.md):\n   - [ ] Which <next>?\n";
    const front = manifestText("24-demo", [
      '"01-planning/01-overview.md"',
      "01-planning/04-steps.md  # the boxes",
    ]).replace(
      "next_action: execute-project",
      'next_action: "execute-project: now"\ncurrent_section: 2\ncurrent_task: "4"',
    );
    workspace.write(MANIFEST, front + gate);
    let root = compact(workspace);
    expect(one(root, "resume-mode").attributes).toMatchObject({
      case: "resumed",
      "next-action": "execute-project: now",
      "current-section": "2",
      "current-task": "4",
    });
    expect(all(root, "question").map(({ text }) => text)).toEqual(["Why & what?", "Which <next>? (from 04-steps.md)"]);
    expect(text(root, "instruction")).toContain("   2. Which <next>? (from 04-steps.md)\n");

    rmSync(workspace.path(MANIFEST));
    workspace.write(`${PLANNING}/_resume.md`, front);
    root = compact(workspace);
    expect(one(root, "resume-mode").attributes).toMatchObject({
      case: "resumed",
      "resume-file": workspace.path(`${PLANNING}/_resume.md`),
    });
  });
});

/** As tools wrote it before a manifest had to have more than its list. */
const OLDEST = ["---", "files_to_load:", "  - 01-planning/01-overview.md", "---", ""];

describe("an _resume.md that is alone", () => {
  const started = (lines: readonly string[]) => {
    const workspace = full();
    rmSync(workspace.path(MANIFEST));
    workspace.write(`${PLANNING}/_resume.md`, lines.join("\n"));
    return compact(workspace);
  };

  test("is gone by with its list of files alone: the phase says the action", () => {
    const root = started(OLDEST);
    expect(one(root, "resume-mode").attributes).toMatchObject({ case: "resumed", "next-action": "execute-project" });
    expect(text(root, "instruction")).toContain("[ ] I have loaded ALL 1 files from files_to_load");
  });

  test("is read under the old names of its keys, and what is wrong in one costs that one", () => {
    const old = ["---", "phase: planning", "last_skill: paper-search", "current_task: 5", "current_section: soon"];
    const { attributes } = one(started([...old, ...OLDEST.slice(1)]), "resume-mode");
    expect(attributes).toMatchObject({ active: "true", "next-action": "paper-search", "current-task": "5" });
    expect(attributes["current-section"]).toBeUndefined();
  });

  test.each([
    ["no front matter", ["# Just markdown", ""]],
    ["no list of files", ["---", "project_id: 24-demo", "---", ""]],
    ["a list that is a word", ["---", "files_to_load: all", "---", ""]],
    ["what is no YAML", ["---", "files_to_load: [", "---", ""]],
  ])("with %s is invalid, with the place and what mends it", (what, lines) => {
    const mode = one(started(lines), "resume-mode");
    expect(mode.attributes).toMatchObject({ active: "false", case: "front-matter-invalid" });
    expect(text(mode, "error")).toMatch(/_resume\.md, line \d, column \d+: /);
    expect(text(mode, "suggestion")).toBe(
      what === "what is no YAML"
        ? "./context resume.validate 24-demo shows what is wrong."
        : "./context resume.migrate 24-demo makes a whole manifest of it.",
    );
  });
});

test("execution has the overview and the steps before it, though the manifest lists neither, and planning what is listed", () => {
  const shown = (done: number, listed: readonly string[]) => {
    const workspace = full();
    workspace.write(`${PLANNING}/04-steps.md`, stepsWith(done));
    workspace.write(MANIFEST, manifestText("24-demo", listed));
    const root = compact(workspace);
    expect(one(root, "resume-mode").attributes).toMatchObject({ active: "true" });
    expect(text(root, "instruction")).toContain(`[ ] I have loaded ALL ${listed.length} files from files_to_load`);
    return all(one(root, "project-files"), "file").map(({ attributes }) => attributes.path);
  };
  const PAIR = [`${PLANNING}/01-overview.md`, `${PLANNING}/04-steps.md`];
  expect(shown(3, ["01-planning/03-plan.md"])).toEqual(PAIR);
  expect(shown(3, ["./01-planning/04-steps.md"])).toEqual([...PAIR].reverse());
  expect(shown(3, ["01-planning/steps.md"])).toEqual([`${PLANNING}/steps.md`, ...PAIR]);
  expect(shown(0, ["01-planning/03-plan.md"])).toEqual([`${PLANNING}/03-plan.md`]);
});

test.each([
  ["", 3, "execute-project"],
  ["", 0, "plan-project"],
  ["execute-project", 0, "plan-project"],
  ["plan-project", 3, "execute-project"],
  ["plan-build", 3, "execute-build"],
  ["paper-search", 3, "paper-search"],
])("the manifest's action %j goes with the boxes, of which %i are closed: %s", (written, closed, next) => {
  const workspace = full();
  workspace.write(`${PLANNING}/04-steps.md`, stepsWith(closed));
  workspace.write(MANIFEST, manifestText("24-demo").replace(/next_action:.*/, `next_action: "${written}"`));
  const root = compact(workspace);
  // The document still says what the manifest does; only the order follows the boxes.
  expect(one(root, "resume-mode").attributes["next-action"]).toBe(written || next);
  expect(text(root, "instruction")).toContain(`   Skill: ${next}\n`);
  expect(text(root, "instruction")).toContain(`[ ] I am ready to execute ${next}\n`);
});

interface Outcome {
  readonly case: string;
  readonly active: boolean;
  /** Changes the project; the transcript's, or none. */
  readonly make: (workspace: Workspace) => StartOptions | undefined;
  readonly told: RegExp;
}

const state = (more: object) =>
  JSON.stringify({
    active_project_id: "24-demo",
    confidence: "high",
    detection_method: "transcript",
    timestamp: new Date().toISOString(),
    session_id: "A",
    ...more,
  });
const STATE = "00-system/.cache/precompact_state.json";
const WITHOUT = { transcript: null, session: "A" } as const;

const OUTCOMES: readonly Outcome[] = [
  {
    case: "no-state",
    active: false,
    make: () => WITHOUT,
    told: /^There is no 00-system\/\.cache\/precompact_state\.json of this session\.$/,
  },
  {
    case: "state-not-json",
    active: false,
    make: (workspace) => {
      workspace.write(STATE, '{"a":');
      return WITHOUT;
    },
    told: /^00-system\/\.cache\/precompact_state\.json is invalid: It is not JSON\.$/,
  },
  {
    case: "low-confidence",
    active: false,
    make: (workspace) => {
      workspace.write(STATE, state({ confidence: "low", detection_method: "fallback" }));
      return WITHOUT;
    },
    told: /^Confidence is low: too low to resume without being asked\.$/,
  },
  {
    case: "low-confidence",
    active: false,
    make: (workspace) => {
      // Another tool's word for having looked and found no project.
      workspace.write(STATE, state({ active_project_id: null, confidence: "low", detection_method: "fallback" }));
      return WITHOUT;
    },
    told: /^Confidence is low: too low to resume without being asked\.$/,
  },
  {
    case: "manifest-missing",
    active: false,
    make: (workspace) => {
      rmSync(workspace.path(MANIFEST));
      return undefined;
    },
    told: /^Project 24-demo is in hand, but 02-projects\/24-demo\/01-planning\/resume-context\.md does not exist\..* work on it from its steps file\.$/,
  },
  {
    case: "front-matter-invalid",
    active: false,
    make: (workspace) => {
      workspace.write(MANIFEST, manifestText("24-demo").replace("project_name: ", "project_name: [x"));
      return undefined;
    },
    told: /^02-projects\/24-demo\/01-planning\/resume-context\.md, line \d+, column \d+: .*context resume\.validate/,
  },
  {
    case: "resumed",
    active: true,
    make: (workspace) => {
      // The boxes of the steps tell the phase.
      const text = manifestText("24-demo").replace(/(resume_schema_version: ).*/, "$1v1");
      workspace.write(MANIFEST, text.replace(/current_phase: .*/, "current_phase: Phase 3 - Build"));
      return undefined;
    },
    told: /^$/,
  },
  {
    case: "front-matter-invalid",
    active: false,
    make: (workspace) => {
      workspace.write(MANIFEST, manifestText("24-demo").replace(/next_action.*\n/, ""));
      return undefined;
    },
    told: /, line \d+, column \d+: .*next_action/,
  },
  {
    case: "front-matter-invalid",
    active: false,
    make: (workspace) => {
      // A refused path stands above and is an error too: to mend it would not help.
      const text = manifestText("24-demo", ["../../etc/passwd"]).replace(/last_updated.*\n/, "");
      workspace.write(MANIFEST, text);
      const shown = workspace.context("resume.show 24-demo");
      expect(shown.stderr).toMatch(/:\d+:1 `last_updated` is missing/);
      return undefined;
    },
    told: /, line \d+, column 1: `last_updated` is missing/,
  },
  {
    case: "front-matter-invalid",
    active: false,
    make: (workspace) => {
      workspace.write(MANIFEST, manifestText("24-demo", ["01-planning/04-steps.md", "~"]));
      // The same word as those say who are asked about the file.
      for (const command of ["resume.validate", "resume.show"]) {
        expect(workspace.context(`${command} 24-demo`)).toMatchObject({ code: 1 });
      }
      return undefined;
    },
    told: /resume-context\.md, line 10, column 5: `files_to_load` is null; expected a text for each item\./,
  },
  {
    case: "files-missing",
    active: true,
    make: (workspace) => {
      workspace.write(MANIFEST, manifestText("24-demo", [...ALL_FILES, "gone.md", "../../etc/passwd"]));
      return undefined;
    },
    told: /^Missing or refused of files_to_load: 02-projects\/24-demo\/gone\.md, \.\.\/\.\.\/etc\/passwd\.Say which file is missing/,
  },
  {
    case: "fault",
    active: false,
    make: (workspace) => {
      rmSync(workspace.path(MANIFEST));
      mkdirSync(workspace.path(MANIFEST));
      return undefined;
    },
    told: /^Resumption failed: 02-projects\/24-demo\/01-planning\/resume-context\.md is a folder, expected a file\.$/,
  },
  {
    case: "fault",
    active: false,
    make: (workspace) => {
      rmSync(workspace.path(MANIFEST));
      runProgram("mkfifo", [workspace.path(MANIFEST)], { cwd: workspace.root });
      return undefined;
    },
    told: /is no regular file\.$/,
  },
];

describe("resume-mode", () => {
  test.each(OUTCOMES)(
    "$case: says whether the project was resumed and why not",
    ({ case: kind, active, make, told }) => {
      const workspace = full();
      const options = make(workspace) ?? {};
      const root = compact(workspace, options);
      const mode = one(root, "resume-mode");
      expect(mode.attributes).toMatchObject({ active: String(active), case: kind });
      expect(mode.children.map(({ text }) => text).join("")).toMatch(told);
      // Whatever became of the manifest, a project that is in hand is brought back from its other files.
      if (options.transcript !== null) expect(text(root, "project-files")).toContain("Write the state file");
    },
  );

  test("a folder of files_to_load stops nobody: what is in it is to be read", () => {
    const workspace = full();
    workspace.write(MANIFEST, manifestText("24-demo", [...ALL_FILES, "01-planning/notes/"]));
    workspace.write(`${PLANNING}/notes/a.md`, "a\n");
    const root = compact(workspace);
    expect(one(root, "resume-mode").attributes.case).toBe("resumed");
    expect(text(root, "instruction")).toMatch(/01-planning\/notes \(a folder: read the files in it\)/);
    const { stdout } = workspace.context("resume.validate 24-demo");
    expect(stdout).toContain("Name the files in it, such as 01-planning/notes/a.md.");
  });

  test("names the files that were refused or are no text, each with its reason, and reads none of them", () => {
    const workspace = full();
    const outside = makeWorkspace();
    outside.write("secret.md", "SECRET");
    workspace.write("secret.md", "SECRET");
    symlinkSync(outside.path("secret.md"), workspace.path(`${PLANNING}/link-steps.md`));
    symlinkSync(outside.root, workspace.path(`${DEMO}/out`));
    workspace.write(`${PLANNING}/binary-steps.md`, Buffer.from([0, 1, 2]));
    workspace.write(`${PLANNING}/empty-steps.md`, "");
    workspace.write(`${PLANNING}/large-steps.md`, "x".repeat(1024 * 1024 + 1));
    runProgram("mkfifo", [workspace.path(`${PLANNING}/pipe-steps.md`)], { cwd: workspace.root });
    const listed: Readonly<Record<string, string>> = {
      "01-planning/gone-steps.md": "missing",
      "../../secret.md": "refused",
      "/etc/passwd": "refused",
      "a/../../../secret.md": "refused",
      "out/secret.md": "refused",
      "01-planning/link-steps.md": "refused",
      "C:\\x": "refused",
      "01-planning/binary-steps.md": "binary",
      "01-planning/empty-steps.md": "empty",
      "01-planning/large-steps.md": "too-large",
      "01-planning/pipe-steps.md": "unreadable",
    };
    workspace.write(`${PLANNING}/04-steps.md`, stepsWith(1));
    workspace.write(MANIFEST, manifestText("24-demo", [...ALL_FILES, ...Object.keys(listed)]));
    const ran = runStart(workspace, { source: "compact", transcript: record(workspace), words: ["--print"] });
    expect(ran.stdout).not.toContain("SECRET");
    expect(ran.stdout).not.toContain("root:");
    const root = readDocument(ran.stdout.trimEnd());
    const files = all(one(root, "project-files"), "file");
    expect(
      Object.fromEntries(
        files
          .filter(({ attributes }) => attributes.loaded === "false")
          .map(({ attributes }) => [attributes.path?.replace(`${DEMO}/`, ""), attributes.state]),
      ),
    ).toEqual(listed);
    for (const { attributes } of files) if (attributes.loaded === "false") expect(attributes.reason).toBeTruthy();
    for (const [path, kind] of Object.entries(listed)) {
      expect(text(root, "instruction")).toContain(`${path} (${kind}: `);
    }
    expect(one(root, "resume-mode").attributes.case).toBe("files-missing");
  });
});

describe("the tone", () => {
  test("is firm as the designs have it, or says the same in plain sentences", () => {
    const workspace = full();
    const chat = workspace.write("client/chat.jsonl", new SessionLog(workspace.root).prompt("x").text());
    const loud = /[\u{1F6A8}\u{1F6D1}\u26A0\u2713\u2550]|MANDATORY|CATASTROPHIC|CRITICAL|DO NOT|ALWAYS|===/u;
    for (const [options, title, plain] of [
      [{}, "MANDATORY: STARTUP SEQUENCE", "Step 1: Display Nexus menu"],
      [{ source: "compact", transcript: chat }, "MANDATORY: CONTINUE SESSION", "Do not display menu."],
      [
        { source: "compact", transcript: record(workspace) },
        "\u{1F6A8}\u{1F6A8}\u{1F6A8} CATASTROPHIC MANDATORY LOADING SEQUENCE",
        "Step 1: read the resume file first.",
      ],
    ] as const) {
      workspace.write("context.yaml", "tone: firm\n");
      const firm = startDocument(workspace, options).root;
      expect(text(firm, "instruction")).toContain(title);
      expect(one(firm, "instruction").attributes.importance).toBe("MANDATORY");
      workspace.write("context.yaml", "tone: plain\n");
      const soft = startDocument(workspace, options).root;
      expect(text(soft, "instruction")).toContain(plain);
      expect(text(soft, "instruction")).not.toMatch(loud);
      expect(
        all(soft, "core-routing")
          .map((each) => each.text)
          .join(""),
      ).not.toMatch(loud);
      expect(all(soft, "instruction")[0]?.attributes).toEqual({});
      expect(names(soft)).toEqual(names(firm));
      // The same files are named in both, in the same places.
      const paths = (root: Read) => words(text(root, "instruction")).filter((line) => line.includes(workspace.root));
      expect(paths(soft).length).toBe(paths(firm).length);
    }
    workspace.write("context.yaml", "tone: loud\n");
    const { root, stderr } = startDocument(workspace);
    expect(stderr).toMatch(/^context: context\.yaml.*tone.*the default is used/);
    expect(text(root, "instruction")).toContain("MANDATORY: STARTUP SEQUENCE");
  });
});

describe("the role", () => {
  test("stands in both documents with its state, a checklist that names what there is, and its context file", () => {
    const workspace = full();
    workspace.role(ROLE);
    workspace.write(`.claude/agents/${ROLE}/SKILL.md`, "# Role\n");
    workspace.write("docs/arch.md", "# Architecture\n");
    workspace.write("context.yaml", "recovery: {architecture: docs/arch.md}\n");
    workspace.context(`lifecycle.save ${ROLE}`);
    for (const [source, expected] of [
      ["startup", "saved"],
      ["compact", "recovering"],
    ] as const) {
      const root = compact(workspace, { source, run: { env: ENV } });
      const role = one(root, "role-context");
      expect(role.attributes).toEqual({ role: ROLE, state: expected });
      expect(names(role)).toEqual(["checklist", "context-file"]);
      const items = all(role, "item").map((item) => item.text);
      expect(items.join("\n")).toMatch(
        /Read \.claude\/agents\/oosh-expert\/SKILL\.md[\s\S]*Read docs\/arch\.md\.[\s\S]*Run \.\/context recover oosh-expert:/,
      );
      // Nothing is promised that stands only in what `recover` prints.
      expect(items.join("\n")).not.toMatch(/named below|this whole output/);
      expect(one(role, "context-file").attributes).toEqual({
        path: `session/agents/${ROLE}.context.md`,
        loaded: "true",
      });
      expect(text(role, "context-file")).toBe(workspace.read(`session/agents/${ROLE}.context.md`));
    }
  });

  test("without a context file, without a machine or with a name that is none is told in place", () => {
    const workspace = makeWorkspace();
    const missing = startDocument(workspace, { run: { env: ENV } });
    expect(one(missing.root, "role-context").attributes).toEqual({ role: ROLE });
    expect(one(missing.root, "context-file").attributes).toMatchObject({ loaded: "false", state: "missing" });
    expect(text(missing.root, "instruction")).toContain("Your role is oosh-expert: follow the checklist");
    const items = all(missing.root, "item").map((item) => item.text);
    expect(items.at(-1)).toMatch(/^Run \.\/context recover oosh-expert: it says where the file may be found/);
    // Nothing is to be read or gone on with that is not there.
    expect(items.join("\n")).not.toMatch(/below|Pending/);
    workspace.write(`session/agents/${ROLE}.context.md`, Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
    const latin = startDocument(workspace, { run: { env: ENV } });
    expect(one(latin.root, "context-file").attributes).toMatchObject({ loaded: "false", state: "binary" });
    expect(text(latin.root, "instruction")).toContain("Your role is oosh-expert: follow the checklist");
    expect(all(latin.root, "item").map((item) => item.text)).toEqual([
      expect.stringMatching(/You remember nothing, and the context file is not UTF-8\.$/),
      "Run ./context recover oosh-expert: it says what to do about it.",
    ]);
    rmSync(workspace.path(`session/agents/${ROLE}.context.md`));
    const bad = startDocument(workspace, { run: { env: { HIVEMIND_ROLE: "Bad Role" } } });
    // The agent has no other way to hear of it: nobody reads what a hook says on stderr.
    expect(one(bad.root, "role-context").attributes).toEqual({});
    expect(names(one(bad.root, "role-context"))).toEqual(["checklist"]);
    expect(text(bad.root, "item")).toMatch(/Did you mean "bad-role"\?.* \.\/context recover <role>$/);
    expect(bad.stderr).toMatch(/^context: HIVEMIND_ROLE: .*\n$/);
    const empty = startDocument(workspace, { run: { env: { HIVEMIND_ROLE: "" } } });
    expect(empty.stderr).toBe("");
  });

  test("there is one thing to go on with: what was in hand in the session, or the menu, before what is pending", () => {
    const workspace = full();
    workspace.role(ROLE);
    for (const source of ["startup", "compact"]) {
      const role = one(compact(workspace, { source, run: { env: ENV } }), "role-context");
      const items = all(role, "item").map((item) => item.text);
      expect(items.slice(-2)).toEqual([
        "Then do what the instruction says.",
        expect.stringMatching(/^The role's own work begins with the first item under Pending;/),
      ]);
    }
    const alone = makeWorkspace();
    alone.role(ROLE);
    for (const source of ["startup", "compact"]) {
      const { root } = startDocument(alone, { source, run: { env: ENV } });
      const items = all(root, "item").map((item) => item.text);
      expect(items.at(-1)).toMatch(/^Go on with the first item under Pending;/);
      expect(items.join("\n")).not.toContain("instruction");
    }
  });

  test.each(["none", "saving", "compacting", "corrupt"])(
    "goes from %s to recovering once a compaction is over, one time for all parts",
    async (from) => {
      const workspace = full();
      workspace.role(ROLE);
      if (from !== "none") {
        workspace.context(`lifecycle.save ${ROLE}`);
        if (from !== "corrupt") workspace.setState(ROLE, { CURRENT: from });
        else workspace.write(`${MACHINES}/oosh_expert.states.env`, "\u0000");
      }
      const options = { source: "compact", transcript: record(workspace), run: { env: ENV } };
      const ran = await startParts(workspace, 4, options);
      const documents = ran.filter(({ stdout }) => stdout !== "").map(({ stdout }) => JSON.parse(stdout));
      expect(JSON.stringify(documents)).toContain('state=\\"recovering\\"');
      expect(workspace.state(ROLE)).toMatchObject({ CURRENT: "recovering" });
      const history = workspace.read(`${MACHINES}/oosh_expert.history.jsonl`).trim().split("\n");
      const ended = history.map((line) => JSON.parse(line)).filter(({ event }) => event === "COMPACTED");
      expect(ended).toMatchObject([{ to: "recovering", by: "session-start" }]);
      expect(ran[0]?.stderr === "").toBe(from !== "corrupt");
      for (const { stderr } of ran.slice(1)) expect(stderr).toBe("");
      // Parts but the first change nothing, whenever they run.
      const before = workspace.read(`${MACHINES}/oosh_expert.states.env`);
      runStart(workspace, { ...options, words: ["--part", "2/4"] });
      runStart(workspace, { ...options, source: "resume" });
      runStart(workspace, { ...options, words: ["--print"] });
      expect(workspace.read(`${MACHINES}/oosh_expert.states.env`)).toBe(before);
    },
  );

  test("whose state cannot be changed costs the start nothing but a line", () => {
    const workspace = full();
    workspace.role(ROLE);
    workspace.context(`lifecycle.save ${ROLE}`);
    workspace.write(
      `${MACHINES}/oosh_expert.states.env`,
      `STATE_SCHEMA=99\n${workspace.read(`${MACHINES}/oosh_expert.states.env`)}`,
    );
    chmodSync(workspace.path(MACHINES), 0o555);
    const { root, stderr } = startDocument(workspace, {
      source: "compact",
      transcript: record(workspace),
      run: { env: ENV },
    });
    expect(stderr).toMatch(/^context: The state of oosh-expert was not changed: .*\n$/);
    expect(one(root, "resume-project").attributes.id).toBe("24-demo");
  });
});
