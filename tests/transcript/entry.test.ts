import { describe, expect, it } from "vitest";
import { entriesOf } from "../../src/transcript/entry.ts";

function kinds(record: unknown): readonly string[] {
  return entriesOf(record, 0).map(({ kind }) => kind);
}

function user(content: unknown, extra: object = {}): object {
  return { type: "user", message: { role: "user", content }, ...extra };
}

describe("entriesOf", () => {
  it("reads what the client notes beside an entry", () => {
    const record = user("hi", {
      isSidechain: true,
      cwd: "/w",
      timestamp: "2026-01-03T14:00:00.000Z",
      uuid: "u",
      sessionId: "s",
      session_id: "the one before",
      gitBranch: "main",
    });
    expect(entriesOf(record, 7)).toEqual([
      {
        row: 7,
        sidechain: true,
        cwd: "/w",
        timestamp: "2026-01-03T14:00:00.000Z",
        uuid: "u",
        sessionId: "s",
        gitBranch: "main",
        kind: "prompt",
        text: "hi",
      },
    ]);
  });

  it.each([
    ["a string", "go on", ["prompt"]],
    ["text blocks", [{ type: "text", text: "go on" }], ["prompt"]],
    ["a picture with text", [{ type: "image" }, { type: "text", text: "see" }], ["prompt"]],
    ["a picture alone", [{ type: "image" }], ["unknown"]],
    ["a reminder without its end", "<system-reminder>be brief", ["unknown"]],
    ["a text that speaks of the client's elements", "what is <bash-input> or <local-command-stdout>?", ["prompt"]],
    ["null", null, ["unknown"]],
    ["nothing", undefined, ["unknown"]],
    ["an odd block", [null, 3, "x"], ["prompt"]],
  ])("takes a user's content that is %s", (_name, content, expected) => {
    expect(kinds(user(content))).toEqual(expected);
  });

  it.each([
    ["isMeta", user("Caveat: …", { isMeta: true }), "unknown"],
    ["isCompactSummary", user("Summary", { isCompactSummary: true }), "compact-summary"],
    // What 2.0.76 leaves of it in a fork of a fork.
    ["isVisibleInTranscriptOnly", user("Summary", { isVisibleInTranscriptOnly: true }), "compact-summary"],
    ["a local command's output", user("<local-command-stdout>Bye!</local-command-stdout>"), "unknown"],
    ["a local command's caveat", user("<local-command-caveat>x</local-command-caveat>"), "unknown"],
    [
      "a task notification",
      user("<task-notification>\n<status>completed</status></task-notification>"),
      "task-notification",
    ],
    ["an interruption", user([{ type: "text", text: "[Request interrupted by user]" }]), "unknown"],
    ["shell mode", user("<bash-input>ls</bash-input>"), "unknown"],
    ["a tool result", user([{ type: "tool_result", tool_use_id: "t", content: "x" }]), "tool-result"],
  ])("takes %s for no person's prompt", (_name, record, kind) => {
    expect(kinds(record)).toEqual([kind]);
  });

  it("leaves out of a prompt what the client puts into blocks of its own", () => {
    const blocks = ["<ide_opened_file>a.ts</ide_opened_file>", "go on", "<system-reminder>be brief</system-reminder>"];
    expect(entriesOf(user(blocks.map((text) => ({ type: "text", text }))), 0)).toMatchObject([
      { kind: "prompt", text: "go on" },
    ]);
  });

  it("takes a record whose origin is no person for none", () => {
    expect(kinds(user("go on", { origin: { kind: "human" } }))).toEqual(["prompt"]);
    expect(kinds(user("go on", { origin: { kind: "peer" } }))).toEqual(["unknown"]);
  });

  it.each([
    ["a prompt", { prompt: "and the docs", commandMode: "prompt", origin: { kind: "human" } }, "prompt"],
    ["a prompt in blocks", { prompt: [{ type: "text", text: "and the docs" }] }, "prompt"],
    ["the end of a task", { prompt: "<task-notification><status>completed</status>" }, "task-notification"],
    ["another agent's word", { prompt: "hand back", origin: { kind: "peer" } }, "unknown"],
    ["the client's own", { prompt: "go on", isMeta: true }, "unknown"],
    ["a command for the shell", { prompt: "ls", commandMode: "bash" }, "unknown"],
  ])("reads %s that was delivered in the middle of a turn", (_name, body, kind) => {
    expect(kinds({ type: "attachment", attachment: { type: "queued_command", ...body } })).toEqual([kind]);
  });

  it("leaves out text beside a tool result", () => {
    const blocks = [
      { type: "text", text: "a remark" },
      { type: "tool_result", tool_use_id: "t", content: "x" },
    ];
    expect(kinds(user(blocks))).toEqual(["tool-result"]);
  });

  it("reads a result's error mark and its text, nested or not", () => {
    const blocks = [
      {
        type: "tool_result",
        tool_use_id: "a",
        is_error: true,
        content: [{ type: "text", text: "one" }, { type: "image" }],
      },
      { type: "tool_result", tool_use_id: "b", content: null },
      { type: "tool_result", content: "without a call" },
    ];
    expect(entriesOf(user(blocks), 0)).toMatchObject([
      { toolUseId: "a", isError: true, text: "one" },
      { toolUseId: "b", isError: false, text: "" },
    ]);
  });

  it.each([
    ["<command-name>/compact</command-name>\n <command-args>keep it</command-args>", "compact", "keep it", true],
    [
      "<command-message>x</command-message>\n<command-name>/lab-cmd</command-name>\n<command-args>Bob</command-args>",
      "lab-cmd",
      "Bob",
      false,
    ],
    ["<command-name>lab-cmd</command-name>", "lab-cmd", "", false],
  ])("reads the slash command %j", (text, name, args, builtIn) => {
    expect(entriesOf(user(text), 0)).toMatchObject([{ kind: "slash-command", name, args, builtIn }]);
  });

  it("gives each block of an assistant record an entry of its own", () => {
    const content = [
      { type: "thinking", thinking: "…" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "t1", name: "Read", input: { file_path: "x" } },
      { type: "tool_use", id: "t2", name: "Broken", input: null },
      { type: "tool_use", name: "no id" },
    ];
    expect(entriesOf({ type: "assistant", message: { content } }, 0)).toMatchObject([
      { kind: "assistant-text", text: "I look." },
      { kind: "tool-use", id: "t1", name: "Read", input: { file_path: "x" } },
      { kind: "tool-use", id: "t2", name: "Broken", input: {} },
    ]);
  });

  it("tells a compaction's boundary with its trigger", () => {
    const record = { type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } };
    expect(entriesOf(record, 0)).toMatchObject([{ kind: "compact-boundary", trigger: "auto" }]);
  });

  it("keeps the client's own records as unknown, with their type", () => {
    expect(entriesOf({ type: "attachment", attachment: { type: "hook_success" } }, 0)).toMatchObject([
      { kind: "unknown", type: "attachment", subtype: "hook_success" },
    ]);
    expect(entriesOf({ type: "api-request-blob" }, 0)).toMatchObject([{ kind: "unknown", type: "api-request-blob" }]);
  });

  it.each([null, 3, "x", [], undefined])("finds no entry in %j", (value) => {
    expect(entriesOf(value, 0)).toEqual([]);
  });
});
