import { existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  addProject,
  addSession,
  expectedDetections,
  hasSession,
  makeAcme,
  preCompactPayload,
  sessionText,
  stepsWith,
  VERSIONS,
} from "../helpers/acme-project.ts";
import { type Ran, runProgram } from "../helpers/run-program.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const STATE = "00-system/.cache/precompact_state.json";
const USED = "00-system/.cache/precompact_state.used.json";

/** Runs the hook as the client would, for a session and its transcript. */
function compact(
  workspace: Workspace,
  transcript: string | null,
  more: {
    readonly session?: string;
    readonly words?: string;
    readonly payload?: Readonly<Record<string, unknown>>;
  } = {},
): Ran {
  const { session = "A", words = "pre-compact", payload = {} } = more;
  const input = preCompactPayload(workspace, transcript, { session_id: session, ...payload });
  return workspace.context(words, { input });
}

const QUIET = { code: 0, signal: null, stdout: "{}\n", stderr: "" };

function state(workspace: Workspace, file = STATE): Record<string, unknown> | null {
  return workspace.exists(file) ? JSON.parse(workspace.read(file)) : null;
}

function storedState(session: string, project = "24-demo"): string {
  return `${JSON.stringify({ active_project_id: project, confidence: "medium", detection_method: "transcript", timestamp: "2026-01-03T14:00:00.000Z", session_id: session })}\n`;
}

/** A session in which the agent worked on a project. */
function workOn(workspace: Workspace, project: string): string {
  const log = new SessionLog(workspace.root).edit(`02-projects/${project}/02-working/a.md`);
  return workspace.write(
    `client/work-on-${project.slice(0, 20)}.jsonl`,
    log.read(`02-projects/${project}/01-planning/04-steps.md`).text(),
  );
}

/** So many that none of them is in hand. */
function alike(log: SessionLog): SessionLog {
  for (const file of ["a", "b"])
    for (const id of ["27-xml-context", "31-billing", "42-search"]) log.edit(`02-projects/${id}/02-working/${file}.md`);
  return log;
}

function chat(workspace: Workspace): string {
  return workspace.write("client/chat.jsonl", new SessionLog(workspace.root).prompt("a name for a cat?").text());
}

describe("the state file", () => {
  test.each(VERSIONS)("is exactly as the contract has it after each session recorded with %s", (version) => {
    const workspace = makeAcme();
    const before = Date.now();
    let written = 0;
    for (const [name, { project, confidence }] of expectedDetections(version)) {
      rmSync(workspace.path(STATE), { force: true });
      const session = `b9ff7b48-ef86-4ef0-86d3-${name}`;
      expect(compact(workspace, addSession(workspace, name, version), { session }), name).toEqual(QUIET);
      const found = state(workspace);
      if (project === null) {
        expect(found, name).toBeNull();
        continue;
      }
      const at = String(found?.timestamp);
      expect(new Date(at).toISOString()).toBe(at);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
      // Byte for byte, the order of the keys included.
      expect(workspace.read(STATE), name).toBe(
        `{"active_project_id":"${project}","confidence":"${confidence}","detection_method":"transcript","timestamp":"${at}","session_id":"${session}"}\n`,
      );
      const { mode, size } = statSync(workspace.path(STATE));
      expect(mode & 0o777).toBe(0o600);
      expect(size).toBeLessThan(1024);
      written += 1;
    }
    expect(written).toBeGreaterThanOrEqual(13);
    expect(workspace.list("00-system/.cache")).toEqual(["precompact_state.json"]);
    expect(statSync(workspace.path("00-system/.cache")).mode & 0o777).toBe(0o700);
  });

  test("lies in session/.cache where there is no system folder, and where the layout says it is elsewhere", () => {
    const workspace = makeAcme();
    rmSync(workspace.path("00-system"), { recursive: true });
    expect(compact(workspace, workOn(workspace, "24-demo"))).toEqual(QUIET);
    expect(state(workspace, "session/.cache/precompact_state.json")).toMatchObject({ active_project_id: "24-demo" });
    expect(workspace.exists("00-system")).toBe(false);

    workspace.write("context.yaml", "layout: {system: sys, projects: work/all}\n");
    mkdirSync(workspace.path("sys"));
    workspace.write("work/all/7-A_b/01-planning/04-steps.md", "- [ ] x\n");
    const log = new SessionLog(workspace.root).edit("work/all/7-A_b/a.md");
    expect(compact(workspace, workspace.write("client/x.jsonl", log.text()))).toEqual(QUIET);
    expect(state(workspace, "sys/.cache/precompact_state.json")).toMatchObject({
      active_project_id: "7-A_b",
      confidence: "medium",
    });
  });

  test("without a session in the payload names none, and the longest ids keep it under a kilobyte", () => {
    const workspace = makeAcme();
    const long = `31-${"a".repeat(250)}`;
    workspace.write(`02-projects/${long}/01-planning/04-steps.md`, "- [ ] x\n");
    const transcript = workOn(workspace, long);
    expect(compact(workspace, transcript, { session: "../../x" })).toEqual(QUIET);
    expect(Object.keys(state(workspace) ?? {})).toEqual([
      "active_project_id",
      "confidence",
      "detection_method",
      "timestamp",
    ]);
    expect(compact(workspace, transcript, { session: "s".repeat(128) })).toEqual(QUIET);
    expect(state(workspace)).toMatchObject({ active_project_id: long, session_id: "s".repeat(128) });
    expect(statSync(workspace.path(STATE)).size).toBeLessThan(1024);
  });
});

