import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forkOrigin, lookBack } from "../../src/stores/fork-origin.ts";
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
