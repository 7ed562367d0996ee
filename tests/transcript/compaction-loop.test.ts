import { expect, test } from "vitest";
import { compactionLoop } from "../../src/transcript/compaction-loop.ts";
import { continuesWork } from "../../src/transcript/detect-mode.ts";
import { activitiesOfText } from "./helpers.ts";

type Moment = readonly ["compacted" | "prompt" | "slash" | "text", minutes: number | null, sidechain?: boolean];

const MESSAGES = {
  prompt: { type: "user", message: { role: "user", content: "go on" } },
  slash: {
    type: "user",
    message: { role: "user", content: "<command-name>/status</command-name>\n<command-args></command-args>" },
  },
  text: { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "done" }] } },
  compacted: { type: "system", subtype: "compact_boundary", content: "Conversation compacted" },
};

/** A session's loop: what happened, at which minute; null has no time. */
function loopOf(...moments: readonly Moment[]) {
  return loopSince(null, ...moments);
}

/** The same, where the compaction that is ending now is known to have begun then. */
function loopSince(began: string | null, ...moments: readonly Moment[]) {
  return compactionLoop(activitiesOf(moments), { began });
}

function activitiesOf(moments: readonly Moment[]) {
  const rows = moments.map(([what, minutes, isSidechain = false]) => {
    const timestamp = minutes === null ? {} : { timestamp: new Date(minutes * 60_000).toISOString() };
    return `${JSON.stringify({ ...MESSAGES[what], isSidechain, ...timestamp })}\n`;
  });
  return activitiesOfText(rows.join(""));
}

test("the third compaction within ten minutes is one of a loop, the one that is ending now included", () => {
  expect(loopOf(["compacted", 1], ["compacted", 5], ["text", 9])).toEqual({ compactions: 3, minutes: 8 });
  expect(loopOf(["compacted", 1], ["compacted", 2], ["compacted", 3], ["text", 9])).toEqual({
    compactions: 4,
    minutes: 8,
  });
});

test("one that a person asks for long after the last record is of no loop", () => {
  const before = [
    ["compacted", 1],
    ["compacted", 2],
    ["text", 3],
  ] as const;
  expect(loopSince("1970-01-04T00:00:00.000Z", ...before)).toBeNull();
  expect(loopSince("1970-01-01T00:05:00.000Z", ...before)).toEqual({ compactions: 3, minutes: 4 });
  // A clock that was set back, and a time that is none.
  expect(loopSince("1970-01-01T00:00:00.000Z", ...before)).toEqual({ compactions: 3, minutes: 2 });
  expect(loopSince("soon", ...before)).toEqual({ compactions: 3, minutes: 2 });
});

test("once all have ended none is added: two that stand in the transcript are two", () => {
  const two = [
    ["compacted", 1],
    ["compacted", 2],
    ["text", 3],
  ] as const;
  expect(compactionLoop(activitiesOf(two), null)).toBeNull();
  expect(compactionLoop(activitiesOf([...two, ["compacted", 4]]), null)).toEqual({ compactions: 3, minutes: 3 });
});

test("two are none, and neither are three over more than ten minutes", () => {
  expect(loopOf(["compacted", 5], ["text", 9])).toBeNull();
  expect(loopOf(["compacted", 1], ["compacted", 10], ["text", 11])).toEqual({ compactions: 3, minutes: 10 });
  expect(loopOf(["compacted", 1], ["compacted", 10], ["text", 11.1])).toBeNull();
  expect(loopOf()).toBeNull();
});

test("minutes are rounded up, and are one at least", () => {
  expect(loopOf(["compacted", 1], ["compacted", 2], ["text", 2.5])).toEqual({ compactions: 3, minutes: 2 });
  expect(loopOf(["compacted", 1], ["compacted", 1])).toEqual({ compactions: 3, minutes: 1 });
});

test("a person's prompt or command ends what counts", () => {
  expect(loopOf(["compacted", 1], ["prompt", 2], ["compacted", 3], ["text", 4])).toBeNull();
  expect(loopOf(["compacted", 1], ["slash", 2], ["compacted", 3], ["text", 4])).toBeNull();
  expect(loopOf(["prompt", 0], ["compacted", 1], ["compacted", 3], ["text", 4])?.compactions).toBe(3);
});

test("what a sub-agent wrote, and what has no time, does not count", () => {
  expect(loopOf(["compacted", 1, true], ["compacted", 3], ["text", 4])).toBeNull();
  expect(loopOf(["compacted", null], ["compacted", 3], ["text", 4])).toBeNull();
  expect(loopOf(["compacted", 1], ["compacted", 3], ["text", 4], ["text", 30, true])?.minutes).toBe(3);
  expect(loopOf(["compacted", null], ["compacted", null])).toBeNull();
  expect(loopOf(["compacted", 1], ["compacted", 3], ["text", 4], ["text", null])?.minutes).toBe(3);
});

test("only a resumed or compacted session goes on with earlier work", () => {
  expect(["resume", "compact"].map(continuesWork)).toEqual([true, true]);
  expect(["startup", "clear", "other", ""].map(continuesWork)).toEqual([false, false, false, false]);
});
