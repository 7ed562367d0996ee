import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { linesSeen, UNSEEN, WHOLE } from "../../src/gate/coverage.ts";
import { gateCall, isEdit, isRead } from "../../src/gate/tool-call.ts";

const FIXTURES = new URL("../fixtures/claude-code/", import.meta.url);

interface Payload {
  readonly name: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

function payloads(version: string): readonly Payload[] {
  const folder = new URL(`${version}/payloads/`, FIXTURES);
  return readdirSync(folder).map((name) => {
    const value: object = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    return { name, fields: new Map<string, unknown>(Object.entries(value)) };
  });
}

describe.each(["2.1.332", "2.0.76"])("the client's payloads, %s", (version) => {
  const all = payloads(version);

  test("of tool calls are read, others are none", () => {
    for (const { name, fields } of all) {
      const event = /^(PreToolUse|PostToolUse)\./.exec(name)?.[1] ?? null;
      const call = gateCall(fields);
      expect([name, call?.event ?? null]).toEqual([name, event]);
      if (call === null) continue;
      expect([name, isRead(call)]).toEqual([
        name,
        fields.get("hook_event_name") === "PostToolUse" && fields.get("tool_name") === "Read",
      ]);
      expect([name, isEdit(call)]).toEqual([name, /^PreToolUse\.(?:Edit|Write)\./.test(name)]);
      expect([name, call.agentId !== null]).toEqual([name, name.includes("in-subagent")]);
      if (isRead(call) || isEdit(call)) expect(call.path).toMatch(/^\/home\/dev\/acme\//);
    }
    expect(all.filter(({ fields }) => gateCall(fields)?.event === "PreToolUse").length).toBeGreaterThan(5);
  });

  test("of reads say which lines were shown", () => {
    const reads = all.filter(({ name }) => /^PostToolUse\.Read\./.test(name));
    expect(reads.length).toBeGreaterThan(1);
    for (const { fields } of reads) {
      const shown = gateCall(fields)?.shown ?? UNSEEN;
      expect(shown).toMatchObject({ kind: "lines", ranges: [[1, expect.any(Number)]] });
    }
  });
});

describe("a read", () => {
  const shown = (input: object, response: unknown) => {
    const fields = { hook_event_name: "PostToolUse", tool_name: "Read", tool_input: input, tool_response: response };
    return gateCall(new Map<string, unknown>(Object.entries(fields)))?.shown;
  };
  const text = (startLine: number, numLines: number, totalLines: number) => ({
    type: "text",
    file: { startLine, numLines, totalLines },
  });

  test.each([
    [{}, text(1, 90, 90), linesSeen(1, 90, 90)],
    [{ offset: 41, limit: 20 }, text(41, 20, 90), linesSeen(41, 60, 90)],
    [{}, text(1, 0, 0), linesSeen(1, 0, 0)],
    [{}, { type: "file_unchanged", file: { filePath: "/a.md" } }, WHOLE],
    [{ limit: 10 }, { type: "file_unchanged" }, linesSeen(1, 10, null)],
    [{ offset: 5, limit: 10 }, "text", linesSeen(5, 14, null)],
    [{}, { type: "notebook", file: { cells: [] } }, WHOLE],
    [{}, null, WHOLE],
    [{}, { file: { startLine: -1, numLines: 1, totalLines: 9 } }, WHOLE],
    [{}, { file: { startLine: 1, numLines: 1.5, totalLines: 9 } }, WHOLE],
    [{}, { file: { startLine: 1, numLines: 1, totalLines: "9" } }, WHOLE],
    [{ offset: -2, limit: 10 }, "text", linesSeen(1, 10, null)],
    [{ offset: 5, limit: -1 }, "text", WHOLE],
  ])("of %j that was answered %j showed so much", (input, response, coverage) => {
    expect(shown(input, response)).toEqual(coverage);
  });
});

test("what is no call of a tool is none", () => {
  const of = (fields: object) => gateCall(new Map<string, unknown>(Object.entries(fields)));
  expect(of({})).toBeNull();
  expect(of({ hook_event_name: "PreToolUse" })).toBeNull();
  expect(of({ hook_event_name: "PreToolUse", tool_name: 7 })).toBeNull();
  expect(of({ hook_event_name: "SessionStart", tool_name: "Read" })).toBeNull();
  expect(of({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: "x" })).toMatchObject({ path: null });
  for (const [given, id] of [
    ["toolu_1", "toolu_1"],
    [7, null],
  ]) {
    expect(of({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_use_id: given })).toMatchObject({ id });
  }
  for (const [id, agentId] of [
    ["a1", "a1"],
    ["", null],
    [7, null],
  ]) {
    expect(of({ hook_event_name: "PreToolUse", tool_name: "Edit", agent_id: id })).toMatchObject({ agentId });
  }
  expect(
    of({ hook_event_name: "PreToolUse", tool_name: "NotebookEdit", tool_input: { notebook_path: "/n.ipynb" } }),
  ).toMatchObject({ path: "/n.ipynb" });
});

test.each([
  ["PreToolUse", ["Edit", "Write", "MultiEdit", "NotebookEdit"], []],
  ["PostToolUse", [], ["Read"]],
])("at %s, %j may be denied and %j is a read", (event, edits, reads) => {
  const calls = ["Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "Bash", ""].flatMap(
    (tool) =>
      gateCall(
        new Map([
          ["hook_event_name", event],
          ["tool_name", tool],
        ]),
      ) ?? [],
  );
  expect(calls.filter(isEdit).map(({ tool }) => tool)).toEqual(edits);
  expect(calls.filter(isRead).map(({ tool }) => tool)).toEqual(reads);
});
