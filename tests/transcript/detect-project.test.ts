import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { activitiesOfText, KNOWN, OPTIONS, Session } from "./helpers.ts";

const A = "02-projects/24-a/x.md";
const B = "02-projects/27-b/x.md";
const C = "02-projects/29-c/x.md";

const MARK = { type: "system", subtype: "compact_boundary" };
const SUMMARY = { type: "user", isCompactSummary: true, message: { role: "user", content: "Work went on." } };
const SUB_SUMMARY = { ...SUMMARY, isSidechain: true };

function session(): Session {
  return new Session();
}

function times(count: number, step: (session: Session) => Session, from = session()): Session {
  let result = from;
  for (let n = 0; n < count; n += 1) result = step(result);
  return result;
}

describe("which project is in hand", () => {
  it.each([
    [
      "one edit against twelve later reads",
      times(12, (s) => s.read(B), session().edit(A)).prompt("what of 29-c?"),
      "24-a",
    ],
    [
      "one edit against forty reads on both sides",
      times(20, (s) => s.read(B), times(20, (s) => s.read(B)).edit(A)),
      "24-a",
    ],
    ["the later of two edits", session().edit(A).edit(B), "27-b"],
    ["the later of two reads", session().read(A).read(B), "27-b"],
    ["a later edit against two earlier", session().edit(A).edit(A).edit(B), "27-b"],
    ["many reads against one later glance", times(9, (s) => s.read(A)).read(B), "24-a"],
    [
      "a project skill called by name against earlier edits",
      times(9, (s) => s.edit(A)).skill("execute-project", "27-b"),
      "27-b",
    ],
    [
      "edits after another project's skill call",
      times(4, (s) => s.edit(A), session().skill("plan-project", "27-b")),
      "24-a",
    ],
    [
      "work since the compaction against more before it",
      times(9, (s) => s.edit(A))
        .compacted()
        .read(B),
      "27-b",
    ],
    [
      "work before the compaction where there is none since",
      session().edit(A).compacted("02-projects/27-b").prompt("hi"),
      "24-a",
    ],
    ["a call in flight", session().call("Edit", { file_path: A }, "in-flight"), "24-a"],
    ["a shell command", session().bash(`cat ${A}`), "24-a"],
    ["a notebook", session().call("NotebookEdit", { notebook_path: A }), "24-a"],
    ["a glob", session().call("Glob", { pattern: "02-projects/24-a/**/*.md" }), "24-a"],
    ["a glob below a path", session().call("Glob", { pattern: "24-a/**", path: "02-projects" }), "24-a"],
    ["a grep's path", session().call("Grep", { pattern: "x", path: "02-projects/24-a" }), "24-a"],
    ["several edits of one file", session().call("MultiEdit", { file_path: A, edits: [] }), "24-a"],
    ["a tool that is not known", session().call("mcp__fs__read_file", { path: A }), "24-a"],
    ["a project skill typed by a person", session().slash("execute-project", "24-a"), "24-a"],
    ["a skill of a plugin", session().skill("nexus:execute-project", "24-a"), "24-a"],
    ["a call that failed", session().edit(A).call("Edit", { file_path: B }, "failed"), "24-a"],
    ["a sub-agent's work", session().read(A).call("Edit", { file_path: B }, "ok", { isSidechain: true }), "24-a"],
    ["nothing but talk", session().prompt(`work on ${A}`), null],
    ["a glob over all projects", session().call("Glob", { pattern: "02-projects/*/x" }), null],
    ["nothing", session(), null],
  ])("follows %s", (_name, steps, expected) => {
    expect(steps.detect().project).toBe(expected);
  });

  it.each([
    ["nothing", [], "27-b", 0],
    ["a mark alone", [MARK], "24-a", 1],
    ["a summary alone", [SUMMARY], "24-a", 1],
    ["a mark and its summary", [MARK, SUMMARY], "24-a", 1],
    ["two compactions", [MARK, SUMMARY, MARK, SUMMARY], "24-a", 2],
    ["the marks and summaries of a sub-agent", [{ ...MARK, isSidechain: true }, SUB_SUMMARY], "27-b", 0],
  ])("takes what is read behind %s", (_name, records, project, compactionsAgo) => {
    const before = times(9, (s) => s.edit(B));
    const found = records
      .reduce<Session>((s, record) => s.add(record), before)
      .read(A)
      .detect();
    expect(found.project).toBe(project);
    expect(found.scores.find((score) => score.project === "27-b")).toMatchObject({ compactionsAgo });
  });

  it("takes three projects without a clear lead for bulk work", () => {
    for (const steps of [
      session().edit(A).edit(B).edit(C),
      session().read(A).read(B).read(C),
      times(3, (s) => s.edit(A).edit(B).edit(C)),
    ]) {
      expect(steps.detect()).toMatchObject({ project: null, confidence: null, bulk: true });
    }
  });

  it("finds the lead among three projects where there is one", () => {
    expect(times(3, (s) => s.edit(C), session().edit(A).edit(B)).detect()).toMatchObject({
      project: "29-c",
      bulk: false,
    });
    expect(session().read(A).read(B).read(C).edit(B).detect()).toMatchObject({ project: "27-b", bulk: false });
    expect(
      times(12, (s) => s.read(A))
        .read(B)
        .read(C)
        .detect(),
    ).toMatchObject({ project: "24-a", bulk: false });
  });

  it("never finds a project that has no folder", () => {
    const detection = session()
      .read("02-projects/24-demo/x")
      .edit("02-projects/55-ghost/x")
      .detect({ knownProjects: KNOWN });
    expect(detection.project).toBe("24-demo");
    expect(detection.evidence).toContainEqual(
      expect.objectContaining({ project: "55-ghost", counted: false, why: "there is no such project folder" }),
    );
  });

  it("finds a project by its number in a project skill's arguments, where only one has it", () => {
    const steps = session().skill("execute-project", "24");
    expect(steps.detect({ knownProjects: new Set(["24-a", "2-b"]) }).project).toBe("24-a");
    expect(steps.detect({ knownProjects: new Set(["24-a", "24-b"]) }).project).toBeNull();
    const typed = times(9, (s) => s.edit(A)).slash("execute-project", "7");
    expect(typed.detect({ knownProjects: new Set(["24-a", "07-b", "17-c"]) }).project).toBe("07-b");
    expect(typed.detect({ knownProjects: new Set(["24-a", "07-b", "7-c"]) }).project).toBe("24-a");
  });

  it("keeps the client's attachments and our own output out", () => {
    const attachment = { type: "hook_additional_context", content: [`<resume-project id="24-a"> ${A}`] };
    const steps = session().add({ type: "attachment", attachment }).add({ type: "last-prompt", lastPrompt: A });
    expect(steps.detect()).toMatchObject({ project: null, evidence: [] });
  });

  it("takes a working directory elsewhere for a worktree of the root", () => {
    const steps = new Session({ cwd: "/srv/wt" }).read("/srv/wt/02-projects/24-a/x");
    expect(steps.detect({ cwd: "/srv/wt" }).project).toBe("24-a");
    expect(steps.detect().project).toBeNull();
  });

  it("counts neither prompts nor texts nor shell text in the original's sample, and reads its Windows path", () => {
    const text = readFileSync(new URL("fixtures/original.jsonl", import.meta.url), "utf8");
    const detection = detectProject(activitiesOfText(text), { ...OPTIONS, root: "/ws", knownProjects: null });
    expect(detection.scores.map(({ project }) => project)).toEqual(["09-plan-me", "55-only-bash", "07-demo-app"]);
    expect(detection.project).toBe("09-plan-me");
  });
});

