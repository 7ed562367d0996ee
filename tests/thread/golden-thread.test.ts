import { describe, expect, it } from "vitest";
import { planMessages } from "../../src/thread/build-messages.ts";
import { contentText } from "../../src/thread/content-text.ts";
import { type AgentEvent, parseThread, serializeThread } from "../../src/thread/index.ts";
import { unansweredCalls } from "../../src/thread/link-answers.ts";
import { need } from "../helpers/need.ts";
import { call, message, result } from "./arbitrary-event.ts";

/** One event of each type with every field that it can have. */
const EVERYTHING: readonly AgentEvent[] = [
  { type: "message", role: "user", content: 'a <b> & "c"\t\n', timestamp: 1.5, iteration: 0, id: "0" },
  { type: "message", role: "assistant", content: "it's\r", timestamp: -0, iteration: -0 },
  { type: "message", role: "system", content: "", timestamp: 3, iteration: 1, id: "s\t\n\r" },
  {
    type: "tool_call",
    toolName: "read",
    toolCallId: "c1",
    args: { path: "x", list: [1, null] },
    timestamp: 4,
    iteration: 1,
    parallelGroup: "g 1",
  },
  {
    type: "tool_result",
    toolCallId: "c1",
    result: { a: 1 },
    timestamp: 5,
    iteration: 1,
    durationMs: 42,
    parallelGroup: "g",
  },
  { type: "tool_result", toolCallId: "c1", result: "text", timestamp: 5, iteration: 1 },
  { type: "tool_result", toolCallId: "none", result: undefined, timestamp: 5, iteration: 1 },
  { type: "error", error: "e", toolCallId: "c1", recoverable: true, timestamp: 6, iteration: 1 },
  { type: "error", error: "f", recoverable: false, timestamp: 6, iteration: 1 },
  {
    type: "human_input_requested",
    question: "q?",
    kind: "approval",
    context: "why",
    urgency: "high",
    format: "yes_no",
    choices: ["y", "n"],
    timestamp: 7,
    iteration: 1,
  },
  { type: "human_input_received", response: "r", decision: "edit", timestamp: 8, iteration: 1 },
  { type: "completion", result: "done", verified: true, timestamp: 9, iteration: 1 },
  { type: "summary", summary: "so far", summarizedIterations: [0, -0, 2], timestamp: 10, iteration: 2 },
  { type: "plan", content: "1. a", timestamp: 11, iteration: 2 },
  { type: "approval", toolName: "rm", toolCallId: "c2", decision: "reject", response: "", timestamp: 12, iteration: 2 },
  { type: "approval", toolName: "rm", toolCallId: "c2", decision: "approve", timestamp: 12, iteration: 2 },
  { type: "tool_call", toolName: "wait", toolCallId: "c3", args: {}, timestamp: 13, iteration: 2 },
];