describe("no project in hand", () => {
  test("leaves no file, and takes away what this session wrote earlier but not what another one did", () => {
    const workspace = makeAcme();
    const quiet = chat(workspace);
    expect(compact(workspace, quiet)).toEqual(QUIET);
    expect(workspace.exists("00-system/.cache")).toBe(false);
    workspace.write(STATE, storedState("A"));
    expect(compact(workspace, quiet)).toEqual(QUIET);
    expect(state(workspace)).toBeNull();

    workspace.write(STATE, storedState("B"));
    const payload = { session_id: undefined };
    for (const more of [{}, { payload }]) expect(compact(workspace, quiet, more)).toEqual(QUIET);
    expect(workspace.read(STATE)).toBe(storedState("B"));
  });

  test("is so too where there is no project at all any more", () => {
    const workspace = makeAcme();
    workspace.write(STATE, storedState("A"));
    rmSync(workspace.path("02-projects"), { recursive: true });
    expect(compact(workspace, chat(workspace))).toEqual(QUIET);
    expect(state(workspace)).toBeNull();
  });
});

describe("where the transcript cannot say", () => {
  test("an earlier compaction of the same session does, then the only project in progress", () => {
    const workspace = makeAcme();
    const missing = workspace.path("client/nothing.jsonl");
    // Two projects are in progress: neither is the one.
    expect(compact(workspace, missing)).toEqual(QUIET);
    expect(state(workspace)).toBeNull();

    for (const file of [STATE, USED]) {
      workspace.write(file, storedState("A", "27-xml-context"));
      expect(compact(workspace, missing)).toEqual(QUIET);
      expect(state(workspace)).toMatchObject({
        active_project_id: "27-xml-context",
        confidence: "medium",
        detection_method: "cache",
        session_id: "A",
      });
      rmSync(workspace.path(STATE));
    }
    // Another session's, and one of a project that is gone, say nothing.
    for (const text of [storedState("B"), storedState("A", "99-gone")]) {
      workspace.write(USED, text);
      expect(compact(workspace, missing)).toEqual(QUIET);
      expect(state(workspace)).toBeNull();
    }

    workspace.write("02-projects/27-xml-context/01-planning/04-steps.md", stepsWith(6));
    const nothing = workspace.write("client/nothing.jsonl", "");
    for (const transcript of [missing, null, nothing, workspace.path("02-projects")]) {
      rmSync(workspace.path(STATE), { force: true });
      expect(compact(workspace, transcript)).toMatchObject({ code: 0, stdout: "{}\n" });
      expect(state(workspace)).toMatchObject({
        active_project_id: "24-demo",
        confidence: "low",
        detection_method: "fallback",
        session_id: "A",
      });
    }
    // A transcript that was read and names no project is an answer.
    expect(compact(workspace, chat(workspace))).toEqual(QUIET);
    expect(state(workspace)).toBeNull();
  });

  test.each([
    ["a project that was set aside is not in progress, whatever boxes are open", "ON_HOLD", "24-demo"],
    ["one that the list of projects shows as in progress is", "IN_PROGRESS", null],
  ])("%s", (_what, status, only) => {
    const workspace = makeAcme();
    workspace.write("02-projects/27-xml-context/01-planning/01-overview.md", `---\nstatus: ${status}\n---\n`);
    rmSync(workspace.path("02-projects/24-demo/01-planning/04-steps.md"));
    expect(compact(workspace, null)).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(state(workspace)?.active_project_id ?? null).toBe(only);
  });
});

test.each<[string, (workspace: Workspace) => unknown, string | null]>([
  [
    "a folder without planning files is no project in progress",
    (made) => made.write("02-projects/31-new/a.md", "x"),
    "24-demo",
  ],
  [
    "one with its steps alone is",
    (made) => made.write("02-projects/31-new/01-planning/04-steps.md", "- [ ] x\n"),
    null,
  ],
  [
    "one with its overview alone is",
    (made) => made.write("02-projects/31-new/01-planning/01-overview.md", "# New\n"),
    null,
  ],
  [
    "none is named where none is",
    (made) => made.write("02-projects/24-demo/01-planning/01-overview.md", "---\nstatus: ON_HOLD\n---\n"),
    null,
  ],
])("where the transcript cannot say, %s", (_what, change, only) => {
  const workspace = makeAcme();
  workspace.write("02-projects/27-xml-context/01-planning/04-steps.md", stepsWith(6));
  change(workspace);
  expect(compact(workspace, null)).toMatchObject({ code: 0, stdout: "{}\n" });
  expect(state(workspace)?.active_project_id ?? null).toBe(only);
});

