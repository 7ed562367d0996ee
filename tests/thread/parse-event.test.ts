import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAgentEvent, parseAgentEvent } from "../../src/thread/index.ts";
import { anyEvent } from "./arbitrary-event.ts";

const base = { timestamp: 1, iteration: 0 };

describe("parseAgentEvent", () => {
  it("takes each event of the original's thread as it is", () => {
    const events: unknown = JSON.parse(readFileSync(new URL("fixtures/events.json", import.meta.url), "utf8"));
    if (!Array.isArray(events)) throw new Error("expected a list");
    expect(events.map((event) => parseAgentEvent(event))).toStrictEqual(events.map((value) => ({ ok: true, value })));
  });

  it("takes every event there can be", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(parseAgentEvent(event)).toEqual({ ok: true, value: event });
        expect(isAgentEvent(event)).toBe(true);
      }),
    );
  });

  it.each([
    [null, "event: expected an object, found null"],
    [[], "event: expected an object, found a list"],
    ["x", 'event: expected an object, found "x"'],
    [
      { ...base },
      "type: expected one of tool_call, tool_result, error, human_input_requested, human_input_received, message, completion, summary, plan, approval, found nothing",
    ],
    [
      { type: "message", iteration: 1, role: "user", content: "" },
      "timestamp: expected a finite number, found nothing",
    ],
    [{ ...base, iteration: Number.NaN, type: "plan", content: "" }, "iteration: expected a finite number, found NaN"],
    [{ ...base, id: 7, type: "plan", content: "" }, "id: expected a string, found 7"],
    [
      { ...base, type: "message", role: "tool", content: "" },
      'role: expected one of user, assistant, system, found "tool"',
    ],
    [{ ...base, type: "message", role: "user", content: ["a"] }, "content: expected a string, found a list"],
    [{ ...base, type: "tool_call", toolName: "a", toolCallId: "b", args: "x" }, 'args: expected an object, found "x"'],
    [{ ...base, type: "tool_result", toolCallId: "b" }, "result: expected a value, found nothing"],
    [{ ...base, type: "error", error: "e", recoverable: "yes" }, 'recoverable: expected true or false, found "yes"'],
    [
      { ...base, type: "summary", summary: "s", summarizedIterations: [1, "2"] },
      "summarizedIterations: expected a list of finite numbers, found a list",
    ],
    [
      { ...base, type: "human_input_requested", question: "q", choices: "ab" },
      'choices: expected a list of strings, found "ab"',
    ],
    [{ ...base, type: "human_input_received", response: "r", decision: 5 }, "decision: expected a string, found 5"],
    [{ ...base, type: "approval", toolName: "a", toolCallId: "b" }, "decision: expected a string, found nothing"],
    [{ ...base, type: "plan", content: () => 1 }, "content: expected a string, found a function"],
    [{ ...base, type: "plan", content: null }, "content: expected a string, found null"],
    [
      { ...base, type: "x".repeat(99) },
      "type: expected one of tool_call, tool_result, error, human_input_requested, human_input_received, message, completion, summary, plan, approval, found a string of 99 characters",
    ],
  ])("refuses %j and names the field", (value, error) => {
    expect(parseAgentEvent(value)).toEqual({ ok: false, error });
    expect(isAgentEvent(value)).toBe(false);
  });

  it.each([
    { type: "tool_call", toolName: "a", toolCallId: "b", args: {} },
    { type: "tool_result", toolCallId: "b", result: 1 },
    { type: "error", error: "e", recoverable: true },
    { type: "human_input_requested", question: "q" },
    { type: "human_input_received", response: "r" },
    { type: "approval", toolName: "a", toolCallId: "b", decision: "edit" },
  ])("has no field that is not there: %j", (event) => {
    expect(parseAgentEvent({ ...base, ...event })).toStrictEqual({ ok: true, value: { ...base, ...event } });
  });

  it("takes null for an absent optional field and leaves unknown ones behind", () => {
    const value = { ...base, type: "tool_result", toolCallId: "a", result: null, durationMs: null, id: null, other: 1 };
    expect(parseAgentEvent(value)).toStrictEqual({
      ok: true,
      value: { ...base, type: "tool_result", toolCallId: "a", result: null },
    });
  });
});
