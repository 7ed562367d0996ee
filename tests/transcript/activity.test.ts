import { describe, expect, it } from "vitest";
import { activitiesOf } from "../../src/transcript/activity.ts";
import { readRows, rowsOfText } from "../../src/transcript/row.ts";

function call(id: string): object {
  return { type: "assistant", message: { content: [{ type: "tool_use", id, name: `N${id}`, input: {} }] } };
}

function result(id: string, isError = false, content = `result of ${id}`): object {
  return { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, is_error: isError, content }] } };
}

function outcomes(...records: readonly object[]): readonly string[] {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  return activitiesOf(readRows(rowsOfText(text)).entries).map((activity) =>
    activity.kind === "tool-call" ? `${activity.name} ${activity.outcome} ${activity.result}` : activity.kind,
  );
}

describe("activitiesOf", () => {
  it("joins parallel results in any order, and keeps the calls' order", () => {
    expect(outcomes(call("1"), call("2"), call("3"), result("3"), result("1", true))).toEqual([
      "N1 failed result of 1",
      "N2 in-flight ",
      "N3 ok result of 3",
    ]);
  });

  it("ignores a result without a call, and one that comes before it", () => {
    expect(outcomes(result("9"), call("9"))).toEqual(["N9 in-flight "]);
  });

  it("gives a repeated id's result to the nearest earlier call", () => {
    expect(outcomes(call("1"), result("1", false, "a"), call("1"), result("1", true, "b"))).toEqual([
      "N1 ok a",
      "N1 failed b",
    ]);
  });

  it("keeps where a call stands, and brings what its result says", () => {
    const origin = { cwd: "/w", isSidechain: true, timestamp: "t", sessionId: "s", gitBranch: "b" };
    const place = { cwd: "/w", sidechain: true, timestamp: "t", sessionId: "s", gitBranch: "b" };
    const stop = { type: "user", message: { content: "[Request interrupted by user]" } };
    const records = [call("1"), { ...result("1"), toolUseResult: { type: "create" } }, call("2"), stop];
    const text = records
      .map((record, row) => `${JSON.stringify({ ...origin, uuid: `u${row}`, ...record })}\n`)
      .join("");
    const one = { ...place, kind: "tool-call", input: {} };
    expect(activitiesOf(readRows(rowsOfText(text)).entries)).toEqual([
      {
        ...one,
        uuid: "u0",
        row: 0,
        id: "1",
        name: "N1",
        outcome: "ok",
        result: "result of 1",
        note: { change: "create", background: null, status: null, task: null, answers: new Map() },
        answeredAt: 1,
      },
      {
        ...one,
        uuid: "u2",
        row: 2,
        id: "2",
        name: "N2",
        outcome: "in-flight",
        result: "",
        note: null,
        answeredAt: null,
      },
      { ...place, uuid: "u3", row: 3, kind: "interruption" },
    ]);
  });

  it("takes a record that is written again for one", () => {
    const [first, second] = [
      { ...call("1"), uuid: "u" },
      { ...result("1"), uuid: "v" },
    ];
    expect(outcomes(first, first, second, first, second)).toEqual(["N1 ok result of 1"]);
    const both = {
      type: "assistant",
      uuid: "w",
      message: {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    };
    expect(outcomes(both, both)).toEqual(["assistant-text", "assistant-text"]);
  });

  it("gives a second result of a call to nobody", () => {
    expect(outcomes(call("1"), result("1", false, "a"), result("1", true, "b"))).toEqual(["N1 ok a"]);
  });

  it("drops the client's own records", () => {
    expect(outcomes({ type: "attachment", attachment: {} }, { type: "mode" }, call("1"))).toEqual(["N1 in-flight "]);
  });
});
