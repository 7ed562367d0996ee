import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forkOrigin, lookBack } from "../../src/stores/fork-origin.ts";
import { SessionLog } from "../helpers/session-log.ts";
import { makeWorkspace, type Workspace } from "../helpers/workspace.ts";

const [EARLY, UNTIL, LATE] = ["2026-01-03T14:20:00.000Z", "2026-01-03T14:30:00.000Z", "2026-01-03T14:40:00.000Z"];
const mark = (timestamp = UNTIL) => ({ type: "system", subtype: "compact_boundary", timestamp });
const says = (timestamp: string, more: object = {}) => ({ type: "assistant", timestamp, ...more });
const forked = (from: string) => [mark(), says(UNTIL, { requestSessionId: from })];

function write(workspace: Workspace, session: string, ...records: readonly object[]): string {
  return workspace.write(`é client/${session}.jsonl`, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

test("a transcript's origin is the first other session that its records name behind a compaction", () => {
  const workspace = makeWorkspace();
  const of = (...records: readonly object[]) => forkOrigin(write(workspace, "own", ...records))?.session ?? null;
  expect(forkOrigin(write(workspace, "own", ...forked("parent")))).toEqual({
    ...{ session: "parent", until: UNTIL },
    path: join(workspace.path("é client"), "parent.jsonl"),
  });
  expect(of({ type: "mode" }, mark(), says(UNTIL, { sessionId: "own" }), ...forked("parent"))).toBe("parent");
  expect(of(mark(), says(UNTIL, { sessionId: "own" }))).toBeNull();
  expect(of(says(EARLY), ...forked("parent"))).toBeNull();
  expect(of(...forked("../parent"), says(UNTIL, { sessionId: "/etc/passwd" }))).toBeNull();
  expect(of({ ...mark(), timestamp: "yesterday" }, says(UNTIL, { sessionId: "parent" }))).toBeNull();
  expect(forkOrigin(workspace.path("é client/gone.jsonl"))).toBeNull();
});

describe("a look back", () => {
  /** What was looked at, by session, up to which byte. */
  function looks(workspace: Workspace, found: (session: string) => string | null | "earlier") {
    const seen: (readonly [string, number])[] = [];
    const answer = lookBack(forkOrigin(workspace.path("é client/own.jsonl")), ({ session }, upTo) => {
      seen.push([session, upTo]);
      return found(session);
    });
    return { answer, seen };
  }

  test("goes by a parent's transcript up to its compaction, whatever it did since, and by rows without a time as those around them", () => {
    const workspace = makeWorkspace();
    write(workspace, "own", ...forked("parent"));
    const before = [says(EARLY), mark()];
    const size = before.reduce((sum, record) => sum + JSON.stringify(record).length + 1, 0);
    write(workspace, "parent", ...before, { type: "assistant" }, says(LATE), { type: "user" });
    expect(looks(workspace, () => "24-demo")).toEqual({ answer: "24-demo", seen: [["parent", size]] });
    write(workspace, "parent", says(LATE), { type: "user" });
    expect(looks(workspace, () => "24-demo")).toEqual({ answer: null, seen: [] });
  });

  test("goes on to where a fork comes from that did nothing itself, and ends in a circle", () => {
    const workspace = makeWorkspace();
    write(workspace, "own", ...forked("parent"));
    write(workspace, "parent", ...forked("root"));
    write(workspace, "root", says(EARLY), mark());
    const sessions = (found: Parameters<typeof looks>[1]) => {
      const { answer, seen } = looks(workspace, found);
      return [answer, ...seen.map(([session]) => session)];
    };
    expect(sessions((session) => (session === "root" ? "24-demo" : "earlier"))).toEqual(["24-demo", "parent", "root"]);
    expect(sessions(() => null)).toEqual([null, "parent"]);
    expect(sessions(() => "earlier")).toEqual([null, "parent", "root"]);
    write(workspace, "parent", ...forked("own"));
    expect(sessions(() => "earlier")).toHaveLength(9);
  });

  test("finds nothing where the parent's transcript cannot be read", () => {
    const workspace = makeWorkspace();
    write(workspace, "own", ...forked("parent"));
    expect(looks(workspace, () => "24-demo")).toEqual({ answer: null, seen: [] });
    mkdirSync(workspace.path("é client/parent.jsonl"));
    expect(looks(workspace, () => "24-demo")).toEqual({ answer: null, seen: [] });
  });
});

const ANSWER = { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "ok" }] } };
const BOUNDARY = { type: "system", subtype: "compact_boundary", timestamp: "2026-01-03T14:30:00.000Z" };