describe("a fork of a session that was compacted", () => {
  const answer = { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "ok" }] } };
  /** How the clients' transcripts say whose the copied records were. */
  const SAYS = {
    "2.1.332": (session: string) => [{ ...answer, requestSessionId: session }],
    "2.1.250": (session: string) => [
      answer,
      {
        type: "attachment",
        attachment: {
          type: "hook_additional_context",
          content: [
            `<nexus-context>\n  <session id="${session}" source="compact" timestamp="2026-11-30T14:28:33Z"/>\n`,
          ],
          hookName: "SessionStart:compact",
          hookEvent: "SessionStart",
        },
      },
    ],
    "2.0.76": (session: string) => [{ ...answer, sessionId: session }],
  } as const;
  const copied = (workspace: Workspace, summary = "Summary.", session = "B", version: keyof typeof SAYS = "2.1.332") =>
    SAYS[version](session).reduce((log, record) => log.add(record), new SessionLog(workspace.root).compacted(summary));
  const FOUND = { active_project_id: "24-demo", confidence: "medium", detection_method: "cache", session_id: "A" };

  test.each([
    ["2.1.332", "Summary."],
    ["2.1.332", "The project is 24-demo."],
    ["2.1.250", "Summary."],
    ["2.0.76", "Summary."],
  ] as const)("has what its parent's compaction found: in %s, %s", (version, summary) => {
    const workspace = makeAcme();
    const log = copied(workspace, summary, "B", version);
    const fork = workspace.write("client/fork.jsonl", log.prompt("and now?").text());
    workspace.write(USED, storedState("B"));
    for (const _ of [1, 2]) {
      expect(compact(workspace, fork)).toEqual(QUIET);
      expect(state(workspace)).toMatchObject(FOUND);
      const input = JSON.stringify({ session_id: "A", transcript_path: fork, source: "compact", cwd: workspace.root });
      expect(workspace.context("session-start", { input }).stdout).toContain('<resume-project id=\\"24-demo\\"');
      expect(state(workspace)).toBeNull();
    }
  });

  test("has what it did itself, and nothing of a third session", () => {
    const workspace = makeAcme();
    workspace.write(USED, storedState("B"));
    const own = copied(workspace).edit("02-projects/27-xml-context/02-working/a.md").text();
    expect(compact(workspace, workspace.write("client/own.jsonl", own))).toEqual(QUIET);
    expect(state(workspace)).toMatchObject({ active_project_id: "27-xml-context", detection_method: "transcript" });
    rmSync(workspace.path(STATE));
    workspace.write(USED, storedState("B"));
    for (const version of ["2.1.332", "2.1.250", "2.0.76"] as const) {
      const other = workspace.write("client/other.jsonl", copied(workspace, "Summary.", "C", version).text());
      expect(compact(workspace, other)).toEqual(QUIET);
      expect(state(workspace)).toBeNull();
    }
  });
});