const FULL = `<thread>
  <event type="human" id="0" iteration="0" timestamp="1.5" position="0">a &lt;b&gt; &amp; &quot;c&quot;\t
</event>
  <event type="ai" id="1" iteration="-0" timestamp="-0">it&apos;s&#13;</event>
  <event type="system" id="s&#9;&#10;&#13;" iteration="1" timestamp="3" position="2"></event>
  <event type="tool_input" id="3" name="read" iteration="1" parallel_group="g 1" timestamp="4" tool_call_id="c1" value="json">{&quot;path&quot;:&quot;x&quot;,&quot;list&quot;:[1,null]}</event>
  <event type="tool_output" id="4" name="read" status="success" iteration="1" duration_ms="42" parallel_group="g" timestamp="5" tool_call_id="c1" value="json">{&quot;a&quot;:1}</event>
  <event type="tool_output" id="5" name="read" status="success" iteration="1" timestamp="5" tool_call_id="c1" value="text">text</event>
  <event type="tool_output" id="6" status="orphan" iteration="1" timestamp="5" tool_call_id="none" value="none">null</event>
  <event type="error" id="7" iteration="1" recoverable="true" timestamp="6" tool_call_id="c1">e</event>
  <event type="error" id="8" iteration="1" recoverable="false" timestamp="6">f</event>
  <event type="human_input_requested" id="9" iteration="1" timestamp="7" kind="approval" context="why" urgency="high" format="yes_no" choices="[&quot;y&quot;,&quot;n&quot;]">q?</event>
  <event type="human_input_received" id="10" iteration="1" timestamp="8" decision="edit">r</event>
  <event type="completion" id="11" iteration="1" timestamp="9" verified="true">done</event>
  <event type="summary" id="12" iteration="2" summarizedIterations="0,-0,2" timestamp="10">so far</event>
  <event type="plan" id="13" iteration="2" timestamp="11">1. a</event>
  <event type="approval" id="14" name="rm" iteration="2" decision="reject" timestamp="12" tool_call_id="c2" value="text"></event>
  <event type="approval" id="15" name="rm" iteration="2" decision="approve" timestamp="12" tool_call_id="c2" value="none"></event>
  <event type="tool_input" id="16" name="wait" status="pending" iteration="2" timestamp="13" tool_call_id="c3" value="json">{}</event>
</thread>`;

/** A thread of what may come from plain JavaScript, where no compiler looks. */
function strangers(...events: readonly unknown[]): string[] {
  return Reflect.apply(serializeThread, null, [events, { attributes: "full" }])
    .split("\n")
    .slice(1, -1);
}

function parsed(xml: string) {
  return need(parseThread(xml));
}

describe("a thread in the full style", () => {
  it("is these bytes", () => {
    expect(serializeThread(EVERYTHING, { attributes: "full" })).toBe(FULL);
  });

  it("is read back as it was", () => {
    expect(parsed(FULL).events).toEqual(EVERYTHING);
  });

  it("takes null for what is not there, a role of its own for the system's, and any value for a number", () => {
    const odd = { timestamp: null, iteration: "2", id: null };
    expect(
      strangers(
        { ...odd, type: "message", role: "tool", content: 3 },
        { ...odd, type: "message", role: "toString", content: "x" },
        { ...odd, type: "summary", summarizedIterations: ["1", { a: 2 }], summary: null },
        { ...odd, type: "summary", summarizedIterations: "1-3", summary: undefined },
        { ...odd, type: "tool_result", toolCallId: null, result: 1 },
      ),
    ).toEqual([
      '  <event type="system" id="0" iteration="2">3</event>',
      '  <event type="system" id="1" iteration="2">x</event>',
      '  <event type="summary" id="2" iteration="2" summarizedIterations="1,{&quot;a&quot;:2}"></event>',
      '  <event type="summary" id="3" iteration="2" summarizedIterations="1-3"></event>',
      '  <event type="tool_output" id="4" status="orphan" iteration="2" value="json">1</event>',
    ]);
  });

  it("says text of a body in JSON that was cut, and what it was of any other", () => {
    const long = "x".repeat(200);
    const events = [call("a", "w", { args: { long } }), result("a", { long }), result("a", long), result("a", [1])];
    const xml = serializeThread(events, { attributes: "full", maxResultCharacters: 60 });
    expect(xml.match(/ value="\w+"/g)).toEqual([' value="json"', ' value="text"', ' value="text"', ' value="json"']);
  });
});