function told(session: string) {
  const content = [`<nexus-context>\n  <session id="${session}" source="compact"/>\n`];
  return { type: "attachment", attachment: { type: "hook_additional_context", content } };
}

function origin(...records: readonly object[]) {
  const workspace = makeWorkspace();
  const log = new SessionLog(workspace.root);
  for (const record of records) log.add(record);
  const found = forkOrigin(workspace.write("client/fork.jsonl", log.text()), "fork");
  return found === null ? null : { ...found, path: found.path.replace(`${workspace.root}/`, "") };
}

const PARENT = { session: "parent", path: "client/parent.jsonl", until: BOUNDARY.timestamp };

test.each([
  ["the session that an answer was given to", { ...ANSWER, sessionId: "fork", requestSessionId: "parent" }],
  ["the one of each record that was copied", { ...ANSWER, sessionId: "parent" }],
  ["what a hook of ours told the parent", { ...told("parent"), sessionId: "fork" }],
])("a fork that begins behind a compaction comes from whom the client names: %s", (_how, record) => {
  expect(origin(BOUNDARY, record)).toEqual(PARENT);
  // Rows of the client's own may stand before, and its later compactions are its own.
  const later = { ...BOUNDARY, timestamp: "2026-01-03T15:00:00.000Z" };
  expect(
    origin({ type: "summary", sessionId: "other" }, BOUNDARY, later, record, { ...ANSWER, sessionId: "other" }),
  ).toEqual(PARENT);
});

test("of forks of forks the first one that is named was compacted; who may not be a file's name is passed over", () => {
  const names = ["fork", "../parent", "parent", "other"];
  expect(origin(BOUNDARY, ...names.map((sessionId) => ({ ...ANSWER, sessionId })))).toEqual(PARENT);
});

test("a session is no fork of a compacted one that names no other, that began otherwise, or that is not there", () => {
  const copied = { ...ANSWER, sessionId: "parent" };
  const prompt = { type: "user", message: { role: "user", content: "good morning" } };
  expect(origin(BOUNDARY, { ...ANSWER, sessionId: "fork" })).toBeNull();
  expect(origin(prompt, BOUNDARY, copied)).toBeNull();
  expect(origin(copied)).toBeNull();
  expect(origin({ ...BOUNDARY, timestamp: "yesterday" }, copied)).toBeNull();
  expect(origin({ ...BOUNDARY, subtype: "informational" }, prompt, copied)).toBeNull();
});

test("what a hook was told of other sessions, in its text, says nothing of where a fork comes from", () => {
  const other = { ...told("parent"), sessionId: "other", requestSessionId: "other" };
  expect(origin(BOUNDARY, other)).toEqual(PARENT);
  const quoted = { type: "user", message: { role: "user", content: '"sessionId":"other"' }, sessionId: "parent" };
  expect(origin(BOUNDARY, quoted)).toEqual(PARENT);
  // A browser's tool, for one, is called with a session of its own.
  const input = { sessionId: "other", requestSessionId: "other" };
  const called = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "mcp__browser__open", input }] };
  expect(origin(BOUNDARY, { type: "assistant", message: called, sessionId: "parent" })).toEqual(PARENT);
});
