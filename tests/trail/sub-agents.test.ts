import { describe, expect, it } from "vitest";
import { openWorkSieve, withWork } from "../../src/trail/sub-agents.ts";
import { buildTrail } from "../../src/trail/trail.ts";
import type { Activity } from "../../src/transcript/activity.ts";
import { activitiesOfText, OPTIONS, Session } from "./session.ts";

/** What the sieve leaves of a session, as its rows stand in the client's file. */
function sieved(session: Session): readonly Activity[] {
  const wants = openWorkSieve();
  return activitiesOfText(
    session
      .text()
      .split("\n")
      .filter((row) => wants(row))
      .join("\n"),
  );
}

const filesOf = (activities: readonly Activity[]): readonly unknown[] =>
  buildTrail(activities, OPTIONS).files.map(({ row, ...file }) => file);

describe("the sieve", () => {
  it.each([
    "rm a",
    "git -C src rm -q a.ts",
    "git mv src/a.ts lib/",
    "cp a.txt b.txt",
    "echo hi>out.txt",
    "make 2> errors.txt",
    "cat <<'EOF' > notes.md\nrm x\nEOF",
    "make 2>&1 | tee -a build.log",
    "sed -i 's/a/b/' a",
    "perl -pi -e 's/a/b/' one",
    "touch empty.ts",
    "unlink a",
    "patch src/a.c fix.diff",
    "git checkout -- edited",
    "git restore edited",
    "git reset --hard",
    "git commit -qam x; git checkout -- edited",
  ])("has %j of the commands", (command) => {
    const session = new Session().edit("edited").bash("grep -rn x . 2>/dev/null | head").bash(command);
    expect(filesOf(sieved(session))).toEqual(filesOf(session.activities()));
    expect(sieved(session)).toHaveLength(2);
  });

  it("has edits, the files of MCP servers and the calls of others, with their results, and nothing else", () => {
    const session = new Session()
      .prompt("Do it.")
      .says('It is "name":"Write".')
      .read("a", { says: '"name":"Write"' })
      .bash("npm test 2>&1 | tail -5")
      .write("b", { says: "File created successfully at: b" })
      .edit("c", { failed: true, says: "no match" })
      .call("mcp__files__write_file", { path: "d" })
      .call("Agent", { prompt: "p" }, { says: "agentId: a1" })
      .compacted();
    expect(
      sieved(session).map(
        (activity) => activity.kind === "tool-call" && [activity.name, activity.outcome, activity.result],
      ),
    ).toEqual([
      ["Write", "ok", "File created successfully at: b"],
      ["Edit", "failed", "no match"],
      ["mcp__files__write_file", "ok", "done"],
      ["Agent", "ok", "agentId: a1"],
    ]);
  });

  it("takes time that is linear in a row", () => {
    const wants = openWorkSieve();
    for (const unit of ['"name":"Bash"', '"id":"', '"tool_use_id":"', '"tool_use"', ">", "g"]) {
      wants(`"tool_use""name":"Bash"${unit.repeat(1_000_000 / unit.length)}`);
      wants(unit.repeat(1_000_000 / unit.length));
    }
  });
});

/** A session of one minute's steps, and what its sub-agents did. */
function filesWith(session: Session, work: Readonly<Record<string, Session>>): readonly string[] {
  const all = withWork(
    session.activities(),
    (id) => work[id]?.activities() ?? [],
    () => undefined,
  );
  const trail = buildTrail(all, { ...OPTIONS, since: "compaction" });
  return trail.files.map(({ path, subAgent }) => (subAgent ? `${path} by a sub-agent` : path));
}

/** At a minute of the session's hour. */
const at = (minute: string) => ({ record: { timestamp: `2026-01-03T14:${minute}:00.000Z` } });
const called = (id: string) => ({ says: `Done.\nagentId: ${id} (use SendMessage with to: '${id}')` });

