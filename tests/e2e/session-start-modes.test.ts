import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import {
  addProject,
  addSession,
  expectedDetections,
  hasSession,
  makeAcme,
  manifestText,
  preCompactPayload,
  stepsWith,
  VERSIONS,
} from "../helpers/acme-project.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { decisionOf, runStart, type StartOptions, startDocument, startParts, text } from "../helpers/session-start.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";
import { all, one, type Read } from "../session-start/read-document.ts";

const DEMO = "02-projects/24-demo";
const OTHER = "02-projects/27-xml-context";
const STEPS = `${DEMO}/01-planning/04-steps.md`;
const STATE = "00-system/.cache/precompact_state.json";
const USED = "00-system/.cache/precompact_state.used.json";

type Log = (log: SessionLog) => SessionLog;

const work: Log = (log) => log.prompt("go").edit(`${DEMO}/02-working/a.md`).read(STEPS);
const chat: Log = (log) => log.prompt("a name for a cat?").says("Tom.");
const skill: Log = (log) => log.call("Skill", { skill: "weekly-report" });

interface Row {
  readonly case: number | null;
  readonly sources: readonly string[];
  readonly what: string;
  readonly log: Log;
  /** Closed boxes of the project: the first two are Phase 1. */
  readonly closed?: number;
  readonly phase: "planning" | "execution" | null;
  readonly action: "display_menu" | "continue_working";
}

const MENU = { phase: null, action: "display_menu" } as const;
const GO_ON = { phase: null, action: "continue_working" } as const;
const PLAN = { closed: 1, phase: "planning", action: "continue_working" } as const;
const EXECUTE = { closed: 3, phase: "execution", action: "continue_working" } as const;

const ROWS: readonly Row[] = [
  { case: 1, sources: ["startup", "new", "clear"], what: "work on a project", log: work, ...MENU },
  { case: 2, sources: ["compact"], what: "planning", log: work, ...PLAN },
  { case: 3, sources: ["compact"], what: "execution", log: work, ...EXECUTE },
  { case: 4, sources: ["compact"], what: "a skill after the project", log: (log) => skill(work(log)), ...GO_ON },
  { case: 4, sources: ["compact"], what: "a command after it", log: (log) => work(log).slash("lab-cmd"), ...GO_ON },
  { case: 5, sources: ["compact"], what: "skill work", log: skill, ...GO_ON },
  { case: 6, sources: ["compact"], what: "chat", log: chat, ...GO_ON },
  { case: 7, sources: ["compact"], what: "chat about the project", log: (log) => work(log).prompt("why?"), ...PLAN },
  {
    case: 2,
    sources: ["compact"],
    what: "the client's own command",
    log: (log) => work(log).slash("compact"),
    ...PLAN,
  },
  { case: 8, sources: ["resume", "fork"], what: "anything, in planning", log: (log) => skill(work(log)), ...PLAN },
  { case: 9, sources: ["resume", "fork"], what: "anything, in execution", log: (log) => skill(work(log)), ...EXECUTE },
  { case: 10, sources: ["resume", "fork"], what: "chat", log: chat, ...MENU },
  { case: null, sources: ["later", "COMPACT"], what: "work on a project", log: work, ...GO_ON },
];

function record(workspace: Workspace, log: Log): string {
  return workspace.write("client/s.jsonl", log(new SessionLog(workspace.root)).text());
}

/** Everything about a mode that a document shows. */
function shown(root: Read): Readonly<Record<string, string | undefined>> {
  const [project] = all(root, "resume-project");
  return {
    mode: root.attributes.mode,
    action: root.children.find(({ name }) => name === "action")?.text,
    phase: project?.attributes.phase,
    skill: project === undefined ? "none" : one(project, "skill").text,
  };
}

const SKILLS = { planning: "plan-project", execution: "execute-project" } as const;

