import { symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { startSession } from "../../../src/commands/session-start/begin.ts";
import { deliveredBy } from "../../../src/stores/delivery-store.ts";
import { projectPaths } from "../../../src/stores/paths.ts";
import { makeAcme, manifestText, stepsWith } from "../../helpers/acme-project.ts";
import { SessionLog } from "../../helpers/session-log.ts";
import type { Workspace } from "../../helpers/workspace.ts";

const [DEMO, OTHER] = ["02-projects/24-demo/02-working/a.md", "02-projects/27-xml-context/02-working/a.md"];
const STATE = "00-system/.cache/precompact_state.json";
const NOW = new Date("2026-01-03T15:00:00.000Z");

interface Start {
  readonly source?: string;
  readonly session?: string;
  readonly part?: { readonly number: number; readonly of: number };
}

/** A start by call that goes on with a session: its document, what was said beside it, and the record of its decision. */
async function start(workspace: Workspace, log: SessionLog, { source = "compact", session = "A", part }: Start = {}) {
  const transcriptPath = workspace.write(`client/${session}.jsonl`, log.text());
  const { root } = workspace;
  const paths = projectPaths(root, {});
  const world = { env: {}, cwd: root, now: () => NOW, build: null, installation: "here", invokedAs: "context" };
  const { document, warnings } = await startSession(
    { ...world, paths },
    {
      ...{ source, sessionId: session, transcriptPath, cwd: root, role: null, misnamed: null, part: part ?? null },
      ...{ whole: false, probe: false, pinned: true },
    },
  );
  const record: Record<string, unknown> = JSON.parse(workspace.read("session/.cache/session-start.json"));
  return { document, warnings, ...record, case: record.case, project: record.project };
}

const boundary = (minute: number) => ({
  type: "system",
  subtype: "compact_boundary",
  timestamp: `2026-01-03T14:${minute}:00.000Z`,
});
const answer = { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "ok" }] } };

/** What the client copies of a session that was compacted: all from the compaction on, whose summary only names a project. */
function copied({ root }: Workspace, parent: string, minute = 30, content = "With 27-xml-context."): SessionLog {
  const summary = { type: "user", isCompactSummary: true, message: { role: "user", content } };
  return new SessionLog(root)
    .add(boundary(minute))
    .add(summary)
    .add({ ...answer, requestSessionId: parent });
}