describe("a fork of a compacted session whose transcript is there", () => {
  const [demo, other] = ["02-projects/24-demo/02-working/a.md", "02-projects/27-xml-context/02-working/a.md"];
  const COMPACTED = { type: "system", subtype: "compact_boundary", timestamp: "2026-01-03T14:30:00.000Z" };
  const answer = { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "ok" }] } };
  /** What the client copies: all from the compaction on. */
  const copied = (workspace: Workspace, summary = "Summary, with 27-xml-context.") =>
    new SessionLog(workspace.root)
      .add(COMPACTED)
      .add({ type: "user", isCompactSummary: true, message: { role: "user", content: summary } })
      .add({ ...answer, requestSessionId: "B" });
  const write = (workspace: Workspace, session: string, log: SessionLog) =>
    workspace.write(`client/${session}.jsonl`, log.text());
  /** The project that the hooks go on with, at a compaction of the fork and when it is taken up again. */
  const projects = (workspace: Workspace, fork: string) =>
    ["compact", "resume"].map((source) => {
      if (source === "compact") expect(compact(workspace, fork)).toEqual(QUIET);
      const found = state(workspace)?.active_project_id ?? null;
      const input = JSON.stringify({ session_id: "A", transcript_path: fork, source, cwd: workspace.root });
      const { stdout } = workspace.context("session-start", { input });
      const told = /<resume-project id=\\"([^"]+)\\"/.exec(stdout)?.[1] ?? null;
      return source === "compact" ? [found, told] : [told];
    });

  test("has what was in hand at that compaction, whoever compacted since, and whatever its parent did since", () => {
    const workspace = makeAcme();
    const parent = new SessionLog(workspace.root).edit(demo).edit(demo).add(COMPACTED);
    for (let later = 31; later < 34; later++) parent.add({ ...answer, timestamp: `2026-01-03T14:${later}:00.000Z` });
    const use = {
      type: "tool_use",
      id: "toolu_later",
      name: "Edit",
      input: { file_path: other, old_string: "", new_string: "" },
    };
    const work = { type: "assistant", message: { role: "assistant", content: [use] } };
    write(workspace, "B", parent.add({ ...work, timestamp: "2026-01-03T14:40:00.000Z" }));
    const fork = write(workspace, "A", copied(workspace).prompt("and now?"));
    const late = storedState("B", "27-xml-context").replace("T14:00:00.000Z", "T14:41:00.000Z");
    for (const used of [late, storedState("C", "27-xml-context"), null]) {
      if (used !== null) workspace.write(USED, used);
      expect(projects(workspace, fork)).toEqual([["24-demo", "24-demo"], ["24-demo"]]);
    }
    // What it does itself comes first.
    const own = write(workspace, "A", copied(workspace).edit(other).edit(other));
    expect(projects(workspace, own)).toEqual([["27-xml-context", "27-xml-context"], ["27-xml-context"]]);
    // Its parent's transcript is gone, and what was found of the parent is younger than the fork.
    rmSync(workspace.path("client/B.jsonl"));
    rmSync(workspace.path(STATE), { force: true });
    workspace.write(USED, late);
    const alone = write(workspace, "A", copied(workspace).prompt("and now?"));
    expect(projects(workspace, alone)).toMatchObject([["27-xml-context", null], [null]]);
  });

  test("has what its parent's parent did where the parent only talked, and nothing where a skill took over", () => {
    const workspace = makeAcme();
    const first = { ...COMPACTED, timestamp: "2026-01-03T14:20:00.000Z" };
    write(workspace, "R", new SessionLog(workspace.root).edit(demo).edit(demo).add(first));
    const root = new SessionLog(workspace.root).add(first).add({ ...answer, requestSessionId: "R" });
    write(workspace, "B", root.prompt("and now?").add(COMPACTED));
    const fork = write(workspace, "A", copied(workspace).prompt("and now?"));
    expect(projects(workspace, fork)).toEqual([["24-demo", "24-demo"], ["24-demo"]]);
    write(workspace, "A", copied(workspace).call("Skill", { skill: "weekly-report" }));
    expect(projects(workspace, fork)).toEqual([["24-demo", null], ["24-demo"]]);
  });

  test("has what was in hand at that compaction however long its parent went on", () => {
    const workspace = makeAcme();
    const parent = new SessionLog(workspace.root).edit(demo).edit(demo).add(COMPACTED);
    for (let later = 0; later < 600; later++) parent.add({ ...answer, timestamp: "2026-01-03T14:31:00.000Z" });
    write(workspace, "B", parent);
    const fork = write(workspace, "A", copied(workspace).prompt("and now?"));
    expect(projects(workspace, fork)).toEqual([["24-demo", "24-demo"], ["24-demo"]]);
  });

  test("has none where it worked on many since or its parent had before, and what its parent had where a summary names many", () => {
    const workspace = makeAcme();
    const many = ["31-many", "32-many", "33-many"];
    const work = (log: SessionLog) =>
      many.reduce((to, project) => to.edit(`02-projects/${project}/02-working/a.md`), log);
    for (const project of many) workspace.write(`02-projects/${project}/01-planning/01-overview.md`, "# Many\n");
    write(workspace, "B", new SessionLog(workspace.root).edit(demo).edit(demo).add(COMPACTED));
    const named = write(workspace, "A", copied(workspace, `Summary, with ${many.join(", ")}.`).prompt("and now?"));
    expect(projects(workspace, named)).toEqual([["24-demo", "24-demo"], ["24-demo"]]);
    expect(projects(workspace, write(workspace, "A", work(copied(workspace))))).toEqual([[null, null], [null]]);
    write(workspace, "B", work(new SessionLog(workspace.root)).add(COMPACTED));
    const fork = write(workspace, "A", copied(workspace, "Summary.").prompt("and now?"));
    expect(projects(workspace, fork)).toEqual([[null, null], [null]]);
  });

  test("is told with what speaks for it, by its parent's lines", () => {
    const workspace = makeAcme();
    write(workspace, "B", new SessionLog(workspace.root).prompt("go on").edit(demo).edit(demo).add(COMPACTED));
    const fork = write(workspace, "A", copied(workspace).prompt("and now?"));
    expect(projects(workspace, fork)).toEqual([["24-demo", "24-demo"], ["24-demo"]]);
    const why = "by the transcript of session B, of which this one is a fork";
    const told = { project: "24-demo", confidence: "high", fork_of: "B" };
    const lines = [{ line: 2 }, { line: 4 }];
    const record = JSON.parse(workspace.read("session/.cache/session-start.json"));
    expect(record).toMatchObject({ ...told, why: expect.stringContaining(why), evidence: lines });
    for (const words of ["detect", "explain --source resume"]) {
      const ran = workspace.context(`${words} --transcript client/A.jsonl`);
      expect(ran.stdout).toContain(why);
      expect(ran.stdout).toMatch(/line 4 +24-demo +write/);
      const { evidence, ...answer } = JSON.parse(
        workspace.context(`${words} --transcript client/A.jsonl --json`).stdout,
      );
      expect(answer).toMatchObject(told);
      expect(evidence.filter(({ counted }: { counted: boolean }) => counted)).toMatchObject(lines);
    }
  });

  test("has none where it, or its parent, worked on three alike; one that only named three has its parent's", () => {
    const workspace = makeAcme();
    for (const id of ["31-billing", "42-search"]) addProject(workspace, id);
    const first = { ...COMPACTED, timestamp: "2026-01-03T14:20:00.000Z" };
    write(workspace, "R", new SessionLog(workspace.root).edit(demo).edit(demo).add(first));
    const parent = () => new SessionLog(workspace.root).add(first).add({ ...answer, requestSessionId: "R" });
    write(workspace, "B", parent().prompt("and now?").add(COMPACTED));
    const fork = write(workspace, "A", alike(copied(workspace)));
    expect(projects(workspace, fork)).toEqual([[null, null], [null]]);
    write(workspace, "A", copied(workspace).call("Task", { prompt: "look at 27-xml-context, 31-billing, 42-search" }));
    expect(projects(workspace, fork)).toEqual([["24-demo", "24-demo"], ["24-demo"]]);
    write(workspace, "A", copied(workspace).prompt("and now?"));
    write(workspace, "B", alike(parent()).add(COMPACTED));
    expect(projects(workspace, fork)).toEqual([[null, null], [null]]);
  });

  test("that was made before anything was compacted goes by its own records alone", () => {
    const workspace = makeAcme();
    write(workspace, "B", new SessionLog(workspace.root).prompt("hello").edit(demo).edit(demo));
    const own = new SessionLog(workspace.root)
      .prompt("hello")
      .add({ ...answer, requestSessionId: "B" })
      .add(COMPACTED);
    expect(projects(workspace, write(workspace, "A", own.prompt("and now?")))).toEqual([[null, null], [null]]);
  });
});