describe("the mode of a start", () => {
  test.each(ROWS)("case $case: $sources after $what", (row) => {
    const workspace = makeAcme();
    workspace.write(STEPS, stepsWith(row.closed ?? 3));
    const transcript = record(workspace, row.log);
    for (const source of row.sources) {
      const { root } = startDocument(workspace, { source, transcript });
      const mode = row.phase === null ? "startup" : "compact";
      const skillName = row.phase === null ? "none" : SKILLS[row.phase];
      expect(shown(root), source).toEqual({
        mode,
        action: row.action,
        phase: row.phase ?? undefined,
        skill: skillName,
      });
      expect(one(root, "session").attributes.source).toBe(source);
      expect(decisionOf(workspace)).toMatchObject({ case: row.case, mode, skill: skillName, action: row.action });
      const instruction = text(root, "instruction");
      if (row.action === "display_menu") expect(instruction).toMatch(/STARTUP SEQUENCE[\s\S]*Display Nexus menu/);
      else expect(instruction).toContain("DO NOT display menu.");
      expect(instruction.includes("CONTINUE SESSION (NO PROJECT CONTEXT)")).toBe(
        row.phase === null && row.action === "continue_working",
      );
      expect(instruction.includes("PROJECT PLANNING CONTINUATION")).toBe(row.phase === "planning");
      expect(instruction.includes("PROJECT EXECUTION CONTINUATION")).toBe(row.phase === "execution");
    }
  });
});

describe("sessions recorded with the client", () => {
  test.each(VERSIONS)("of %s end to end have the mode, skill and action that is expected of each", (version) => {
    const workspace = makeAcme();
    const expected: Record<string, { compact: string; resume: string }> = JSON.parse(
      readFileSync(new URL("../fixtures/claude-code/expected.json", import.meta.url), "utf8"),
    );
    let compact = 0;
    for (const [name, { project, confidence, switched }] of expectedDetections(version)) {
      const transcript = addSession(workspace, name, version);
      for (const source of ["compact", "resume"] as const) {
        const { root, stderr } = startDocument(workspace, { source, transcript });
        // The one session that differs in that version is not switched there.
        const wanted = project !== null && !switched ? "compact" : expected[name]?.[source];
        const goesOn = wanted === "compact" || source === "compact";
        expect(shown(root), `${name} ${source}`).toEqual({
          mode: wanted,
          action: goesOn ? "continue_working" : "display_menu",
          phase: wanted === "compact" ? "execution" : undefined,
          skill: wanted === "compact" ? "execute-project" : "none",
        });
        expect(stderr).toBe("");
        expect(decisionOf(workspace)).toMatchObject({ project, confidence, source });
        if (wanted !== "compact") continue;
        compact += 1;
        expect(one(root, "resume-project").attributes.id).toBe(project);
        const [inferred] = all(one(root, "resume-mode"), "warning");
        expect(inferred !== undefined).toBe(confidence === "medium");
      }
    }
    expect(compact).toBeGreaterThanOrEqual(24);
  });

  test("before and after /clear are starts with nothing to resume", () => {
    const workspace = makeAcme();
    for (const name of ["cleared.1", "cleared.2"].filter((each) => hasSession("2.1.332", each))) {
      const { root } = startDocument(workspace, { source: "clear", transcript: addSession(workspace, name) });
      expect(shown(root)).toMatchObject({ mode: "startup", action: "display_menu", skill: "none" });
      expect(all(root, "resume-mode")).toEqual([]);
    }
  });
});

interface StateOptions {
  readonly session?: string;
  readonly project?: string | null;
  readonly confidence?: string;
  readonly ago?: number;
}

const MINUTE = 60_000;

function stateText({ session = "A", project = "24-demo", confidence = "high", ago = 0 }: StateOptions = {}): string {
  return `${JSON.stringify({
    active_project_id: project,
    confidence,
    detection_method: "transcript",
    timestamp: new Date(Date.now() - ago).toISOString(),
    session_id: session,
  })}\n`;
}

/** The project that a start of session A brings back, and why not. */
function resumed(workspace: Workspace, options: StartOptions = {}): readonly (string | undefined)[] {
  const { root } = startDocument(workspace, { source: "compact", session: "A", ...options });
  const [mode] = all(root, "resume-mode");
  return [all(root, "resume-project")[0]?.attributes.id, mode?.attributes.case];
}

