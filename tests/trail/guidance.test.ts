import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GUIDANCE_LIMIT, type GuidanceFacts, summariserGuidance } from "../../src/trail/guidance.ts";
import { Session } from "./session.ts";

const NOTHING: GuidanceFacts = { projectId: null, phase: null, currentTask: null, openTasks: [], recoverCommand: null };

describe("summariserGuidance", () => {
  it("says what the summary must keep", () => {
    const trail = new Session()
      .prompt("continue project 24")
      .call("TodoWrite", {
        todos: [
          { content: "Parse", status: "in_progress" },
          { content: "Test", status: "pending" },
        ],
      })
      .edit("src/a.ts")
      .bash("make", { failed: true, says: "Exit code 2\nerror: no rule" })
      .call("Agent", { description: "Look" }, { says: "Async agent launched", note: { isAsync: true, agentId: "a1" } })
      .prompt("go on")
      .trail();
    const facts = {
      projectId: "24-demo",
      phase: "execution",
      currentTask: "Write `it`, word for word",
      openTasks: ["Test", "Ship it"],
      recoverCommand: "./context recover dev",
    };
    expect(summariserGuidance(trail, facts)).toBe(`Keep these in the summary:
- Project: 24-demo, phase execution
- Current task, word for word: Write \`it\`, word for word
- The person's last request: go on
- Unanswered errors: make: Exit code 2 | error: no rule
- Files changed: src/a.ts
- Open tasks: Parse; Test; Ship it
- Still running, not to be started again: Look (a1)
- The person's first request: continue project 24
To recover after the compaction: ./context recover dev
`);
  });

  it("names the file whose change has no result yet, as the last one before a full window has not", () => {
    const open = { open: true };
    const trail = new Session().edit("src/a.ts").write("src/b.ts", open).read("src/c.ts", open).trail();
    expect(summariserGuidance(trail, NOTHING)).toContain("- Files changed: src/b.ts (no result yet); src/a.ts\n");
  });

  it("tells a command without the folder that it goes to, which would leave no room for it", () => {
    const command = `cd "/home/dev/${"a long folder/".repeat(6)}" && npx vitest run a.test.ts`;
    const trail = new Session()
      .bash(command, { failed: true, says: "1 failed" })
      .bash("cd /home/dev/acme && npm run dev", { note: { backgroundTaskId: "b1" } })
      .trail();
    const text = summariserGuidance(trail, NOTHING);
    expect(text).toContain("- Unanswered errors: npx vitest run a.test.ts: 1 failed\n");
    expect(text).toContain(": npm run dev (b1)\n");
  });

  it("names a file once, however many of its changes have no result yet", () => {
    const open = { open: true };
    const session = new Session()
      .edit("src/a.ts")
      .bash("make > src/b.ts")
      .edit("src/a.ts", open)
      .edit("src/a.ts", open);
    const text = summariserGuidance(session.edit("src/b.ts", open).trail(), NOTHING);
    expect(text).toContain("- Files changed: src/b.ts (no result yet); src/a.ts (no result yet)\n");
    expect(text).not.toContain("written by commands");
  });

  it("names no change that was cut off", () => {
    const trail = new Session().write("src/b.ts", { open: true }).interrupted().prompt("no, not that").trail();
    expect(summariserGuidance(trail, NOTHING)).not.toContain("src/b.ts");
  });

  it("is empty where nothing is known, whatever the way to recover", () => {
    expect(summariserGuidance(new Session().trail(), NOTHING)).toBe("");
    expect(summariserGuidance(new Session().trail(), { ...NOTHING, recoverCommand: "x" })).toBe("");
  });

  it("takes the current task from the to-do list where the caller knows none", () => {
    const trail = new Session().call("TodoWrite", { todos: [{ content: "Parse", status: "in_progress" }] }).trail();
    expect(summariserGuidance(trail, NOTHING)).toBe(
      "Keep these in the summary:\n- Current task, word for word: Parse\n",
    );
  });

  it("stays within its limit, names the project and how to recover, and counts what is left out", () => {
    const text = fc.string({ unit: "binary", maxLength: 900 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), text, text, (texts, phase, task) => {
        const session = new Session();
        for (const each of texts) session.prompt(each).edit(`src/${each}`).bash(each, { failed: true, says: each });
        const facts = {
          projectId: "24-demo",
          phase,
          currentTask: task,
          openTasks: texts,
          recoverCommand: "./context recover dev",
        };
        const guidance = summariserGuidance(session.trail(), facts);
        expect(guidance.length).toBeLessThanOrEqual(GUIDANCE_LIMIT);
        expect(guidance).toContain("24-demo");
        expect(guidance).toContain("./context recover dev\n");
        expect(guidance).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      }),
      { numRuns: 60 },
    );
  });

  it("says how many files it does not name", () => {
    const session = new Session();
    for (let at = 0; at < 100; at += 1) session.edit(`src/some/folder/file-${at}.ts`);
    expect(summariserGuidance(session.trail(), NOTHING)).toMatch(
      /- Files changed: src\/some\/folder\/file-99\.ts; .* \([0-9]+ more\)/,
    );
  });
});