describe("a fork of a session that was compacted", () => {
  const parent = (workspace: Workspace, log: SessionLog, session = "B") =>
    workspace.write(`client/${session}.jsonl`, log.text());
  const worked = ({ root }: Workspace) => new SessionLog(root).edit(DEMO).edit(DEMO);

  test("goes on with its parent's project as after talk about it, whatever it only named since", async () => {
    const workspace = makeAcme();
    workspace.write("02-projects/24-demo/01-planning/04-steps.md", stepsWith(1));
    parent(workspace, worked(workspace).add(boundary(30)));
    const fork = copied(workspace, "B").prompt("and now?");
    expect(await start(workspace, fork)).toMatchObject({ project: "24-demo", case: 7 });
    const silent = copied(workspace, "B", 30, "Summary.");
    expect(await start(workspace, silent)).toMatchObject({ project: "24-demo", case: 7 });
  });

  test("has its own work where it did some, be it one call or so much that none leads", async () => {
    const workspace = makeAcme();
    parent(workspace, worked(workspace).add(boundary(30)));
    const own = copied(workspace, "B").edit(OTHER);
    expect(await start(workspace, own)).toMatchObject({ project: "27-xml-context", case: 3 });
    const bulk = copied(workspace, "B");
    for (const id of ["24-demo", "27-xml-context", "30-c", "31-d"]) {
      workspace.write(`02-projects/${id}/01-planning/04-steps.md`, "- [ ] a\n");
      bulk.edit(`02-projects/${id}/a.md`);
    }
    expect(await start(workspace, bulk)).toMatchObject({ project: null, case: 6 });
  });

  test("has what its parent did up to that compaction, records without a time among it", async () => {
    const workspace = makeAcme();
    const last = { record: { timestamp: boundary(30).timestamp } };
    const later = { record: { timestamp: "2026-01-03T14:30:00.001Z" } };
    const at = new SessionLog(workspace.root).edit(OTHER).edit(DEMO, last).edit(DEMO, last);
    parent(workspace, at.add(boundary(30)).edit(OTHER, later).edit(OTHER, later).edit(OTHER, later));
    expect(await start(workspace, copied(workspace, "B"))).toMatchObject({ project: "24-demo" });
    const timeless = { record: { timestamp: undefined } };
    parent(workspace, new SessionLog(workspace.root).edit(DEMO, timeless).edit(DEMO, timeless).add(boundary(30)));
    expect(await start(workspace, copied(workspace, "B"))).toMatchObject({ project: "24-demo" });
  });

  test("is led back by eight sessions that only talked, whatever they named, and no further", async () => {
    const workspace = makeAcme();
    parent(workspace, worked(workspace).add(boundary(10)), "S9");
    for (let at = 8; at > 0; at--) {
      const talk = copied(workspace, `S${at + 1}`, 19 - at).prompt("and now?");
      parent(workspace, talk.add(boundary(20 - at)), `S${at}`);
    }
    const from = (session: string, minute: number) =>
      start(workspace, copied(workspace, session, minute), { source: "resume" });
    expect(await from("S2", 18)).toMatchObject({ project: "24-demo", case: 9 });
    expect(await from("S1", 19)).toMatchObject({ project: "27-xml-context", case: 10 });
  });

  test("does not go on with it after a compaction where a skill took over, be it the parent's or its own", async () => {
    const workspace = makeAcme();
    const skill = (log: SessionLog) => log.call("Skill", { skill: "weekly-report" });
    const took = { project: "24-demo", case: 4, why: expect.stringContaining("another skill took over") };
    parent(workspace, worked(workspace).add(boundary(30)));
    expect(await start(workspace, skill(copied(workspace, "B")))).toMatchObject(took);
    parent(workspace, skill(worked(workspace)).add(boundary(30)));
    expect(await start(workspace, copied(workspace, "B"))).toMatchObject(took);
    expect(await start(workspace, copied(workspace, "B"), { source: "fork" })).toMatchObject({ case: 9 });
  });
});

describe("the state that PreCompact left", () => {
  const state = (changes: object = {}) =>
    `${JSON.stringify({
      ...{ active_project_id: "24-demo", confidence: "high", detection_method: "transcript", session_id: "A" },
      ...{ timestamp: "2026-01-03T14:50:00.000Z", schema_version: 1 },
      ...changes,
    })}\n`;
  const named = ({ root }: Workspace) => new SessionLog(root).prompt("go").compacted("Of 24-demo.");

  test("makes sure of a project that the transcript only names, where it is the same", async () => {
    const workspace = makeAcme();
    expect(await start(workspace, named(workspace))).toMatchObject({ project: "24-demo", confidence: "low", case: 6 });
    workspace.write(STATE, state());
    expect(await start(workspace, named(workspace))).toMatchObject({ confidence: "high", state: "used" });
    workspace.write(STATE, state({ confidence: "medium" }));
    const worked = new SessionLog(workspace.root).edit(DEMO).edit(DEMO);
    expect(await start(workspace, worked)).toMatchObject({ confidence: "high", state: "used" });
    workspace.write(STATE, state({ active_project_id: "27-xml-context" }));
    expect(await start(workspace, named(workspace))).toMatchObject({ project: "24-demo", confidence: "low" });
  });

  test("counts against a transcript that names none only where it was known from before, and for a project that is there", async () => {
    const workspace = makeAcme();
    const chat = new SessionLog(workspace.root).prompt("a name for a cat?").says("Tom.");
    for (const [changes, project] of [
      [{}, null],
      [{ detection_method: "cache" }, "24-demo"],
      [{ detection_method: "cache", active_project_id: "99-gone" }, null],
      [{ detection_method: "cache", active_project_id: null }, null],
    ] as const) {
      workspace.write(STATE, state(changes));
      expect(await start(workspace, chat)).toMatchObject({ project, state: "used" });
    }
    workspace.write(STATE, state());
    expect(await start(workspace, new SessionLog(workspace.root))).toMatchObject({ project: "24-demo" });
  });

  test("says nothing of one project after work on many", async () => {
    const workspace = makeAcme();
    const bulk = new SessionLog(workspace.root);
    for (const id of ["24-demo", "27-xml-context", "30-c", "31-d"]) {
      workspace.write(`02-projects/${id}/01-planning/04-steps.md`, "- [ ] a\n");
      bulk.edit(`02-projects/${id}/a.md`);
    }
    workspace.write(STATE, state({ detection_method: "cache" }));
    expect(await start(workspace, bulk)).toMatchObject({ project: null, state: "used" });
  });

  test("is gone by after a compaction for ten minutes; one that is older is told where it was missed", async () => {
    const workspace = makeAcme();
    const empty = new SessionLog(workspace.root);
    workspace.write(STATE, state());
    expect(await start(workspace, empty)).toMatchObject({ project: "24-demo", warnings: [] });
    const old = state({ timestamp: "2026-01-03T14:49:00.000Z" });
    workspace.write(STATE, old);
    const missed = await start(workspace, empty);
    expect(missed).toMatchObject({ project: null, state: "none" });
    expect(missed.warnings).toEqual([`The state in ${STATE} is stale, 11 minutes old: it is not gone by.`]);
    workspace.write(STATE, old);
    expect((await start(workspace, new SessionLog(workspace.root).edit(DEMO))).warnings).toEqual([]);
    workspace.write(STATE, old);
    expect(await start(workspace, empty, { source: "resume" })).toMatchObject({ project: "24-demo", warnings: [] });
  });

  test("that is none is kept aside by a start that answers alone, and told; else it stays for the others", async () => {
    const workspace = makeAcme();
    const empty = new SessionLog(workspace.root);
    workspace.write(STATE, "{");
    const shared = await start(workspace, empty, { part: { number: 1, of: 2 } });
    expect(shared).toMatchObject({ state: "bad", warnings: [] });
    expect(workspace.read(STATE)).toBe("{");
    const { warnings } = await start(workspace, empty);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(STATE);
    expect(workspace.exists(STATE)).toBe(false);
  });
});