describe("the state that PreCompact left", () => {
  test("is asked where the transcript cannot say, and only after it", () => {
    const workspace = makeAcme();
    const missing = workspace.path("client/none.jsonl");
    for (const transcript of [missing, null]) {
      workspace.write(STATE, stateText());
      expect(resumed(workspace, { transcript })).toEqual(["24-demo", "resumed"]);
    }
    // What the transcript shows comes first; what it was read whole for and does not show is an answer.
    workspace.write(STATE, stateText({ project: "27-xml-context" }));
    expect(resumed(workspace, { transcript: record(workspace, work) })).toEqual(["24-demo", "resumed"]);
    workspace.write(STATE, stateText());
    expect(resumed(workspace, { transcript: record(workspace, chat) })).toEqual([undefined, undefined]);
    // A transcript that holds nothing yet has not said a word.
    workspace.write(STATE, stateText());
    expect(resumed(workspace, { transcript: workspace.write("client/empty.jsonl", "") })).toEqual([
      "24-demo",
      "resumed",
    ]);
  });

  test("that is too old is called stale, with its time in the document and its age on stderr", () => {
    const workspace = makeAcme();
    const state = stateText({ ago: 11 * MINUTE });
    workspace.write(STATE, state);
    const { root, stderr } = startDocument(workspace, { source: "compact", session: "A" });
    const [, timestamp] = /"timestamp":"([^"]+)"/.exec(state) ?? [];
    expect(text(root, "reason")).toBe(
      `The state that was in ${STATE} is stale: it is of ${timestamp}, long before this start.`,
    );
    expect(stderr).toBe(`context: The state in ${STATE} is stale, 11 minutes old: it is not gone by.\n`);
  });

  test("that is no state is kept aside by a start that no other process answers, and told", async () => {
    for (const bad of ["", "\0\0", '{"a":1}}', "[]"]) {
      const workspace = makeAcme();
      workspace.write(STATE, bad);
      await startParts(workspace, 2, { source: "compact", session: "A" });
      expect(workspace.read(STATE)).toBe(bad);
      const { root, stderr } = startDocument(workspace, { source: "compact", session: "A" });
      expect(one(root, "resume-mode").attributes.case).toBe("state-not-json");
      const [name = ""] = workspace.list("00-system/.cache");
      expect(name).toMatch(/^precompact_state\.json\.corrupt-/);
      expect(workspace.read(`00-system/.cache/${name}`)).toBe(bad);
      expect(stderr).toContain(`; it is kept as ${name}.\n`);
    }
  });

  test.each([
    ["another session's", stateText({ session: "B" }), "no-state"],
    ["one whose session only begins alike", stateText({ session: "AA" }), "no-state"],
    ["eleven minutes old", stateText({ ago: 11 * MINUTE }), "no-state"],
    ["of a project that is gone", stateText({ project: "99-gone" }), "manifest-missing"],
    ["of no project", stateText({ project: null }), undefined],
    ["too weak", stateText({ confidence: "low" }), "low-confidence"],
    ["not JSON", "{", "state-not-json"],
    ["nested as older tools had it", '{"project_detection":{"project_id":"24-demo"}}', "state-not-json"],
    ["empty", "", "state-not-json"],
    ["NUL bytes", "\0\0", "state-not-json"],
  ])("%s brings nothing back, and that is told", (_what, state, outcome) => {
    const workspace = makeAcme();
    workspace.write(STATE, state);
    expect(resumed(workspace)).toEqual([undefined, outcome]);
  });

  test("that names no session is whose start comes next, for ten minutes", () => {
    const workspace = makeAcme();
    const unnamed = (ago: number) => stateText({ ago }).replace(/,"session_id":"A"/, "");
    for (const source of ["compact", "resume"]) {
      workspace.write(STATE, unnamed(0));
      expect(resumed(workspace, { source })).toEqual(["24-demo", "resumed"]);
      workspace.write(STATE, unnamed(11 * MINUTE));
      expect(resumed(workspace, { source })).toEqual([undefined, "no-state"]);
    }
    // What the older design left out is told by its name.
    workspace.write(STATE, unnamed(0).replace(/,"timestamp":"[^"]+"/, ""));
    const { root } = startDocument(workspace, { source: "compact", session: "A" });
    expect(text(root, "error")).toMatch(
      /^00-system\/\.cache\/precompact_state\.json is invalid: `timestamp` is missing; /,
    );
  });

  test("that is old is good for a session that a person resumes, however long ago it was", () => {
    const workspace = makeAcme();
    workspace.write(STATE, stateText({ ago: 3000 * MINUTE }));
    expect(resumed(workspace, { source: "resume" })).toEqual(["24-demo", "resumed"]);
  });

  test("is used up by one start: its parts read it under its new name, and the next compaction takes that away", async () => {
    const workspace = makeAcme();
    const state = stateText();
    workspace.write(STATE, state);
    const ran = await startParts(workspace, 4, { source: "compact", session: "A" });
    const used = ran.map(({ stdout }) => stdout).filter((stdout) => stdout !== "");
    expect(used.length).toBeGreaterThanOrEqual(1);
    for (const stdout of used) expect(stdout).toMatch(/mode=\\"compact\\"/);
    expect(workspace.list("00-system/.cache")).toEqual(["precompact_state.used.json"]);
    expect(workspace.read(USED)).toBe(state);
    // Another session's start has no part in it, and a later one finds that it is gone by.
    expect(resumed(workspace, { session: "B" })).toEqual([undefined, "no-state"]);
    const input = preCompactPayload(workspace, record(workspace, chat), { session_id: "A" });
    workspace.context("pre-compact", { input });
    expect(workspace.list("00-system/.cache")).toEqual([]);
    expect(resumed(workspace)).toEqual([undefined, "no-state"]);
  });

  test("of another session stays where it is, byte for byte", async () => {
    const workspace = makeAcme();
    const state = stateText({ session: "B" });
    workspace.write(STATE, state);
    await startParts(workspace, 3, { source: "compact", session: "A" });
    expect(workspace.list("00-system/.cache")).toEqual(["precompact_state.json"]);
    expect(workspace.read(STATE)).toBe(state);
    // Its own start still finds it: two sessions at work, each with its own project.
    expect(resumed(workspace, { session: "B" })).toEqual(["24-demo", "resumed"]);
  });

  test("is left alone by a start that looks for no project", () => {
    const workspace = makeAcme();
    workspace.write(STATE, stateText());
    for (const source of ["startup", "clear", "later"]) startDocument(workspace, { source, session: "A" });
    expect(workspace.list("00-system/.cache")).toEqual(["precompact_state.json"]);
  });

  test("through a link that leads out of the project is another one's: neither read nor renamed", () => {
    const workspace = makeAcme();
    const other = makeWorkspace();
    other.write("cache/precompact_state.json", stateText());
    symlinkSync(other.path("cache"), workspace.path("00-system/.cache"));
    expect(resumed(workspace)).toEqual([undefined, "no-state"]);
    expect(other.list("cache")).toEqual(["precompact_state.json"]);
  });

  test("lies in session/.cache where there is no system folder", () => {
    const workspace = makeAcme();
    rmSync(workspace.path("00-system"), { recursive: true });
    workspace.write("session/.cache/precompact_state.json", stateText());
    expect(resumed(workspace)).toEqual(["24-demo", "resumed"]);
    expect(workspace.exists("session/.cache/precompact_state.used.json")).toBe(true);
    expect(existsSync(workspace.path("00-system"))).toBe(false);
  });
});

