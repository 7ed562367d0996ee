import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planMessages } from "../../src/thread/build-messages.ts";
import { contentText } from "../../src/thread/content-text.ts";
import type { AgentEvent } from "../../src/thread/index.ts";
import { serializeValue } from "../../src/thread/serialize-value.ts";
import type { ThreadMessage } from "../../src/thread/thread-message.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { anyText, anyThread, call, message, result } from "./arbitrary-event.ts";

function failure(toolCallId: string | undefined, error: string, fields: object = {}): AgentEvent {
  const id = toolCallId === undefined ? {} : { toolCallId };
  return { type: "error", error, recoverable: true, timestamp: 1, iteration: 1, ...id, ...fields };
}

/** The roles, a call's ids and an answer's id as one short line. */
function outline(events: readonly AgentEvent[]): string {
  return planMessages(events).map(short).join(" ");
}

function short(planned: ThreadMessage): string {
  switch (planned.role) {
    case "assistant":
      return `assistant[${(planned.toolCalls ?? []).map(({ id }) => id).join(",")}]`;
    case "tool":
      return `tool(${planned.toolCallId}:${planned.status})`;
    default:
      return planned.role;
  }
}

function charactersOf(messages: readonly ThreadMessage[]): number {
  const texts = messages.map((planned) => {
    const calls = planned.role === "assistant" ? planned.toolCalls : undefined;
    return planned.content + (calls === undefined ? "" : serializeValue(calls));
  });
  return texts.join("").length;
}

function toolText(events: readonly AgentEvent[], id: string): string | undefined {
  return planMessages(events).find((planned) => planned.role === "tool" && planned.toolCallId === id)?.content;
}

/** What a provider refuses: a call that is not answered once and at once, an answer without its call, an id used twice. */
function refusals(messages: readonly ThreadMessage[]): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  let due: string[] = [];
  for (const planned of messages) {
    if (planned.content !== sound(planned.content)) found.push(`half of a pair: ${planned.content}`);
    if (planned.role === "tool") {
      if (due.shift() !== planned.toolCallId) found.push(`answer out of place: ${planned.toolCallId}`);
      continue;
    }
    if (due.length > 0) found.push(`unanswered: ${due.join()}`);
    due = planned.role === "assistant" ? (planned.toolCalls ?? []).map(({ id }) => id) : [];
    for (const id of due) {
      if (id === "" || seen.has(id)) found.push(`id empty or repeated: ${id}`);
      seen.add(id);
    }
    if (planned.content.trim() === "" && due.length === 0) found.push("a message that says nothing");
  }
  if (due.length > 0) found.push(`unanswered: ${due.join()}`);
  return found;
}

/** A text without halves of pairs, which no provider takes. */
function sound(text: string): string {
  return Array.from(text, (character) => (/^\p{Cs}$/u.test(character) ? "\ufffd" : character)).join("");
}

/** JSON writes them as escapes, and nothing else that begins so. */
function soundJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\\\|\\ud[89a-f]../g, (found) => (found === "\\\\" ? found : "\ufffd"));
}

/** Every text and name that an event brings to the conversation. */
function textsOf(event: AgentEvent): string[] {
  switch (event.type) {
    case "message":
    case "plan":
      return [contentText(event.content)];
    case "tool_call":
      return [event.toolName];
    case "tool_result":
      return [serializeValue(event.result)];
    case "error":
      return [event.error];
    case "human_input_requested":
      return [event.question, event.context ?? "", ...(event.choices ?? [])];
    case "human_input_received":
      return [event.response];
    case "completion":
      return [event.result];
    case "summary":
      return [event.summary];
    case "approval":
      return [event.toolName, event.response ?? ""];
  }
}

/** Ids that collide, in orders that no client should write. */
const nastyThread = fc.array(
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom("a", "b", "a_2", ""),
        fc.constantFrom({}, { parallelGroup: "g" }, { parallelGroup: "h" }),
        fc.nat(2),
      )
      .map(([id, group, iteration]) => call(id, "tool", { ...group, iteration })),
    fc
      .tuple(fc.constantFrom("a", "b", "a_2", "", "nobody"), anyText, fc.nat(2))
      .map(([id, text, iteration]) => result(id, text, { iteration })),
    fc.tuple(fc.constantFrom("a", "b", undefined), anyText).map(([id, text]) => failure(id, text)),
    fc
      .tuple(fc.constantFrom("user", "assistant", "system"), fc.oneof(anyText, fc.constant("")))
      .map(([role, text]) => message(text, { role })),
  ),
  { maxLength: 25 },
);