describe("a sub-agent's work", () => {
  it("stands where its time is among what the session did meanwhile", () => {
    const session = new Session().call("Agent", { prompt: "p" }, called("a1")).edit("one").edit("two").edit("three");
    const work = { a1: new Session().edit("in one", at("03")).edit("in two", at("05")) };
    const files = ["three", "in two by a sub-agent", "two", "in one by a sub-agent", "one"];
    expect(filesWith(session, work)).toEqual(files);
    // A clock that was set back moves nothing of the session's own.
    session.edit("set back", at("02")).edit("last", at("07"));
    expect(filesWith(session, work)).toEqual(["last", "set back", ...files]);
  });

  it("of before the last compaction is none of what was done since then", () => {
    const session = new Session().call("Agent", { prompt: "p" }, called("a1")).compacted().edit("one");
    const work = { a1: new Session().edit("before", at("01")).edit("behind", at("05")) };
    expect(filesWith(session, work)).toEqual(["behind by a sub-agent", "one"]);
  });

  it("counts with that of those whom it called, once for each", () => {
    const session = new Session().call("Task", { prompt: "p" }, called("a1"));
    const work = {
      a1: new Session().edit("1").call("Agent", { prompt: "p" }, called("a2")),
      a2: new Session().edit("2").call("Agent", { prompt: "p" }, called("a1")),
    };
    expect(filesWith(session, work)).toEqual(["2 by a sub-agent", "1 by a sub-agent"]);
  });

  it.each([
    ["answered with a line that looks like an id", "  agentId: none\nagentId: a1 (use SendMessage)\n<usage>"],
    [
      "goes on in the background",
      "Async agent launched successfully.\nagentId: a1 (internal ID)\noutput_file: /tmp/a1",
    ],
    ["answered beside what an older client adds", "agentId: none\nagentId: a1 (for resuming to continue)"],
  ])("counts of one that %s", (_, says) => {
    expect(filesWith(new Session().call("Agent", {}, { says }), { a1: new Session().edit("x") })).toHaveLength(1);
  });

  it("counts of one that was sent on, or was done, since what was read begins", () => {
    const work = { a1: new Session().edit("x") };
    const sent = { says: '{"success":true,"message":"Resumed.","resumedAgentId":"a1"}' };
    expect(filesWith(new Session().call("SendMessage", { to: "a1" }, sent), work)).toHaveLength(1);
    const done = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>";
    expect(filesWith(new Session().prompt(done), work)).toHaveLength(1);
    expect(filesWith(new Session().prompt("agentId: a1").bash("echo", { says: "agentId: a1" }), work)).toEqual([]);
  });

  it("is nothing that failed, and no commands, errors or requests of the session", () => {
    const own = new Session().prompt("p").edit("x", { failed: true }).bash("make > log", { failed: true, says: "no" });
    const session = new Session().prompt("Do it.").call("Agent", {}, called("a1"));
    const { requests, commands, failures, files } = buildTrail(
      withWork(
        session.activities(),
        () => own.activities(),
        () => undefined,
      ),
      OPTIONS,
    );
    expect({ requests: requests.length, commands, failures, files }).toEqual({
      ...{ requests: 1, commands: [], failures: [], files: [] },
    });
  });

  it("is all there is in its own file", () => {
    const own = new Session().call("Agent", { prompt: "p" }, { ...called("a2"), record: { isSidechain: true } });
    expect(filesWith(own, { a2: new Session().edit("x") })).toEqual([]);
  });
});

describe("a chain of sub-agents, each called by the one before", () => {
  it("is followed as far as any goes, and thousands are no fault of ours", () => {
    const call = (id: number): readonly Activity[] =>
      new Session().call("Agent", { prompt: "p" }, { says: `agentId: ${id}` }).activities();
    const work = (id: string): readonly Activity[] => call(Number(id) + 1);
    const length = withWork(call(1), work, () => undefined).length;
    expect(length).toBeGreaterThan(50);
    expect(length).toBeLessThan(1000);
  });
});