describe("an event in the standard style", () => {
  const event = (attributes: string, body = "b") =>
    `<thread><event ${attributes} iteration="1">${body}</event></thread>`;
  const at = { timestamp: 0, iteration: 1 };

  it.each([
    [
      'type="tool_input" id="0" name="n"',
      '{"a":1}',
      { type: "tool_call", toolName: "n", toolCallId: "call_0", args: { a: 1 } },
    ],
    [
      'type="tool_input" name="n" id="7"',
      "[1]",
      { type: "tool_call", toolName: "n", toolCallId: "call_0", args: { input: "[1]" }, id: "7" },
    ],
    [
      'type="tool_input" name="n" value="text"',
      '{"a":1}',
      { type: "tool_call", toolName: "n", toolCallId: "call_0", args: { input: '{"a":1}' } },
    ],
    ['type="tool_output" name="n"', "{}", { type: "tool_result", toolCallId: "call_of_0", result: "{}" }],
    ['type="tool_output" value="json"', "{}", { type: "tool_result", toolCallId: "call_of_0", result: {} }],
    ['type="tool_output" value="none"', "null", { type: "tool_result", toolCallId: "call_of_0", result: undefined }],
    [
      'type="tool_output" duration_ms=" 4e1 "',
      "x",
      { type: "tool_result", toolCallId: "call_of_0", result: "x", durationMs: 40 },
    ],
    [
      'type="error" recoverable="false" tool_call_id="t"',
      "x",
      { type: "error", error: "x", recoverable: false, toolCallId: "t" },
    ],
    ['type="completion"', "x", { type: "completion", result: "x", verified: false }],
    ['type="completion" verified="true"', "x", { type: "completion", result: "x", verified: true }],
    ['type="summary" summarizedIterations=""', "x", { type: "summary", summary: "x", summarizedIterations: [] }],
    [
      'type="summary" summarizedIterations="1, 2"',
      "x",
      { type: "summary", summary: "x", summarizedIterations: [1, 2] },
    ],
    [
      'type="approval" name="n" decision="edit"',
      "",
      { type: "approval", toolName: "n", toolCallId: "call_of_0", decision: "edit" },
    ],
    [
      'type="approval" name="n" decision="edit"',
      "x",
      { type: "approval", toolName: "n", toolCallId: "call_of_0", decision: "edit", response: "x" },
    ],
    [
      'type="approval" name="n" decision="edit" value="none"',
      "x",
      { type: "approval", toolName: "n", toolCallId: "call_of_0", decision: "edit" },
    ],
    [
      'type="approval" name="n" decision="edit" value="text"',
      "",
      { type: "approval", toolName: "n", toolCallId: "call_of_0", decision: "edit", response: "" },
    ],
    ['type="plan" id="0" timestamp="5"', "x", { type: "plan", content: "x", timestamp: 5 }],
    ['type="plan" id="0" position="0"', "x", { type: "plan", content: "x", id: "0" }],
    ['type="plan" id="1"', "x", { type: "plan", content: "x", id: "1" }],
    ['type="human_input_requested" choices="[]"', "q", { type: "human_input_requested", question: "q", choices: [] }],
  ])("%s around %j", (attributes, body, expected) => {
    expect(parsed(event(attributes, body)).events).toEqual([{ ...at, ...expected }]);
  });

  it.each([
    ['type="human" timestamp="x"', 'event "human": timestamp: expected a finite number, found "x"'],
    ['type="human" timestamp=" "', 'event "human": timestamp: expected a finite number, found " "'],
    ['type="human" timestamp="1e999"', 'event "human": timestamp: expected a finite number, found "1e999"'],
    ['type="error"', 'event "error": recoverable: expected true or false, found nothing'],
    ['type="summary"', 'event "summary": summarizedIterations: expected a list of finite numbers, found nothing'],
    [
      'type="summary" summarizedIterations="1,x"',
      'event "summary": summarizedIterations: expected a list of finite numbers, found a list',
    ],
    ['type="human_input_requested" choices="x"', 'event "human_input_requested": expected JSON, found "x"'],
    [
      'type="human_input_requested" choices="{}"',
      'event "human_input_requested": choices: expected a list of strings, found an object',
    ],
    [
      `type="human_input_requested" choices="${"x".repeat(50)}"`,
      `event "human_input_requested": expected JSON, found "${"x".repeat(40)}"`,
    ],
    ['type="tool_input"', 'event "tool_input": toolName: expected a string, found nothing'],
    ['type="omitted" count="1.5"', 'event "omitted": count: expected a whole number from 1 up'],
    ['type="omitted"', 'event "omitted": count: expected a whole number from 1 up'],
  ])("%s is refused: %s", (attributes, expected) => {
    expect(parseThread(event(attributes))).toEqual({ ok: false, error: { line: 1, message: expected } });
  });

  it("counts a gap and what is unknown in the positions behind it", () => {
    const xml = `<thread>
<event type="omitted" count="3"/><event type="plan" id="3" iteration="1">a</event>
<event type="unknown">?</event><event type="plan" id="5" iteration="1">b</event>
<event type="plan" id="5" iteration="1">c</event><event type="omitted" count="1"/></thread>

more`;
    expect(parsed(xml)).toEqual({
      events: [
        { ...at, type: "plan", content: "a" },
        { ...at, type: "plan", content: "b" },
        { ...at, type: "plan", content: "c", id: "5" },
      ],
      gaps: [
        { index: 0, count: 3 },
        { index: 3, count: 1 },
      ],
      unknown: ["?"],
      responsePrefix: "\nmore",
    });
    expect(parsed("<thread></thread>\r\nmore").responsePrefix).toBe("more");
    expect(parsed("<thread></thread> \t").responsePrefix).toBe(" \t");
  });

  it("goes with the calls of its name, oldest first", () => {
    const of = (type: string, name: string, more = "") =>
      `<event type="${type}" name="${name}" iteration="1" decision="edit"${more}>{}</event>`;
    const xml = [
      of("tool_input", "a"),
      of("tool_input", "b"),
      of("tool_input", "a"),
      of("tool_input", "a", ' status="pending"'),
      of("approval", "a"),
      of("tool_output", "a"),
      of("tool_output", "a", ' status="orphan"'),
      of("approval", "a"),
      of("tool_output", "a"),
      of("tool_output", "a"),
      of("approval", "a"),
      of("tool_output", "b", ' tool_call_id="own"'),
      of("tool_output", "b"),
    ].join("");
    expect(parsed(`<thread>${xml}</thread>`).events.map((each) => "toolCallId" in each && each.toolCallId)).toEqual([
      "call_0",
      "call_1",
      "call_2",
      "call_3",
      "call_2",
      "call_0",
      "call_of_6",
      "call_2",
      "call_2",
      "call_of_9",
      "call_of_10",
      "own",
      "call_1",
    ]);
  });
});

