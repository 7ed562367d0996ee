import { describe, expect, test } from "vitest";
import { isHookRow, readHookRows } from "../../src/doctor/hook-rows.ts";

const AT = "2026-01-05T12:00:00.000Z";
const row = (attachment: object, timestamp: unknown = AT): string =>
  JSON.stringify({ attachment, type: "attachment", timestamp });
const ran = (more: object = {}): object => ({
  ...{ type: "hook_success", hookName: "SessionStart:compact", hookEvent: "SessionStart" },
  ...{ command: "context session-start", exitCode: 0, durationMs: 90, stdout: "", ...more },
});
const answer = (text: unknown): string => JSON.stringify({ hookSpecificOutput: { additionalContext: text } });
const passed = (content: unknown): string => row({ type: "hook_additional_context", content });
const first = (...rows: readonly string[]) => readHookRows("/t/a.jsonl", rows).runs[0];
const seen = (...rows: readonly string[]) => readHookRows("/t/a.jsonl", rows).runs.map((run) => run.seen);

test("a row is told by its first bytes", () => {
  expect(isHookRow(`{"parentUuid":null,${row(ran()).slice(1)}`)).toBe(true);
  expect(isHookRow('{"attachment":{"type":"file"}}')).toBe(false);
});

describe("a run of ours", () => {
  test("is read whole", () => {
    expect(first(row(ran({ stdout: answer("the text") })))).toEqual({
      transcript: "/t/a.jsonl",
      name: "SessionStart:compact",
      command: "context session-start",
      ms: 90,
      at: Date.parse(AT),
      outcome: "success",
      text: "the text",
      seen: "none",
    });
  });

  test.each([
    [{ hookName: 7 }, { name: "SessionStart" }],
    [{ hookName: 7, hookEvent: null }, { name: "unknown" }],
    [{ durationMs: 0 }, { ms: 0 }],
    [{ durationMs: -1 }, { ms: null }],
    [{ durationMs: "90" }, { ms: null }],
    [
      { exitCode: 2, stdout: answer("x") },
      { outcome: "failed", text: null, seen: "whole" },
    ],
    [{ exitCode: "2" }, { outcome: "success" }],
    [{ type: "hook_cancelled" }, { outcome: "failed" }],
    [{ type: "hook_non_blocking_error", exitCode: 0 }, { outcome: "failed" }],
    [{ stdout: answer("") }, { text: null, seen: "whole" }],
    [{ stdout: answer(7) }, { text: null }],
    [{ stdout: "plain text" }, { text: null }],
    [{ stdout: '{"hookSpecificOutput":"x"}' }, { text: null }],
    [{ stdout: 7 }, { text: null }],
  ])("%j says %j", (fields, said) => {
    expect(first(row(ran(fields)))).toMatchObject(said);
  });

  test.each([[undefined], [7], ["soon"]])("of the time %j has none", (timestamp) => {
    const text = JSON.stringify({ attachment: ran(), timestamp });
    expect(readHookRows("t", [text]).runs[0]?.at).toBeNull();
  });

  test.each([[{ command: "jq ." }], [{ command: 7 }], [{ type: "file" }], [{ type: 7 }]])("%j is none", (fields) => {
    expect(readHookRows("t", [row(ran(fields))]).runs).toEqual([]);
  });

  test("is what the caller says", () => {
    const rows = [row(ran({ command: "mine" })), row(ran())];
    expect(readHookRows("t", rows, (command) => command === "mine").runs.map(({ command }) => command)).toEqual([
      "mine",
    ]);
  });
});

describe("a text", () => {
  const text = `${"0123456789".repeat(20)} and what is cut`;
  const run = row(ran({ stdout: answer(text) }));

  test.each([
    ["whole", passed(text)],
    ["whole", passed([7, `before ${text} after`])],
    ["cut", passed([text.slice(0, 200)])],
    ["none", passed([text.slice(0, 199)])],
    ["none", passed([text.slice(1)])],
    ["none", passed(7)],
  ])("is seen %s", (how, row) => {
    expect(seen(run, row)).toEqual([how]);
  });

  test("is looked for behind the run alone, and whole before cut", () => {
    expect(seen(passed(text), run)).toEqual(["none"]);
    expect(seen(run, passed(text.slice(0, 200)), passed(text))).toEqual(["whole"]);
  });

  test("is told with its time", () => {
    expect(
      readHookRows("t", [
        passed(["a", "b"]),
        JSON.stringify({ attachment: { type: "hook_additional_context", content: "c" } }),
      ]).texts,
    ).toMatchObject([
      { at: Date.parse(AT), text: "a" },
      { at: Date.parse(AT), text: "b" },
      { at: null, text: "c" },
    ]);
  });
});
