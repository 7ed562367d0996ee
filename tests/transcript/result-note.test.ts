import { describe, expect, it } from "vitest";
import { activitiesOf } from "../../src/transcript/activity.ts";
import { entriesOf } from "../../src/transcript/entry.ts";
import { resultNote } from "../../src/transcript/result-note.ts";

describe("resultNote", () => {
  it.each([
    [{ type: "create" }, { change: "create" }],
    [{ type: "update" }, { change: "update" }],
    [{ type: "text" }, { change: null }],
    [{ backgroundTaskId: "b1" }, { background: "b1" }],
    [{ isAsync: true, agentId: "a1" }, { background: "a1" }],
    [
      { status: "completed", agentId: "a1" },
      { background: null, status: "completed" },
    ],
    [{ task: { id: "3", status: "running" } }, { task: "3", status: "running" }],
    [{ answers: { "Which?": "B", odd: 3 } }, { answers: new Map([["Which?", "B"]]) }],
  ])("reads %j", (value, expected) => {
    expect(resultNote(value)).toMatchObject(expected);
  });

  it.each([null, undefined, "Error: no", [], 3])("is none for %j", (value) => {
    expect(resultNote(value)).toBeNull();
  });

  it("is left out where a record holds several results: it does not say whose it is", () => {
    const block = { type: "tool_result", tool_use_id: "t", content: "x" };
    const record = { type: "user", toolUseResult: { type: "create" } };
    const noteOf = (content: readonly object[]): unknown =>
      entriesOf({ ...record, message: { content } }, 0).map((entry) =>
        entry.kind === "tool-result" ? entry.note : entry,
      );
    expect(noteOf([block])).toMatchObject([{ change: "create" }]);
    expect(noteOf([block, block])).toEqual([null, null]);
  });
});

describe("an interruption", () => {
  it("is an activity with its place", () => {
    const record = { type: "user", cwd: "/w", message: { content: "[Request interrupted by user for tool use]" } };
    expect(activitiesOf(entriesOf(record, 4))).toMatchObject([{ kind: "interruption", row: 4, cwd: "/w" }]);
  });
});