describe("the elements of a thread", () => {
  const reads = (xml: string) => {
    const thread = parseThread(xml);
    return thread.ok
      ? thread.value.events.map((each) => ("content" in each ? each.content : ""))
      : thread.error.message;
  };
  const plan = (body: string) => `<event type="plan" iteration="1">${body}</event>`;

  it.each([
    ["\uFEFF<thread></thread>", []],
    ["<?xml version='1.0'?><thread></thread>", []],
    [" \t\r\n<thread \t></thread \n>", []],
    ["<thread\n/>", []],
    [`<thread>${plan("a")}\n ${plan("b")}</thread>`, ["a", "b"]],
    [`<thread>${plan("&amp;&lt;&gt;&quot;&apos;&#9;&#x9;&#10;&#13;")}</thread>`, ["&<>\"'\t\t\n\r"]],
    [
      `<thread>${plan("&#x20;&#xD7FF;&#xE000;&#xFFFD;&#x10000;&#x10FFFF;")}</thread>`,
      [" \uD7FF\uE000\uFFFD\u{10000}\u{10FFFF}"],
    ],
    [`<thread>${plan("a\r\nb\rc\r\r")}</thread>`, ["a\nb\nc\n\n"]],
    ["<thread><event type='plan' iteration='1'/></thread>", [""]],
    ["<thread><event type='plan' iteration='1' /></thread>", [""]],
    ["<thread><event type='plan' iteration='1'\n></event\t></thread>", [""]],
    ["<thread><event type='plan' x='\"' y.-1_=\"'\" iteration='1'>a</event></thread>", ["a"]],
    [`<?xml ${"x".repeat(101)}?><thread/>`, `expected <thread>, found "<?xml xxxxxxxxxxxxxxxxxxxxxxxx"`],
    ["<threads></threads>", 'expected <thread>, found "<threads></threads>"'],
    ["<thread>", "expected <event …> or </thread>, found the end of the text"],
    ["<thread><events></events></thread>", 'expected <event …> or </thread>, found "<events></events></thread>"'],
    ["<thread><event></event></thread>", "expected an attribute type"],
    ["<thread><event/></thread>", "expected an attribute type"],
    [
      "<thread><event 1='2'></event></thread>",
      `expected an attribute name="value" or >, found " 1='2'></event></thread>"`,
    ],
    [
      "<thread><event a='<'></event></thread>",
      `expected an attribute name="value" or >, found " a='<'></event></thread>"`,
    ],
    [
      "<thread><event a='1'b='2'></event></thread>",
      `expected an attribute name="value" or >, found "b='2'></event></thread>"`,
    ],
    ["<thread><event type='plan' iteration='1'>a</thread>", 'expected </event>, found "</thread>"'],
    [
      "<thread><event a='&x;'></event></thread>",
      'expected &amp; &lt; &gt; &quot; &apos; or a character reference, found "&x;"',
    ],
    ...[
      "&#xD800;",
      "&#xDFFF;",
      "&#xFFFE;",
      "&#x110000;",
      "&#31;",
      "&#8;",
      "&#11;",
      "&#12;",
      "&#14;",
      "&#;",
      "&#x;",
      "&#xg;",
      "&;",
      "&amp",
      "&#65x;",
    ].map((reference): [string, string] => [
      `<thread>${plan(reference)}</thread>`,
      `expected &amp; &lt; &gt; &quot; &apos; or a character reference, found ${JSON.stringify(reference === "&amp" || reference === "&;" ? "&" : reference)}`,
    ]),
  ])("of %j are %j", (xml, expected) => {
    expect(reads(xml)).toEqual(expected);
  });

  it("have attributes whose line ends are blanks", () => {
    const xml = "<thread><event type='plan' iteration='1' id='a\r\nb\nc\td\re&#10;f'></event></thread>";
    expect(parsed(xml).events[0]?.id).toBe("a b c d e\nf");
  });

  it("are named by their lines", () => {
    const xml =
      "<thread>\n\n<event\n type='plan'\n iteration='1'></event>\n<event\n\n type='x' iteration='1'></event></thread>";
    expect(parseThread(xml)).toEqual({
      ok: false,
      error: { line: 6, message: 'event "x": expected a type that threads know' },
    });
    expect(parseThread("<thread>\n<event a='1'\n a='2'/></thread>")).toMatchObject({ error: { line: 2 } });
    expect(parseThread("<thread>\n<event\n a='&'/></thread>")).toMatchObject({ error: { line: 2 } });
    expect(parseThread("<thread>\n<event>\n&</event></thread>")).toMatchObject({ error: { line: 2 } });
    expect(parseThread("<thread>\n</thread>x\ny")).toMatchObject({ error: { line: 3 } });
  });
});