test("a project that is only named, or the only one in progress, is written down as that, and is not the summariser's", () => {
  const workspace = makeAcme();
  const named = new SessionLog(workspace.root).call("Task", { prompt: "look at 24-demo" });
  workspace.write("02-projects/27-xml-context/01-planning/04-steps.md", stepsWith(6));
  for (const [transcript, method, doubt] of [
    [workspace.write("client/named.jsonl", named.text()), "transcript", "24-demo was only named"],
    [workspace.path("client/nothing.jsonl"), "fallback", "24-demo is the only one in progress"],
  ] as const) {
    rmSync(workspace.path(USED), { force: true });
    const { stdout, stderr } = compact(workspace, transcript, { words: "pre-compact --guidance" });
    expect(stderr).toBe("");
    expect(stdout).toContain(`- Project: none is certain; ${doubt}\n`);
    expect(stdout).not.toContain("Current task");
    expect(state(workspace)).toMatchObject({
      active_project_id: "24-demo",
      confidence: "low",
      detection_method: method,
    });
    const input = JSON.stringify({ session_id: "A", transcript_path: transcript, source: "compact" });
    expect(workspace.context("session-start", { input }).stdout).not.toContain("<resume-project");
  }
});

test("three that were worked on alike since say that none is in hand; three that were only named do not", () => {
  const workspace = makeAcme();
  for (const id of ["31-billing", "42-search"]) addProject(workspace, id);
  const long = () => {
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
    // More than is read: the work lies before, and an earlier compaction found it.
    for (let row = 0; row < 500; row++) log.says("ok");
    return log;
  };
  for (const [log, project] of [
    [alike(long()), null],
    [long().call("Task", { prompt: "look at 27-xml-context, 31-billing, 42-search" }), "24-demo"],
  ] as const) {
    const transcript = workspace.write("client/A.jsonl", log.text());
    rmSync(workspace.path(STATE), { force: true });
    workspace.write(USED, storedState("A"));
    const { stdout } = compact(workspace, transcript, { words: "pre-compact --guidance" });
    expect(/^- Project: ([^,]+),/m.exec(stdout)?.[1] ?? null).toBe(project);
    const input = JSON.stringify({ session_id: "A", transcript_path: transcript, source: "compact" });
    const told = workspace.context("session-start", { input }).stdout;
    expect(/<resume-project id=\\"([^"]+)\\"/.exec(told)?.[1] ?? null).toBe(project);
  }
});