describe("a session that goes on", () => {
  test("has the time of its last record that has one, and a trail of no more than a sixth of the document", async () => {
    const workspace = makeAcme();
    workspace.write("context.yaml", "budgets:\n  compact: 1200\n");
    const log = new SessionLog(workspace.root);
    for (let at = 0; at < 20; at++) log.edit(`02-projects/24-demo/02-working/a-file-of-a-longer-name-${at}.md`);
    log.edit("02-projects/24-demo/a.md", { open: true, record: { timestamp: undefined } });
    const { document } = await start(workspace, log);
    expect(document).toContain('timestamp="2026-01-03T14:38:00.000Z"');
    const [trail = ""] = /<work-trail[\s\S]*<\/work-trail>/.exec(document) ?? [];
    expect(trail.length).toBeGreaterThan(100);
    expect(trail.length).toBeLessThan(1000);
  });

  test("and is taken up again is told nothing where it holds all of the document, and all where a part is missing", async () => {
    const workspace = makeAcme();
    workspace.write("02-projects/24-demo/01-planning/01-overview.md", "A line of the overview.\n".repeat(600));
    const log = () => new SessionLog(workspace.root).edit(DEMO).edit(DEMO);
    const parts = [1, 2].map((number) => ({ number, of: 2 }));
    const told: string[] = [];
    for (const part of parts) told.push((await start(workspace, log(), { source: "resume", part })).document);
    for (const document of told) expect(document).toContain("<nexus-context ");
    const held = (content: readonly string[]) => {
      const attachment = { type: "hook_additional_context", content };
      return log().add({ type: "attachment", attachment });
    };
    const whole = (await start(workspace, log(), { source: "resume" })).document;
    expect(whole).toContain("24-demo");
    expect((await start(workspace, held([whole]), { source: "resume" })).document).toBe("");
    expect((await start(workspace, held([whole]))).document).toContain("24-demo");
    expect((await start(workspace, held(["<nexus-context>"]), { source: "resume" })).document).toContain("24-demo");
    for (const [at, part] of parts.entries()) {
      const again = await start(workspace, held([told[1 - at] ?? ""]), { source: "resume", part });
      expect(again.document).toBe(told[at]);
    }
  });
});