describe("round after round", () => {
  test("two sessions compact in turn, and each start has its own session's project", () => {
    const workspace = makeAcme();
    const logs: Record<string, string> = {};
    for (const [session, folder] of [
      ["A", DEMO],
      ["B", OTHER],
    ] as const) {
      logs[session] = workspace.write(
        `client/${session}.jsonl`,
        new SessionLog(workspace.root).edit(`${folder}/a.md`).edit(`${folder}/b.md`).text(),
      );
    }
    const sizes = new Set<number>();
    for (const session of ["A", "B", "A"]) {
      const transcript = logs[session] ?? "";
      for (const each of ["A", "B"]) {
        const input = preCompactPayload(workspace, logs[each] ?? "", { session_id: each });
        workspace.context("pre-compact", { input });
      }
      const { xml, root } = startDocument(workspace, { source: "compact", session, transcript });
      expect(one(root, "resume-project").attributes.id).toBe(session === "A" ? "24-demo" : "27-xml-context");
      if (session === "A") sizes.add(xml.length);
    }
    expect(sizes.size).toBe(1);
  });

  test("a session that was never announced by PreCompact is known from its transcript", () => {
    const workspace = makeAcme();
    expect(resumed(workspace, { transcript: record(workspace, work) })).toEqual(["24-demo", "resumed"]);
  });

  test("only what was done since the last compaction decides, and a summary alone decides nothing", () => {
    const workspace = makeAcme();
    const moved: Log = (log) =>
      work(log)
        .compacted("All about 24-demo.")
        .prompt("now the other")
        .edit(`${OTHER}/a.md`)
        .compacted("24-demo, 24-demo.")
        .edit(`${OTHER}/b.md`);
    expect(resumed(workspace, { transcript: record(workspace, moved) })).toEqual(["27-xml-context", "resumed"]);
    const summary: Log = (log) => log.compacted("We worked on 02-projects/24-demo all day.").prompt("go on");
    expect(resumed(workspace, { transcript: record(workspace, summary) })[0]).toBeUndefined();
  });

  test("work in a worktree is work on the project, at the start as at the compaction before it", () => {
    const workspace = makeAcme();
    const tree = makeWorkspace();
    mkdirSync(tree.path("02-projects/24-demo/02-working"), { recursive: true });
    const log = new SessionLog(tree.root)
      .edit(tree.path(`${DEMO}/02-working/a.md`))
      .edit(tree.path(`${DEMO}/02-working/b.md`));
    const transcript = workspace.write("client/s.jsonl", log.text());
    for (const cwd of [tree.root, tree.path("02-projects/24-demo/02-working")]) {
      const options = { transcript, payload: { cwd }, run: { env: { CLAUDE_PROJECT_DIR: workspace.root }, cwd } };
      expect(resumed(workspace, options), cwd).toEqual(["24-demo", "resumed"]);
    }
    expect(tree.list("session")).toEqual(["agents"]);
  });

  test("work by paths of a home folder that is a link is work on the project", () => {
    const workspace = makeAcme();
    const home = makeWorkspace().path("home");
    symlinkSync(dirname(workspace.root), home);
    const path = `~/${basename(workspace.root)}/${DEMO}/a.md`;
    const transcript = workspace.write("client/s.jsonl", new SessionLog(workspace.root).edit(path).edit(path).text());
    expect(resumed(workspace, { transcript, run: { env: { HOME: home } } })).toEqual(["24-demo", "resumed"]);
    const ran = workspace.context(["detect", "--transcript", transcript], { env: { HOME: home } });
    expect(ran.stdout).toContain("24-demo (confidence");
    const direct = workspace.path("02-projects/27-xml-context/b.md");
    const both = new SessionLog(workspace.root).edit(direct).edit(direct).edit(path).edit(path).edit(path).text();
    workspace.write("client/s.jsonl", both);
    const [project] = resumed(workspace, { transcript, run: { env: { HOME: home } } });
    const again = workspace.context(["detect", "--transcript", transcript], { env: { HOME: home } });
    expect(again.stdout).toContain(`${project} (confidence`);
  });
});