describe("two sessions in one project", () => {
  test("each write their own, and never take over what the other found", () => {
    const workspace = makeAcme();
    const [a, b, quiet] = [workOn(workspace, "24-demo"), workOn(workspace, "27-xml-context"), chat(workspace)];
    const steps: readonly (readonly [string, string, string, string])[] = [
      ["A", a, "A", "24-demo"],
      ["B", quiet, "A", "24-demo"],
      ["B", b, "B", "27-xml-context"],
      ["A", a, "A", "24-demo"],
      ["B", workspace.path("client/nothing.jsonl"), "A", "24-demo"],
    ];
    for (const [session, transcript, owner, project] of steps) {
      expect(compact(workspace, transcript, { session })).toEqual(QUIET);
      expect(state(workspace)).toMatchObject({ session_id: owner, active_project_id: project });
    }
  });

  test("leave each other what a start has taken: its other parts read it, and a later compaction of that session", () => {
    const workspace = makeAcme();
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
    // More than is read: what is in hand stands in the state alone.
    for (let row = 0; row < 500; row++) log.says("ok");
    const long = workspace.write("client/long.jsonl", log.text());
    const start = () => {
      const input = JSON.stringify({ session_id: "A", transcript_path: long, source: "compact" });
      return workspace.context("session-start --part 1/2", { input }).stdout;
    };
    for (const other of [chat(workspace), workOn(workspace, "27-xml-context")]) {
      workspace.write(STATE, storedState("A").replace("2026-01-03T14:00:00.000Z", new Date().toISOString()));
      expect(start()).toContain('<resume-project id=\\"24-demo\\"');
      expect(compact(workspace, other, { session: "B" })).toEqual(QUIET);
      expect(start()).toContain('<resume-project id=\\"24-demo\\"');
      expect(state(workspace, USED)).toMatchObject({ session_id: "A" });
      expect(compact(workspace, long)).toEqual(QUIET);
      expect(state(workspace)).toMatchObject({ session_id: "A", active_project_id: "24-demo" });
      expect(workspace.exists(USED)).toBe(false);
    }
  });

  test("in parallel leave one whole state and nothing else", async () => {
    const workspace = makeAcme();
    const work = [workOn(workspace, "24-demo"), workOn(workspace, "27-xml-context")];
    const runs = Array.from({ length: 8 }, (_, index) => {
      const { child, ended } = workspace.start(["pre-compact"], { cwd: workspace.root });
      child.stdin?.end(preCompactPayload(workspace, work[index % 2] ?? "", { session_id: `S${index % 2}` }));
      return ended;
    });
    for (const ran of await Promise.all(runs)) expect(ran).toMatchObject(QUIET);
    const left = state(workspace);
    expect(left?.active_project_id).toBe(left?.session_id === "S0" ? "24-demo" : "27-xml-context");
    expect(workspace.list("00-system/.cache")).toEqual(["precompact_state.json"]);
  });
});

test("what a start used up is removed by the next compaction, whatever that one finds", () => {
  const workspace = makeAcme();
  const [work, quiet] = [workOn(workspace, "24-demo"), chat(workspace)];
  for (const transcript of [work, quiet]) {
    for (const other of [null, storedState("B")]) {
      compact(workspace, work);
      renameSync(workspace.path(STATE), workspace.path(USED));
      if (other !== null) workspace.write(STATE, other);
      expect(compact(workspace, transcript)).toEqual(QUIET);
      expect(workspace.list("00-system/.cache")).toEqual(
        transcript === quiet && other === null ? [] : ["precompact_state.json"],
      );
      rmSync(workspace.path(STATE), { force: true });
    }
  }
});

test("a state that does not parse is set aside and told, never written over", () => {
  const workspace = makeAcme();
  const work = workOn(workspace, "24-demo");
  const nested = '{"project_detection":{"active_project_id":"24-demo"}}';
  for (const [bad, told] of [
    ["", "not JSON"],
    ["\0\0", "NUL"],
    ['{"active_project_id":"24-de', "not JSON"],
    [nested, "project_detection"],
  ] as const) {
    workspace.write(STATE, bad);
    const ran = compact(workspace, work);
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toMatch(/^context: 00-system\/\.cache\/precompact_state\.json .*corrupt-.*\n$/);
    expect(ran.stderr).toContain(told);
    const aside = workspace.list("00-system/.cache").filter((name) => name.includes(".corrupt-"));
    expect(aside).toHaveLength(1);
    expect(workspace.read(`00-system/.cache/${aside[0]}`)).toBe(bad);
    expect(state(workspace)).toMatchObject({ active_project_id: "24-demo" });
    // Where no project is in hand nothing is written in its place.
    workspace.write(STATE, bad);
    const quiet = compact(workspace, workspace.write("client/quiet.jsonl", new SessionLog(workspace.root).text()));
    expect(quiet).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(quiet.stderr).toMatch(/^context: 00-system\/\.cache\/precompact_state\.json .*corrupt-.*\n$/);
    expect(workspace.list("00-system/.cache")).not.toContain("precompact_state.json");
    rmSync(workspace.path("00-system/.cache"), { recursive: true });
  }
});