describe("planMessages", () => {
  it("holds what providers demand for any list of events, and loses no text", () => {
    fc.assert(
      fc.property(fc.oneof(anyThread, nastyThread), (events) => {
        const messages = planMessages(events);
        expect(refusals(messages)).toEqual([]);
        const said = messages.map((planned) => planned.content);
        const called = messages.flatMap((planned) => (planned.role === "assistant" ? (planned.toolCalls ?? []) : []));
        for (const event of events) {
          for (const text of textsOf(event).map(sound)) {
            const known =
              text.trim() === "" ||
              said.some((content) => content.includes(text)) ||
              called.some(({ name }) => sound(name) === text);
            expect(known, `${event.type}: ${text}`).toBe(true);
          }
        }
        const argumentsOf = called.map(({ args }) => JSON.stringify(args)).sort();
        const expected = events.flatMap((event) => (event.type === "tool_call" ? [soundJson(event.args)] : []));
        expect(argumentsOf).toEqual(expected.sort());
      }),
      { numRuns: 200 },
    );
  });

  it("leaves out the middle of an answer that is longer than it may be, and of nothing else", () => {
    const long = "🚀".repeat(5_000);
    const events = [message(long), call("a", "read"), call("b", "read"), result("a", { long }), failure("b", long)];
    const planned = planMessages(events, { maxResultCharacters: 1_000 });
    for (const { role, content } of planned.slice(2)) {
      expect(role).toBe("tool");
      expect(content.length).toBeLessThanOrEqual(1_000);
      expect(content.length).toBeGreaterThan(990);
      expect(content).toMatch(/🚀\[… [\d ]+ characters left out …\]🚀/u);
      expect(content).not.toMatch(/\p{Cs}/u);
    }
    expect(planned[0]?.content).toBe(long);
    expect(planMessages(events, { maxResultCharacters: 20_000 })).toEqual(planMessages(events));
    expect(() => planMessages([], { maxResultCharacters: Number.NaN })).toThrow(
      "maxResultCharacters: expected a number",
    );
  });

  it("keeps the first request and the newest turns within a limit, and what providers demand", () => {
    fc.assert(
      fc.property(fc.oneof(anyThread, nastyThread), fc.nat(400), (events, maxCharacters) => {
        const whole = planMessages(events, { instructions: "Be brief." });
        const planned = planMessages(events, { instructions: "Be brief.", maxCharacters });
        expect(refusals(planned)).toEqual([]);
        if (charactersOf(whole) <= maxCharacters) expect(planned).toEqual(whole);
        expect(planned[0]).toEqual(whole[0]);
        const user = whole.find(({ role }) => role === "user");
        if (user !== undefined) expect(planned).toContainEqual(user);
        expect(planned.at(-1)).toEqual(whole.at(-1));
        const mark = planned.findIndex(({ content }) => /^\[… \d+ messages? left out …\]$/.test(content));
        if (mark === -1) return;
        const count = Number(/\d+/.exec(planned[mark]?.content ?? "")?.[0]);
        expect(planned.length - 1 + count).toBe(whole.length);
        // Beyond the limit there is nothing but what always stays.
        const turns = planned.slice(mark + 1).filter(({ role }) => role !== "tool").length;
        if (turns > 1) expect(charactersOf(planned)).toBeLessThanOrEqual(maxCharacters);
      }),
      { numRuns: 250 },
    );
  });

  it("leaves out more only now and then, so that a provider's cache goes on to hit", () => {
    const events: AgentEvent[] = [message("The request.")];
    let before = planMessages(events);
    let changes = 0;
    for (let turn = 0; turn < 300; turn++) {
      events.push(call(`c${turn}`, "read"), result(`c${turn}`, "x".repeat(100 + (turn % 7) * 30)));
      const planned = planMessages(events, { maxCharacters: 12_000 });
      expect(charactersOf(planned)).toBeLessThanOrEqual(12_000);
      if (charactersOf(planMessages(events)) > 12_000) expect(charactersOf(planned)).toBeGreaterThan(6_000);
      if (JSON.stringify(planned.slice(0, before.length)) !== JSON.stringify(before)) changes++;
      before = planned;
    }
    expect(changes).toBeGreaterThan(5);
    expect(changes).toBeLessThan(25);
  });

  it("sends arguments that nest deeper than clients can write as text", () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 20_000; level++) deep = { deep };
    const planned = planMessages([
      call("a", "read", { args: deep }),
      call("b", "read", { args: { n: -0, toJSON: 1 } }),
    ]);
    expect(() => JSON.stringify(planned)).not.toThrow();
    expect(planned).toMatchObject([
      { toolCalls: [{ args: { input: serializeValue(deep) } }, { args: { n: -0, toJSON: 1 } }] },
      {},
      {},
    ]);
  });

  it("sends arguments that nest as deep as any tool's as they are", () => {
    let deep: Record<string, unknown> = { at: Number.NaN };
    for (let level = 0; level < 400; level++) deep = { deep };
    const [asked] = planMessages([call("a", "read", { args: deep })]);
    expect(JSON.stringify(asked)).toContain(`"args":${serializeValue(deep)}`);
  });

  it("gives the same messages for the same events", () => {
    fc.assert(
      fc.property(nastyThread, (events) => {
        expect(planMessages(structuredClone(events))).toEqual(planMessages(events));
      }),
    );
  });

  it("keeps the messages of a thread that grows, so that a provider's cache goes on to hit", () => {
    const turn = fc.oneof(
      fc.constantFrom("user", "assistant").map((role) => [message("text", { role })]),
      fc
        .array(fc.constantFrom("a", "b", "a_2", "a_3"), { minLength: 1, maxLength: 3 })
        .map((ids) => [
          message("", { role: "system" }),
          ...ids.map((id) => call(id, "x")),
          ...ids.map((id) => result(id, id)),
        ]),
    );
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), fc.nat(8), (turns, cut) => {
        const before = planMessages(turns.slice(0, cut).flat());
        expect(planMessages(turns.flat()).slice(0, before.length)).toEqual(before);
      }),
    );
  });

  it("puts the calls of one turn into one message with the text before them, answers in the calls' order", () => {
    const events = [
      message("do it"),
      message("I look.", { role: "assistant" }),
      call("a", "read"),
      call("b", "grep"),
      result("b", "second"),
      result("a", "first"),
      message("done", { role: "assistant" }),
    ];
    expect(outline(events)).toBe("user assistant[a,b] tool(a:success) tool(b:success) assistant[]");
    expect(planMessages(events)[1]).toMatchObject({ content: "I look." });
    expect(toolText(events, "a")).toBe("first");
  });

  it("joins calls of one parallel group though their answers stand between", () => {
    const group = { parallelGroup: "g" };
    expect(outline([call("a", "x", group), result("a", 1), call("b", "x", group), result("b", 2)])).toBe(
      "assistant[a,b] tool(a:success) tool(b:success)",
    );
    expect(outline([call("a", "x", group), call("b", "x", { ...group, iteration: 2 })])).toBe(
      "assistant[a] tool(a:error) assistant[b] tool(b:error)",
    );
    expect(outline([call("a", "x"), result("a", 1), call("b", "x"), result("b", 2)])).toBe(
      "assistant[a] tool(a:success) assistant[b] tool(b:success)",
    );
  });

  it("answers an interrupted call with a text that says so", () => {
    const events = [call("a", "deploy"), message("and?")];
    expect(outline(events)).toBe("assistant[a] tool(a:error) user");
    expect(toolText(events, "a")).toMatch(/interrupted.*may or may not have taken effect/);
  });

  it("makes the error of a call its answer, and an error of its own a text of the user", () => {
    const events = [
      call("a", "read"),
      failure("a", "no such file"),
      failure(undefined, "overloaded", { recoverable: false }),
    ];
    expect(outline(events)).toBe("assistant[a] tool(a:error) user");
    expect(toolText(events, "a")).toBe("[Error (recoverable)]: no such file");
    expect(planMessages(events)[2]).toEqual({ role: "user", content: "[Error (unrecoverable)]: overloaded" });
  });

  it("takes a result that follows a call's error as the rest of its answer", () => {
    const events = [call("a", "read"), failure("a", "interrupted, run again"), result("a", "text")];
    expect(outline(events)).toBe("assistant[a] tool(a:success)");
    expect(toolText(events, "a")).toBe("[Error (recoverable)]: interrupted, run again\ntext");
  });

  it("turns a result without a call, and an error of no known call, into texts of the user", () => {
    const events = [result("gone", { ok: true }), failure("gone", "late")];
    expect(planMessages(events)).toEqual([
      { role: "user", content: '[Tool result without a call (gone)]: {"ok":true}' },
      { role: "user", content: "[Error (recoverable)]: late" },
    ]);
  });

  it("gives a call its result that was logged just before it, and none from before a message", () => {
    expect(toolText([result("a", "early"), call("a", "x")], "a")).toBe("early");
    expect(outline([result("a", "old"), message("next"), call("a", "x")])).toBe("user user assistant[a] tool(a:error)");
    expect(outline([result("a", "old", { iteration: 0 }), call("a", "x")])).toBe("user assistant[a] tool(a:error)");
  });

  it("gives results to the nearest earlier call of an id used again, and makes the ids differ", () => {
    const events = [call("a", "one"), message("again"), call("a", "two"), result("a", "of two")];
    expect(outline(events)).toBe("assistant[a] tool(a:error) user assistant[a_2] tool(a_2:success)");
    expect(outline([call("a", "x"), call("a", "x"), call("a_2", "x"), call("", "x")])).toBe(
      "assistant[a,a_2,a_2_2,call_3] tool(a:error) tool(a_2:error) tool(a_2_2:error) tool(call_3:error)",
    );
  });

  it("writes people's answers, system texts, requests, plans, approvals and summaries as texts", () => {
    const base = { timestamp: 1, iteration: 1 };
    const events: AgentEvent[] = [
      { ...base, type: "summary", summarizedIterations: [1, 2], summary: "so far" },
      message("be brief", { role: "system" }),
      { ...base, type: "plan", content: "first a" },
      { ...base, type: "human_input_requested", question: "Which?", context: "two fit", choices: ["x", "y"] },
      { ...base, type: "human_input_received", response: "x", decision: "approve" },
      { ...base, type: "human_input_received", response: "also y" },
      { ...base, type: "approval", toolName: "deploy", toolCallId: "a", decision: "reject", response: "not today" },
      message("All done.", { role: "assistant" }),
      { ...base, type: "completion", result: "All done.", verified: true },
      { ...base, type: "completion", result: "Something else.", verified: true },
    ];
    expect(
      planMessages(events, { instructions: "You help." }).map(({ role, content }) => `${role}: ${content}`),
    ).toEqual([
      "system: You help.",
      "user: [Summary of iterations 1, 2]: so far",
      "user: [System]: be brief",
      "assistant: [Plan]: first a",
      "assistant: Which?\nContext: two fit\nChoices:\n- x\n- y",
      "user: [Human Response (approve)]: x",
      "user: [Human Response]: also y",
      "user: [Approval of deploy (reject)]: not today",
      "assistant: All done.",
      "assistant: Something else.",
    ]);
  });

  it("takes any value for content, arguments and results", () => {
    const cycle: Record<string, unknown> = { big: 1n };
    cycle.self = cycle;
    const blocks: unknown = [
      { type: "text", text: "one" },
      { type: "tool_result", content: [{ type: "text", text: "two" }] },
    ];
    const events = [
      message("", { content: blocks }),
      message("", { content: null }),
      call("a", "x", { args: cycle }),
      result("a", cycle),
    ];
    const messages = planMessages(events);
    expect(messages[0]?.content).toBe("one\ntwo");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(() => JSON.stringify(messages)).not.toThrow();
    expect(JSON.stringify(messages)).not.toContain("[object Object]");
  });

  it("takes what is no event at all", () => {
    const strangers: unknown = JSON.parse(
      '[null, 3, {"type":"new_kind","x":1}, {"type":"error","toolCallId":null,"error":"e","recoverable":true}]',
    );
    expect(Array.isArray(strangers)).toBe(true);
    const messages = planMessages(Array.isArray(strangers) ? strangers : []);
    expect(messages.map(({ content }) => content)).toEqual([
      "[Event]: null",
      "[Event]: 3",
      '[Event]: {"type":"new_kind","x":1}',
      "[Error (recoverable)]: e",
    ]);
  });

  it("plans a hundred thousand events in a moment", () => {
    const events = Array.from({ length: 50_000 }, (_, index) => [call("same", `t${index}`), result("x", index)]).flat();
    const start = cpuTime();
    expect(refusals(planMessages(events))).toEqual([]);
    expect(cpuTime() - start).toBeLessThan(3000);
  });
});
