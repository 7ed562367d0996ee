import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallGuesses, guessCallId } from "../../src/thread/guess-call-id.ts";
import { type AgentEvent, parseThread, serializeThread } from "../../src/thread/index.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { need } from "../helpers/need.ts";
import { anyText, anyThread, call, message, result, writable, writableEvent } from "./arbitrary-event.ts";

function parsed(xml: string) {
  return need(parseThread(xml));
}

function failure(xml: string) {
  const thread = parseThread(xml);
  if (thread.ok) throw new Error("expected a refusal");
  return thread.error;
}

describe("parseThread of the full style", () => {
  it("gives back every field of every event", () => {
    fc.assert(
      fc.property(anyThread, (events) => {
        const back = parsed(serializeThread(events, { attributes: "full" }));
        expect(back.events).toEqual(events.map(writableEvent));
        expect([back.gaps, back.unknown, back.responsePrefix]).toEqual([[], [], ""]);
      }),
      { numRuns: 500 },
    );
  });

  it("gives back the prefix as it was", () => {
    fc.assert(
      fc.property(anyText, (responsePrefix) => {
        expect(parsed(serializeThread([], { responsePrefix })).responsePrefix).toBe(responsePrefix);
      }),
    );
  });

  it("tells an own id that equals the position from none", () => {
    const events = [message("a", { id: "0" }), message("b")];
    expect(parsed(serializeThread(events, { attributes: "full" })).events).toEqual(events);
  });

  it("reads arguments and results that were cut as text", () => {
    const events = [
      message("m"),
      call("a", "w", { args: { text: "x".repeat(5_000) } }),
      result("a", { y: "y".repeat(5_000) }),
    ];
    const [, called, returned] = parsed(serializeThread(events, { attributes: "full", maxCharacters: 2_000 })).events;
    expect(called).toMatchObject({ args: { input: expect.stringMatching(/^\{"text":"x+\[… .* left out …\]x+"\}$/) } });
    expect(returned).toMatchObject({ result: expect.stringMatching(/^\{"y":"y+\[… .* left out …\]y+"\}$/) });
  });
});