describe("the text of a content", () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? "end" : [{ type: "tool_result", content: nested(depth - 1) }];
  it.each([
    ["x", "x"],
    [null, ""],
    [undefined, ""],
    [3, "3"],
    [{ a: 1 }, '{"a":1}'],
    [[], ""],
    [["a", 1, null], "a\n1\nnull"],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: 3 },
      ],
      'a\n{"type":"text","text":3}',
    ],
    [[{ type: "other", text: "a", content: "b" }], '{"type":"other","text":"a","content":"b"}'],
    [nested(5), "end"],
    [nested(6), '{"type":"tool_result","content":[{"type":"tool_result","content":"end"}]}'],
  ])("%j is %j", (content, expected) => {
    expect(contentText(content)).toBe(expected);
  });
});

describe("messages of a thread", () => {
  const said = (...events: readonly unknown[]) =>
    Reflect.apply(planMessages, null, [events]).map(
      ({ role, content }: { role: string; content: string }) => `${role}: ${content}`,
    );
  const base = { timestamp: 1, iteration: 1 };

  it.each([
    [{ type: "summary", summarizedIterations: [3], summary: "s" }, "user: [Summary of iteration 3]: s"],
    [{ type: "summary", summarizedIterations: [], summary: "s" }, "user: [Summary]: s"],
    [{ type: "summary", summarizedIterations: "1", summary: "s" }, "user: [Summary]: s"],
    [{ type: "human_input_requested", question: "q" }, "assistant: q"],
    [{ type: "human_input_requested", question: "q", context: null, choices: [] }, "assistant: q"],
    [{ type: "human_input_requested", question: "q", choices: "ab" }, "assistant: q"],
    [{ type: "human_input_received", response: "r", decision: null }, "user: [Human Response]: r"],
    [{ type: "approval", toolName: "t", decision: "edit" }, "user: [Approval of t (edit)]"],
    [{ type: "approval", toolName: "t", response: "r" }, "user: [Approval of t]: r"],
    [{ type: "message", role: "tool", content: "c" }, "user: [System]: c"],
    [{ type: "plan", content: "c" }, "assistant: [Plan]: c"],
  ])("%j", (event, expected) => {
    expect(said({ ...base, ...event })).toEqual([expected]);
  });

  it("leave out blank texts, and a completion that repeats the last text alone", () => {
    const done = { ...base, type: "completion", result: "x", verified: true };
    const ai = (content: string) => message(content, { role: "assistant" });
    expect(said(ai("x"), done)).toEqual(["assistant: x"]);
    expect(said(message("x"), done)).toEqual(["user: x", "assistant: x"]);
    expect(said(ai("x"), ai("x"))).toEqual(["assistant: x", "assistant: x"]);
    expect(said(ai(" \n"), done)).toEqual(["assistant: x"]);
    expect(said(ai("x"), call("a", "t"), done)).toHaveLength(3);
    expect(planMessages([], { instructions: "" })).toEqual([]);
  });

  it("hold each call's text, calls and answers as these values", () => {
    expect(
      planMessages([
        message("I look.", { role: "assistant" }),
        call("a", "read", { args: { p: 1 } }),
        call("a", "list", { args: [1] }),
        result("a", { r: 1 }),
        call("", "", { iteration: 2 }),
      ]),
    ).toEqual([
      {
        role: "assistant",
        content: "I look.",
        toolCalls: [
          { id: "a", name: "read", args: { p: 1 } },
          { id: "a_2", name: "list", args: { input: [1] } },
        ],
      },
      {
        role: "tool",
        content:
          "[No result]: The call was interrupted, or its result was not recorded. It may or may not have taken effect.",
        toolCallId: "a",
        name: "read",
        status: "error",
      },
      { role: "tool", content: '{"r":1}', toolCallId: "a_2", name: "list", status: "success" },
      { role: "assistant", content: "", toolCalls: [{ id: "call_4", name: "", args: {} }] },
      expect.objectContaining({ role: "tool", toolCallId: "call_4" }),
    ]);
  });

  it("do not take a user's or an earlier call's message for the text before a call", () => {
    expect(planMessages([message("x"), call("a", "t")])).toHaveLength(3);
    expect(
      planMessages([call("a", "t"), call("b", "t", { iteration: 2 })]).map(({ content }) => content),
    ).toMatchObject(["", expect.stringContaining("[No result]"), "", expect.stringContaining("[No result]")]);
  });

  it("hold no half of a pair, which providers refuse, and lose nothing else", () => {
    const half = "a\ud83d",
      whole = "😀 \\ud83d \\\\";
    const [, asked, told] = planMessages(
      [
        { type: "message", role: "user", content: half, timestamp: 1, iteration: 1 },
        {
          type: "tool_call",
          toolName: "t",
          toolCallId: "a",
          args: { [half]: [half, whole] },
          timestamp: 1,
          iteration: 1,
        },
        { type: "tool_result", toolCallId: "a", result: `\ude00b${whole}${half}`, timestamp: 1, iteration: 1 },
      ],
      { maxCharacters: 1000 },
    );
    expect(asked).toMatchObject({ toolCalls: [{ args: { "a\ufffd": ["a\ufffd", whole] } }] });
    expect(told).toMatchObject({ content: `\ufffdb${whole}a\ufffd` });
    const long = planMessages([call("a", "t"), result("a", `${half}${"x".repeat(99)}\ude00`)], {
      maxResultCharacters: 60,
    });
    expect(long[1]?.content).toMatch(/^a\ufffdx+\[… .* left out …\]x+\ufffd$/);
    expect(planMessages([{ type: "plan", content: half, timestamp: 1, iteration: 1 }])[0]?.content).toBe(
      "[Plan]: a\ufffd",
    );
  });

  it("take what a call brings after an error for the rest of its answer", () => {
    const error = (text: string): AgentEvent => ({
      type: "error",
      error: text,
      toolCallId: "a",
      recoverable: true,
      timestamp: 1,
      iteration: 1,
    });
    const said = (...events: AgentEvent[]) => planMessages(events).map(({ role, content }) => `${role}: ${content}`);
    expect(said(call("a", "t"), error("one"), error("two"), result("a", "r"))).toEqual([
      "assistant: ",
      "tool: [Error (recoverable)]: one\n[Error (recoverable)]: two\nr",
    ]);
    const both = [call("a", "t"), call("a", "t"), error("one"), error("two")];
    const twice = ["tool: [Error (recoverable)]: two", "tool: [Error (recoverable)]: one"];
    expect(said(...both).slice(1)).toEqual(twice);
    const results = said(...both, result("a", "r"), result("a", "s")).slice(1);
    expect(results).toEqual([`${twice[0]}\nr`, `${twice[1]}\ns`]);
    expect(said(call("a", "t"), error("one"), call("a", "t"), result("a", "r"))).toEqual([
      "assistant: ",
      "tool: [Error (recoverable)]: one",
      "assistant: ",
      "tool: r",
    ]);
  });

  it("name one id many times without looking through all that were given", () => {
    const ids = planMessages(Array.from({ length: 5 }, () => call("a", "t"))).flatMap((each) =>
      each.role === "assistant" ? (each.toolCalls ?? []).map(({ id }) => id) : [],
    );
    expect(ids).toEqual(["a", "a_2", "a_3", "a_4", "a_5"]);
  });
});