describe("the phase", () => {
  test("is what the boxes say, whatever manifest and overview say; without a box the manifest is asked", () => {
    const workspace = makeAcme();
    const transcript = record(workspace, work);
    const phase = (steps: string | null, manifest = "execution"): string | undefined => {
      if (steps === null) rmSync(workspace.path(STEPS), { force: true });
      else workspace.write(STEPS, steps);
      const text = manifestText("24-demo").replace("current_phase: execution", () => `current_phase: ${manifest}`);
      workspace.write(`${DEMO}/01-planning/resume-context.md`, text);
      return one(startDocument(workspace, { source: "compact", transcript }).root, "resume-project").attributes.phase;
    };
    expect(phase(stepsWith(1))).toBe("planning");
    expect(phase(stepsWith(2), "planning")).toBe("execution");
    expect(phase(stepsWith(6), "planning")).toBe("execution");
    // Phase 10 is not Phase 1, and a box in a fence is no box.
    expect(phase("## Phase 10: Later\n- [ ] x\n\n```\n## Phase 1\n- [ ] x\n```\n", "planning")).toBe("execution");
    expect(phase("# Steps\n\nNone yet.\n", "planning")).toBe("planning");
    expect(phase(null, "research")).toBe("planning");
    expect(phase(null, "planning  # not begun")).toBe("planning");
    expect(phase(null, "execution")).toBe("execution");
  });

  test("is planning where there are neither boxes nor a manifest yet and the overview says so: steps are written last", () => {
    const workspace = makeAcme();
    const transcript = record(workspace, work);
    const phase = (overview: string): string | undefined => {
      workspace.write(`${DEMO}/01-planning/01-overview.md`, overview);
      return one(startDocument(workspace, { source: "compact", transcript }).root, "resume-project").attributes.phase;
    };
    const planned = "---\nname: Demo\nstatus: planning\n---\n";
    rmSync(workspace.path(`${DEMO}/01-planning/resume-context.md`), { force: true });
    expect(phase(planned)).toBe("execution");
    rmSync(workspace.path(STEPS));
    expect(phase(planned)).toBe("planning");
    expect(phase(planned.replace("planning", "IN_PROGRESS"))).toBe("execution");
    expect(phase("# Demo\n")).toBe("execution");
    // A manifest of which nothing is to be had says as little.
    workspace.write(`${DEMO}/01-planning/resume-context.md`, "---\nfiles_to_load: [\n---\n");
    expect(phase(planned)).toBe("planning");
    workspace.write(`${DEMO}/01-planning/resume-context.md`, manifestText("24-demo"));
    expect(phase(planned)).toBe("execution");
  });
});