test("a place where it cannot be written is told in one line, and nothing outside the project is touched", () => {
  const workspace = makeAcme();
  const work = workOn(workspace, "24-demo");
  const elsewhere = makeWorkspace();
  const foreign = elsewhere.write("precompact_state.json", storedState("A"));
  for (const make of [
    () => symlinkSync(elsewhere.root, workspace.path("00-system/.cache")),
    () => workspace.write("00-system/.cache", "a file\n"),
    () => {
      mkdirSync(workspace.path("00-system/.cache"));
      symlinkSync(foreign, workspace.path(STATE));
    },
  ]) {
    make();
    const ran = compact(workspace, work);
    expect(ran).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(ran.stderr).toMatch(/^context: [^\n]*precompact_state\.json [^\n]*\n$/);
    // Nor is a foreign state taken away where no project is in hand.
    expect(compact(workspace, chat(workspace))).toMatchObject({ code: 0, stdout: "{}\n" });
    expect(elsewhere.read("precompact_state.json")).toBe(storedState("A"));
    expect(elsewhere.list(".")).toEqual(["context", "precompact_state.json", "session"]);
    rmSync(workspace.path("00-system/.cache"), { recursive: true });
  }
});

describe("calls whose results are not written yet", () => {
  test.each(["at-precompact-unflushed.1", "at-precompact-unflushed.2"])("%s: they are work under way", (name) => {
    expect(hasSession("2.1.332", name)).toBe(true);
    const workspace = makeAcme();
    const ran = compact(workspace, addSession(workspace, name), { words: "pre-compact --guidance" });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("24-demo");
    expect(state(workspace)).toMatchObject({ active_project_id: "24-demo", confidence: "high" });
  });

  test("one alone names the project, and a half-written row after it is no matter", () => {
    const workspace = makeAcme();
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md", { open: true });
    const transcript = workspace.write("client/s.jsonl", `${log.text()}{"type":"user","mess`);
    expect(compact(workspace, transcript)).toEqual(QUIET);
    expect(state(workspace)).toMatchObject({ active_project_id: "24-demo", confidence: "medium" });
  });
});