describe("calls that nothing answers", () => {
  const failed = (toolCallId: string | null) => ({ ...message("e"), type: "error", error: "e", toolCallId });
  it.each([
    [[], []],
    [[message("x"), call("a", "t")], [1]],
    [[call("a", "t"), result("a", 1)], []],
    [[call("a", "t"), call("a", "t"), result("a", 1)], [0]],
    [[call("a", "t"), failed("a")], []],
    [[call("a", "t"), failed(null)], [0]],
    [[call("a", "t"), failed("a"), result("a", 1), call("a", "t"), result("a", 2)], []],
    [[call("a", "t"), failed("a"), call("a", "t"), result("a", 1)], []],
    [[call("a", "t"), failed("a"), result("a", 1), result("a", 2), call("a", "t")], []],
    [[result("a", 1), call("a", "t")], []],
    [[result("a", 1), call("b", "t"), call("a", "t")], [1]],
    [[result("a", 1), result("a", 2), call("a", "t"), call("a", "t"), call("a", "t")], [4]],
    [[result("a", 1), message("x"), call("a", "t")], [2]],
    [[result("a", 1, { iteration: 2 }), call("a", "t")], [1]],
  ])("in %j are %j", (events, expected) => {
    expect(Reflect.apply(unansweredCalls, null, [events])).toEqual(expected);
  });
});