test("ids with capitals and underscores are projects, and folders that only look like one are none", () => {
  const workspace = makeAcme();
  addProject(workspace, "7-My_Project");
  for (const [folder, id] of [
    ["02-projects/7-My_Project", "7-My_Project"],
    ["02-projects/notes", undefined],
    ["02-projects/24-demo2", undefined],
  ] as const) {
    mkdirSync(workspace.path(folder), { recursive: true });
    const log: Log = (each) => each.edit(`${folder}/a.md`).edit(`${folder}/b.md`);
    const found = resumed(workspace, { transcript: record(workspace, log) })[0];
    expect(found, folder).toBe(folder === "02-projects/24-demo2" ? "24-demo2" : id);
  }
});

test("a resumed session without a transcript has nothing to go on with; a fork's is only written later", () => {
  const workspace = makeAcme();
  for (const transcript of [null, workspace.path("client/gone.jsonl")]) {
    const actions = ["resume", "fork"].map((source) => {
      startDocument(workspace, { source, transcript });
      return decisionOf(workspace).action;
    });
    expect(actions).toEqual(["display_menu", "continue_working"]);
  }
});

test("a transcript that cannot be read is told once, and the start goes on without it", async () => {
  const workspace = makeAcme();
  const ran = await startParts(workspace, 2, { source: "compact", transcript: workspace.path("02-projects") });
  expect(ran[0]?.stderr).toMatch(/^context: Expected a file, found a directory: .*\n$/);
  expect(ran[1]).toMatchObject({ stdout: "", stderr: "" });
  const absent = runStart(workspace, { source: "compact", transcript: workspace.path("client/none.jsonl") });
  expect(absent.stderr).toBe("");
});