describe("parseThread of the standard style", () => {
  it("restores what the layout holds and makes up the rest", () => {
    const xml = readFileSync(new URL("fixtures/expected.thread.xml", import.meta.url), "utf8");
    const at = { timestamp: 0, iteration: 1 };
    expect(parsed(xml).events).toEqual([
      { type: "message", role: "user", content: "What is 2+2?", timestamp: 0, iteration: 0 },
      { type: "tool_call", toolName: "calculator", toolCallId: "call_1", args: { expression: "2+2" }, ...at },
      { type: "tool_result", toolCallId: "call_1", result: "4", durationMs: 42, parallelGroup: "pg_1_0_1234", ...at },
      { type: "error", error: 'API <timeout> & "retry"', recoverable: true, ...at },
      { type: "human_input_requested", question: "Continue?", ...at },
      { type: "human_input_received", response: "Yes, it's ok", ...at },
      { type: "message", role: "assistant", content: "The answer is 4.", ...at },
      { type: "completion", result: "The answer is 4.", verified: false, ...at },
      { type: "summary", summary: "Earlier work", summarizedIterations: [1, 2, 3], timestamp: 0, iteration: 4 },
    ]);
  });

  const kept: Partial<Record<AgentEvent["type"], readonly string[]>> = {
    tool_call: ["toolName", "args", "parallelGroup"],
    tool_result: ["parallelGroup", "durationMs"],
    error: ["error", "recoverable"],
    human_input_requested: ["question"],
    human_input_received: ["response"],
    message: ["role", "content"],
    completion: ["result"],
    summary: ["summary", "summarizedIterations"],
    plan: ["content"],
    approval: ["toolName", "decision"],
  };

  it("gives back types, iterations, ids and bodies of any thread", () => {
    fc.assert(
      fc.property(anyThread, (events) => {
        const back = parsed(serializeThread(events)).events;
        expect(back.map(({ type, iteration }) => [type, iteration])).toEqual(events.map((e) => [e.type, e.iteration]));
        for (const [index, event] of events.entries()) {
          const whole = writableEvent(event);
          for (const field of kept[event.type] ?? []) {
            expect(Reflect.get(back[index] ?? {}, field)).toEqual(Reflect.get(whole, field));
          }
          const id = event.id === undefined || event.id === String(index) ? undefined : writable(event.id);
          expect(back[index]?.id).toBe(id);
        }
      }),
    );
  });

  it("writes the same text again for threads whose errors name no call", () => {
    const plain = anyThread.filter((events) =>
      events.every((event) => event.type !== "error" || event.toolCallId === undefined),
    );
    fc.assert(
      fc.property(plain, (events) => {
        const once = serializeThread(events);
        const names = new Set(events.filter((event) => event.type === "tool_call").map((event) => event.toolName));
        fc.pre(names.size === events.filter((event) => event.type === "tool_call").length);
        const results = events.filter((event) => event.type === "tool_result").map((event) => event.toolCallId);
        fc.pre(new Set(results).size === results.length);
        expect(serializeThread(parsed(once).events)).toBe(once);
      }),
    );
  });

  it("joins results to calls of the same name in order, past one that is pending", () => {
    const events = [call("x", "read"), call("y", "read"), call("z", "read"), result("y", "1"), result("z", "2")];
    const ids = parsed(serializeThread(events)).events.map((event) => "toolCallId" in event && event.toolCallId);
    expect(ids).toEqual(["call_0", "call_1", "call_2", "call_1", "call_2"]);
  });

  it("joins as many results as there are calls before them in linear time", () => {
    const calls = Array.from({ length: 20_000 }, (_, index) => call(`c${index}`, "read"));
    const xml = serializeThread([...calls, ...calls.map((_, index) => result(`c${index}`, "r"))]);
    expect(parsed(xml).events.at(-1)).toMatchObject({ toolCallId: "call_19999" });

    const guesses: CallGuesses = new Map();
    const guess = (type: string, count: number): number => {
      const element = { attributes: new Map([["type", type]]), body: "", line: 1 };
      const started = cpuTime();
      let last: unknown;
      for (let at = 0; at < count; at++) last = guessCallId(guesses, element, at).toolCallId;
      expect(last).toBe(`call_${count - 1}`);
      return cpuTime() - started;
    };
    // In a list as long as this one V8 moves all others where the first is taken out: a hundred times as long.
    const calling = guess("tool_input", 100_000);
    expect(guess("tool_output", 100_000)).toBeLessThan(5 * Math.max(calling, 10));
  });

  it("takes the newest call without a result for the one that was approved, where there is one", () => {
    const approval = { type: "approval", toolName: "read", toolCallId: "y", decision: "approve" } as const;
    const at = { timestamp: 1, iteration: 1 };
    const events = [call("x", "read"), call("y", "read"), { ...approval, ...at }, result("x", "1"), result("y", "2")];
    const idOf = (event: AgentEvent | undefined) => event !== undefined && "toolCallId" in event && event.toolCallId;
    expect(idOf(parsed(serializeThread(events)).events[2])).toBe("call_1");
    const late = [...events.slice(0, 2), ...events.slice(3), { ...approval, ...at }];
    expect(idOf(parsed(serializeThread(late)).events[4])).toBe("call_of_4");
  });

  it("counts positions across a gap", () => {
    const events = Array.from({ length: 50 }, (_, index) => message(`m${index}`));
    const xml = serializeThread(events, { maxCharacters: 400 });
    const { events: back, gaps } = parsed(xml);
    expect(gaps).toHaveLength(1);
    expect(back.every((event) => event.id === undefined)).toBe(true);
  });

  it("hands over what is no event of a known type as text", () => {
    const xml = Reflect.apply(serializeThread, null, [[message("a"), { type: "odd" }, message("b")]]);
    expect(parsed(xml)).toMatchObject({ unknown: ['{"type":"odd"}'], events: [{ content: "a" }, { content: "b" }] });
  });
});