describe("the files of a project that is gone on with", () => {
  const PLANNING = "02-projects/24-demo/01-planning";
  const manifest = (...files: readonly string[]) =>
    manifestText("24-demo", files).replace("next_action: execute-project", 'next_action: " "');
  /** Each as the document has it: whole, or by its name. */
  const listed = (document: string) => {
    const [section = ""] = /<project-files[\s\S]*<\/project-files>/.exec(document) ?? [];
    return [...section.matchAll(/<file path="(?:[^"]*\/)?([^"/]+)" loaded="(\w+)"/g)].map(
      ([, name, loaded]) => `${name} ${loaded}`,
    );
  };

  const toRead = (document: string) =>
    [...document.matchAll(/^ {3}\d+\. \/(?:[^\n]*\/)?([^/\n]+ \((?!loaded)[^()\n]*\))$/gm)].map(([, line]) => line);

  test("are in execution its overview and steps, listed or not, and all else by its name; in planning all that is listed", async () => {
    const workspace = makeAcme();
    const log = new SessionLog(workspace.root).edit(DEMO).edit(DEMO);
    workspace.write("02-projects/24-demo/02-working/a.md", "a\n");
    symlinkSync(dirname(workspace.root), workspace.path("02-projects/24-demo/out"));
    const plan = ["01-planning/03-plan.md", "./01-planning/03-plan.md", "02-working", "out", "01-planning/none.md"];
    workspace.write(`${PLANNING}/resume-context.md`, manifest(...plan));
    const execution = (await start(workspace, log)).document;
    expect(listed(execution)).toEqual(["01-overview.md true", "04-steps.md true"]);
    const others = [
      "03-plan.md (read it)",
      "02-working (a folder: read the files in it)",
      "out (refused: is a link that leads out of the project)",
    ];
    expect(toRead(execution)).toEqual([...others, "none.md (missing: does not exist)"]);
    expect(execution).toContain('next-action="execute-project"');
    workspace.write(`${PLANNING}/resume-context.md`, manifest(...plan, "01-planning/04-steps.md"));
    const both = listed((await start(workspace, log)).document);
    expect(both.sort()).toEqual(["01-overview.md true", "04-steps.md true"]);
    workspace.write(`${PLANNING}/04-steps.md`, stepsWith(1));
    const planning = (await start(workspace, log)).document;
    expect(listed(planning)).toEqual(["03-plan.md true", "out false", "none.md false", "04-steps.md true"]);
    expect(planning).toContain('next-action="plan-project"');
  });
});

describe("compaction after compaction", () => {
  const looped = ({ root }: Workspace) => {
    const log = new SessionLog(root).prompt("go").edit(DEMO);
    for (let count = 0; count < 2; count++) log.compacted().edit(DEMO);
    return log;
  };
  const short = (document: string) => document.includes("<loop ");

  test("without a prompt gives a short document, but where a person asked for the last one long after", async () => {
    const workspace = makeAcme();
    const paths = projectPaths(workspace.root, {});
    expect(short((await start(workspace, looped(workspace))).document)).toBe(true);
    expect(short((await start(workspace, looped(workspace), { source: "resume" })).document)).toBe(false);
    const asked = (event: string, minute: number) => {
      const what = `pre-compact.${event}.${minute}`;
      deliveredBy(
        paths,
        { sessionId: "A", what, event, growing: false, by: "x" },
        new Date(`2026-01-03T14:${minute}:00Z`),
      );
    };
    asked("manual", 55);
    expect(short((await start(workspace, looped(workspace))).document)).toBe(false);
    // Of another session it says nothing, and one that nobody asked for began where the transcript ends.
    expect(short((await start(workspace, looped(workspace), { session: "B" })).document)).toBe(true);
    asked("auto", 56);
    expect(short((await start(workspace, looped(workspace))).document)).toBe(true);
  });

  test("is dated by the state that PreCompact left, where there is one", async () => {
    const workspace = makeAcme();
    const ids = { active_project_id: "24-demo", session_id: "A", detection_method: "transcript", confidence: "high" };
    workspace.write(STATE, JSON.stringify({ ...ids, schema_version: 1, timestamp: "2026-01-03T14:55:00.000Z" }));
    expect(short((await start(workspace, looped(workspace))).document)).toBe(false);
    workspace.write(STATE, JSON.stringify({ ...ids, schema_version: 1, timestamp: "2026-01-03T14:10:00.000Z" }));
    expect(short((await start(workspace, looped(workspace), { source: "compact" })).document)).toBe(true);
  });
});
