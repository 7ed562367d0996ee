import fc from "fast-check";
import type { AgentEvent } from "../../src/thread/index.ts";

/** Any text a program can hold: every UTF-16 unit, lone surrogates and controls too, and what markup is made of. */
export const anyText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .array(
      fc.constantFrom("<", ">", "&", '"', "'", "\r", "\n", "\t", "\0", "]]>", "</event>", "&lt;", "é", "🚀", "\\"),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join("")),
);

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const json = fc.jsonValue({ maxDepth: 3 });
const ids = fc.oneof(fc.constantFrom("a", "b", "0", "1"), anyText);

const base = { timestamp: number, iteration: number };
const baseOptions = { id: ids };

function event<T>(required: fc.Arbitrary<T>, optional: fc.Arbitrary<object> = fc.constant({})) {
  return fc
    .tuple(required, fc.record(base), fc.record(baseOptions, { requiredKeys: [] }), optional)
    .map(([own, common, id, more]) => ({ ...own, ...common, ...id, ...more }));
}

const parallel = fc.record({ parallelGroup: anyText }, { requiredKeys: [] });
const decision = fc.oneof(fc.constantFrom("approve", "reject", "edit"), fc.string());

/** Any event of any type, with any of its optional fields. */
export const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  event(
    fc.record({
      type: fc.constant("tool_call" as const),
      toolName: ids,
      toolCallId: ids,
      args: fc.dictionary(anyText, json, { maxKeys: 3 }),
    }),
    parallel,
  ),
  event(
    fc.record({
      type: fc.constant("tool_result" as const),
      toolCallId: ids,
      result: fc.oneof(anyText, json, fc.constant(undefined)),
    }),
    fc.record({ parallelGroup: anyText, durationMs: number }, { requiredKeys: [] }),
  ),
  event(
    fc.record({ type: fc.constant("error" as const), error: anyText, recoverable: fc.boolean() }),
    fc.record({ toolCallId: ids }, { requiredKeys: [] }),
  ),
  event(
    fc.record({ type: fc.constant("human_input_requested" as const), question: anyText }),
    fc.record(
      {
        kind: fc.oneof(fc.constantFrom("question", "approval", "plan_review"), fc.string()),
        context: anyText,
        urgency: fc.oneof(fc.constantFrom("low", "medium", "high"), fc.string()),
        format: fc.constantFrom("free_text", "yes_no", "multiple_choice"),
        choices: fc.array(anyText, { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
  event(
    fc.record({ type: fc.constant("human_input_received" as const), response: anyText }),
    fc.record({ decision }, { requiredKeys: [] }),
  ),
  event(
    fc.record({
      type: fc.constant("message" as const),
      role: fc.constantFrom("user" as const, "assistant" as const, "system" as const),
      content: anyText,
    }),
  ),
  event(fc.record({ type: fc.constant("completion" as const), result: anyText, verified: fc.boolean() })),
  event(
    fc.record({
      type: fc.constant("summary" as const),
      summary: anyText,
      summarizedIterations: fc.array(number, { maxLength: 4 }),
    }),
  ),
  event(fc.record({ type: fc.constant("plan" as const), content: anyText })),
  event(
    fc.record({ type: fc.constant("approval" as const), toolName: ids, toolCallId: ids, decision }),
    fc.record({ response: anyText }, { requiredKeys: [] }),
  ),
);

export const anyThread = fc.array(anyEvent, { maxLength: 12 });

const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu;

/** What XML can hold of a text. */
export function writable(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD");
}

/** An event as a reader gets it back: its texts without what XML forbids; inside JSON, escapes keep every character. */
export function writableEvent(event: AgentEvent): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, typeof value === "string" ? writable(value) : value]),
  );
}

export function message(content: string, fields: object = {}): AgentEvent {
  return { type: "message", role: "user", content, timestamp: 1, iteration: 1, ...fields };
}

export function call(toolCallId: string, toolName: string, fields: object = {}): AgentEvent {
  return { type: "tool_call", toolName, toolCallId, args: {}, timestamp: 1, iteration: 1, ...fields };
}

export function result(toolCallId: string, value: unknown, fields: object = {}): AgentEvent {
  return { type: "tool_result", toolCallId, result: value, timestamp: 1, iteration: 1, ...fields };
}