describe("how sure it is", () => {
  it.each([
    ["two calls on its files", session().read(A).bash(`cat ${A}`), "high"],
    ["one call", session().read(A), "medium"],
    ["one call that writes", session().edit(A), "medium"],
    ["the project skill alone", session().skill("execute-project", "24-a"), "medium"],
    ["the project skill and one call", session().skill("execute-project", "24-a").read(A), "medium"],
    ["two calls, one before the compaction", session().edit(A).compacted().edit(A), "high"],
    ["one call that names it twice", session().bash(`cat ${A} ${A}`), "medium"],
    ["two calls, one failed", session().read(A).call("Read", { file_path: A }, "failed"), "medium"],
    ["a sub-agent's task that names it", session().call("Agent", { prompt: "Read the notes of 24-a" }), "low"],
    ["a custom command that names it", session().slash("lab-cmd", "24-a"), "low"],
    ["a summary that names it", session().compacted(`Continue 24-a (${A})`), "low"],
  ])("by %s", (_name, steps, expected) => {
    expect(steps.detect()).toMatchObject({ project: "24-a", confidence: expected });
  });
});

describe("whether another skill took over", () => {
  const worked = (): Session => session().edit(A).edit(A);
  it.each([
    ["a skill call", worked().skill("weekly-report"), "weekly-report"],
    ["a custom command", worked().slash("lab-cmd", "Bob"), "lab-cmd"],
    ["a SKILL.md read", worked().read("03-skills/weekly-report/SKILL.md"), "weekly-report"],
    ["a SKILL.md printed", worked().bash("cat 03-skills/weekly-report/SKILL.md"), "weekly-report"],
    ["one before a compaction with nothing since", worked().skill("weekly-report").compacted(), "weekly-report"],
    ["a project skill", worked().skill("plan-project"), null],
    ["a project skill's SKILL.md", worked().read("00-system/skills/projects/execute-project/SKILL.md"), null],
    ["the client's own command", worked().slash("compact").slash("model"), null],
    ["a skill that failed", worked().call("Skill", { skill: "no-such" }, "failed"), null],
    ["a sub-agent's skill", worked().call("Skill", { skill: "x" }, "ok", { isSidechain: true }), null],
    ["a skill before the work", session().skill("weekly-report").edit(A), null],
    ["a skill with work on the project since", worked().skill("weekly-report").read(A), null],
    ["a custom command for the project itself", worked().slash("check", "24-a"), null],
    ["a SKILL.md written", worked().edit("03-skills/new/SKILL.md"), null],
    ["talk", worked().prompt("thanks"), null],
  ])("after the work: %s", (_name, steps, by) => {
    const detection = steps.detect();
    expect(detection).toMatchObject({ project: "24-a", switched: by !== null });
    expect(detection.switchedBy?.name ?? null).toBe(by);
  });

  it("names the skill where there is no project", () => {
    expect(session().skill("weekly-report").detect()).toMatchObject({
      project: null,
      switched: false,
      otherSkill: { name: "weekly-report" },
    });
  });
});

describe("the evidence", () => {
  it("says what counted, what did not and why, on one redacted line", () => {
    const token = `ghp_${"a1".repeat(18)}`;
    const steps = session()
      .bash(`curl -H 'x: ${token}' && cat ${A}`)
      .call("Edit", { file_path: B }, "failed")
      .prompt("24-a!");
    const { evidence } = steps.detect();
    expect(evidence.map(({ kind, project, counted, why }) => [kind, project, counted, why])).toEqual([
      ["read", "24-a", true, "Bash"],
      ["write", "27-b", false, "a call that failed is no work"],
      ["prompt", "24-a", false, "a project named in talk is no work"],
    ]);
    expect(evidence[0]?.text).toBe(`Bash curl -H 'x: [REDACTED:github-token]' && cat ${A}`);
    expect(evidence.map(({ row }) => row)).toEqual([0, 2, 4]);
  });

  it("is left out on request", () => {
    expect(session().edit(A).detect({ withEvidence: false })).toMatchObject({ project: "24-a", evidence: [] });
  });
});