describe("parseThread of what others write", () => {
  it("reads any order of attributes, either quote, blanks, references, a declaration and an empty element", () => {
    const xml = [
      "\uFEFF<?xml version='1.0'?>",
      "<thread >",
      `<event\n iteration = '2'  id="0" type="human" >a &#x41;&#66;&quot;</event ><event type="plan" id="1" iteration="3"/>`,
      "</thread>",
      "",
    ].join("\r\n");
    expect(parsed(xml).events).toEqual([
      { type: "message", role: "user", content: 'a AB"', timestamp: 0, iteration: 2 },
      { type: "plan", content: "", timestamp: 0, iteration: 3 },
    ]);
    expect(parsed("<thread/>").events).toEqual([]);
  });

  it("resolves references wherever they stand in a long text, and those that a resolved one only looks like", () => {
    const around = 2 ** 20;
    for (let shift = 0; shift < 14; shift++) {
      const content = `${"x".repeat(around - shift)}&lt;<&#13;\r"&amp;amp;${"y".repeat(around - 20)}&>'`;
      expect(parsed(serializeThread([message(content)])).events).toMatchObject([{ content }]);
    }
    const xml = "<thread><event type='human' iteration='1'>&#38;amp;&amp;lt;&#x26;lt;</event></thread>";
    expect(parsed(xml).events).toMatchObject([{ content: "&amp;&lt;&lt;" }]);
  });

  it("reads line ends of a file that was saved with CRLF as newlines", () => {
    const xml = serializeThread([message("a\nb\r\nc")]).replaceAll("\n", "\r\n");
    expect(parsed(xml).events).toMatchObject([{ content: "a\nb\r\nc" }]);
  });

  it.each([
    ["", 1, "expected <thread>, found the end of the text"],
    ["hello", 1, 'expected <thread>, found "hello"'],
    ["<thread>\n\n<message/>", 3, 'expected <event …> or </thread>, found "<message/>"'],
    [
      "<thread>\n<event type='human' iteration='1'>a<b></event></thread>",
      2,
      'expected </event>, found "<b></event></thread>"',
    ],
    ["<thread>\n<event type='human' iteration='1'>a", 2, "expected </event>, found the end of the text"],
    [
      "<thread>\n<event type=human></event></thread>",
      2,
      'expected an attribute name="value" or >, found " type=human></event></thread>"',
    ],
    ["<thread><event type='human' type='ai'></event></thread>", 1, "the attribute type stands twice"],
    [
      "<thread>\n\n<event type='human' iteration='1'>a & b</event></thread>",
      3,
      'expected &amp; &lt; &gt; &quot; &apos; or a character reference, found "&"',
    ],
    [
      "<thread><event type='human' iteration='1'>&#0;</event></thread>",
      1,
      'expected &amp; &lt; &gt; &quot; &apos; or a character reference, found "&#0;"',
    ],
    [
      "<thread>\n<event type='robot' iteration='1'>a</event></thread>",
      2,
      'event "robot": expected a type that threads know',
    ],
    ["<thread><event iteration='1'>a</event></thread>", 1, "expected an attribute type"],
    [
      "<thread>\n<event type='human'>a</event></thread>",
      2,
      'event "human": iteration: expected a finite number, found nothing',
    ],
    [
      "<thread><event type='error' iteration='1' recoverable='maybe'/></thread>",
      1,
      'event "error": recoverable: expected true or false, found "maybe"',
    ],
    [
      "<thread><event type='tool_output' iteration='1' value='json'>{</event></thread>",
      1,
      'event "tool_output": expected JSON, found "{"',
    ],
    [
      "<thread><event type='omitted' id='1' count='0'/></thread>",
      1,
      'event "omitted": count: expected a whole number from 1 up',
    ],
    ["<thread>\n</thread> more", 2, "expected a newline after </thread>"],
  ])("refuses %j and says where and why", (xml, line, text) => {
    expect(failure(xml)).toEqual({ line, message: text });
  });

  it.each([
    ["newlines", `<thread>${"\n".repeat(1_000_000)}x`],
    ["blanks in a tag", `<thread><event${" ".repeat(1_000_000)}x`],
    ["a name without end", `<thread><event ${"a".repeat(1_000_000)}`],
    ["a value without end", `<thread><event a="${"a".repeat(1_000_000)}`],
    ["ampersands", `<thread><event type="plan" iteration="1">${"&".repeat(1_000_000)}</event></thread>`],
    ["blanks before the root", " ".repeat(1_000_000)],
    ["many events on one line", `<thread>${'<event type="plan" iteration="1"></event>'.repeat(25_000)}</thread>`],
  ])("stays linear on a megabyte of %s", (_, xml) => {
    const started = cpuTime();
    parseThread(xml);
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});