describe("the working directory", () => {
  test("that the agent's shell has moved changes nothing, wherever the hook runs", () => {
    const workspace = makeAcme();
    const elsewhere = makeWorkspace();
    const transcript = addSession(workspace, "cd-relative");
    for (const cwd of [workspace.path("02-projects/24-demo"), elsewhere.root, "/", "/no/such/folder", ""]) {
      rmSync(workspace.path(STATE), { force: true });
      const ran = runProgram(workspace.path("context"), ["pre-compact"], {
        cwd: existsSync(cwd) ? cwd : "/",
        env: { CLAUDE_PROJECT_DIR: workspace.root },
        input: preCompactPayload(workspace, transcript, { session_id: "A", cwd }),
      });
      expect(ran, cwd).toEqual(QUIET);
      expect(state(workspace), cwd).toMatchObject({ active_project_id: "24-demo", confidence: "high" });
    }
  });

  test("is not where a transcript in `~` lies, as the original's payloads write it", () => {
    const workspace = makeAcme();
    const log = new SessionLog(workspace.root).edit("02-projects/24-demo/a.md");
    workspace.write("home/.claude/s.jsonl", log.text());
    const ran = workspace.context("pre-compact", {
      env: { HOME: workspace.path("home") },
      input: preCompactPayload(workspace, "~/.claude/s.jsonl", { session_id: "A" }),
    });
    expect(ran).toEqual(QUIET);
    expect(state(workspace)).toMatchObject({ active_project_id: "24-demo", detection_method: "transcript" });
  });

  test("in a worktree counts as the project, though the client names the main checkout", () => {
    const workspace = makeAcme();
    const elsewhere = makeWorkspace();
    const inside = workspace.path(".claude/worktrees/x-y");
    for (const tree of [inside, elsewhere.root]) {
      const planning = `${tree}/02-projects/27-xml-context/01-planning`;
      mkdirSync(planning, { recursive: true });
      const transcript = workspace.write("client/s.jsonl", sessionText("2.1.332", "planning", tree));
      for (const cwd of [tree, planning]) {
        rmSync(workspace.path(STATE), { force: true });
        const ran = runProgram(workspace.path("context"), ["pre-compact"], {
          cwd,
          env: { CLAUDE_PROJECT_DIR: workspace.root },
          input: preCompactPayload(workspace, transcript, { session_id: "A", cwd }),
        });
        expect(ran, cwd).toEqual(QUIET);
        expect(state(workspace), cwd).toMatchObject({ active_project_id: "27-xml-context", confidence: "high" });
      }
    }
    expect(elsewhere.list("session")).toEqual(["agents"]);
  });

  test("is a real path, and the agent's paths go by a home folder that is a link; or the other way round", () => {
    const workspace = makeAcme();
    const home = makeWorkspace().path("home");
    symlinkSync(dirname(workspace.root), home);
    const linked = join(home, basename(workspace.root));
    for (const [root, path] of [
      [workspace.root, join(linked, "02-projects/24-demo/a.md")],
      [workspace.root, `~/${basename(workspace.root)}/02-projects/24-demo/a.md`],
      [linked, workspace.path("02-projects/24-demo/a.md")],
    ] as const) {
      rmSync(workspace.path(STATE), { force: true });
      const transcript = workspace.write("client/s.jsonl", new SessionLog(root).edit(path).edit(path).text());
      const ran = runProgram(workspace.path("context"), ["pre-compact"], {
        cwd: root,
        env: { CLAUDE_PROJECT_DIR: root, HOME: home },
        input: preCompactPayload(workspace, transcript, { session_id: "A", cwd: root }),
      });
      expect(ran, path).toEqual(QUIET);
      expect(state(workspace), path).toMatchObject({ active_project_id: "24-demo", detection_method: "transcript" });
    }
  });

  test.each(["", "02-projects"])(
    "is a real path, and the agent's paths go by a link as the shell that began at it, in %j",
    (below) => {
      const workspace = makeAcme();
      const linked = makeWorkspace().path("app");
      symlinkSync(workspace.root, linked);
      const path = join(linked, "02-projects/24-demo/a.md");
      const transcript = workspace.write("client/s.jsonl", new SessionLog(workspace.root).edit(path).edit(path).text());
      const look = (pwd: string) => {
        const ran = runProgram(workspace.path("context"), ["pre-compact"], {
          cwd: workspace.path(below),
          env: { CLAUDE_PROJECT_DIR: workspace.root, PWD: pwd },
          input: preCompactPayload(workspace, transcript, { session_id: "A" }),
        });
        expect(ran).toEqual(QUIET);
        return workspace.exists(STATE);
      };
      expect(look(join(dirname(linked), below))).toBe(false);
      expect(look(join(linked, below))).toBe(true);
      expect(state(workspace)).toMatchObject({ active_project_id: "24-demo", detection_method: "transcript" });
    },
  );

  test("is not another one's, from which a link leads to a folder of this one, and the shell began there", () => {
    const [workspace, other] = [makeAcme(), makeAcme()];
    workspace.write("src/a.ts", "");
    symlinkSync(workspace.path("src"), other.path("src"));
    const path = other.path("02-projects/24-demo/a.md");
    const transcript = workspace.write("client/s.jsonl", new SessionLog(workspace.root).edit(path).edit(path).text());
    const ran = runProgram(workspace.path("context"), ["pre-compact"], {
      cwd: workspace.path("src"),
      env: { CLAUDE_PROJECT_DIR: workspace.root, PWD: other.path("src") },
      input: preCompactPayload(workspace, transcript, { session_id: "A" }),
    });
    expect(ran).toEqual(QUIET);
    expect(workspace.exists(STATE)).toBe(false);
  });
});

test("role and project are served by one run, and a fault of the one leaves the other alone", () => {
  const workspace = makeAcme();
  const work = workOn(workspace, "24-demo");
  const run = (role: string) =>
    workspace.context("pre-compact --guidance", {
      input: preCompactPayload(workspace, work, { session_id: "A" }),
      env: { HIVEMIND_ROLE: role },
    });
  workspace.role("oosh-expert");
  const both = run("oosh-expert");
  expect(both).toMatchObject({ code: 0, stderr: "" });
  expect(both.stdout).toMatch(/recover oosh-expert\n(?:.*\n)*- Project: 24-demo, phase execution\n/);
  expect(both.stdout).not.toContain("resume.show");
  expect(workspace.state("oosh-expert")).toMatchObject({ CURRENT: "compacting", SESSION_ID: "A" });
  expect(state(workspace)).toMatchObject({ active_project_id: "24-demo", session_id: "A" });

  for (const role of ["no-file", "Bad Role"]) {
    rmSync(workspace.path(STATE));
    const ran = run(role);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^context: /);
    expect(ran.stdout).toContain("Project: 24-demo, phase execution\n");
    expect(state(workspace)).toMatchObject({ active_project_id: "24-demo" });
  }
  rmSync(workspace.path("02-projects"), { recursive: true });
  expect(run("oosh-expert").stdout).toContain("recover oosh-expert");
  expect(workspace.state("oosh-expert")).toMatchObject({ COMPACTIONS: "2" });
});
