import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel, FakeStreamingChatModel } from "@langchain/core/utils/testing";
import { describe, expect, it } from "vitest";
import {
  type AgentOptions,
  type AgentTool,
  buildMessages,
  createAgent,
  UnrecoverableError,
} from "../../src/langchain.ts";
import type { AgentEvent } from "../../src/thread/index.ts";
import { isRecord } from "../../src/thread/outcome.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";
import { calls, lines, ScriptedModel, toolOf } from "./scripted-model.ts";

const QUIET = { threadsFolder: null, retryDelayMs: 0 } as const;

function types(events: readonly AgentEvent[]): string[] {
  return events.map((event) => (event.type === "message" ? event.role : event.type));
}

/** Three iterations: two with a call each, then the answer. */
function threeIterations(contextMode: "standard" | "xml") {
  const model = new ScriptedModel([
    calls({ c1: ["read", { path: "one.txt" }] }, "I read one."),
    "One is read.",
    calls({ c2: ["read", { path: "two.txt" }], c3: ["fail", { path: "three.txt" }] }),
    "Two is read, three is not.",
    "All done.",
  ]);
  const agent = createAgent({
    ...QUIET,
    model,
    contextMode,
    instructions: "Read all files.",
    tools: [
      toolOf("read", ({ path }) => `content of ${path}`),
      toolOf("fail", ({ path }) => {
        throw new Error(`no ${path}`);
      }),
    ],
    stopWhen: (result) => (result === "All done." ? true : `Not enough: ${result}`),
  });
  return { model, agent };
}

describe("retention over iterations", () => {
  it("sends every call and result of iterations 1 and 2 with iteration 3, in the mode standard", async () => {
    const { model, agent } = threeIterations("standard");
    const end = await agent.run({ input: "Read the files." });
    expect(end).toMatchObject({ status: "completed", result: "All done.", verified: true });
    expect(lines(model.requests[4])).toEqual([
      "system: Read all files.",
      "human: Read the files.",
      'ai: I read one. [c1 read {"path":"one.txt"}]',
      "tool c1: content of one.txt",
      "ai: One is read.",
      "human: Not enough: One is read.",
      'ai:  [c2 read {"path":"two.txt"}] [c3 fail {"path":"three.txt"}]',
      "tool c2: content of two.txt",
      "tool c3: [Error (recoverable)]: no three.txt",
      "ai: Two is read, three is not.",
      "human: Not enough: Two is read, three is not.",
    ]);
    expect(model.bound).toEqual(["read", "fail"]);
  });

  it("sends them as one document in the mode xml, while an iteration sees its own calls as messages", async () => {
    const { model, agent } = threeIterations("xml");
    await agent.run({ input: "Read the files." });
    const [system, thread, ...more] = model.requests[4] ?? [];
    expect(more).toEqual([]);
    expect(system?.text).toBe("Read all files.");
    for (const part of [
      '{"path":"one.txt"}',
      "content of one.txt",
      '{"path":"two.txt"}',
      "content of two.txt",
      '{"path":"three.txt"}',
      "no three.txt",
      "One is read.",
      "Not enough: Two is read, three is not.",
    ]) {
      expect(thread?.text.replaceAll("&quot;", '"')).toContain(part);
    }
    expect(thread?.text).not.toContain('status="pending"');
    expect(lines(model.requests[3]).slice(2)).toEqual([
      'ai:  [c2 read {"path":"two.txt"}] [c3 fail {"path":"three.txt"}]',
      "tool c2: content of two.txt",
      "tool c3: [Error (recoverable)]: no three.txt",
    ]);
  });

  it("shows an iteration the same answers as the next one sees", async () => {
    const asked = calls({ a: ["blocks"], b: ["object"], c: ["nothing"], d: ["gone"], e: ["nobody"] });
    const model = new ScriptedModel([asked, "Once more.", "Done."]);
    const agent = createAgent({
      ...QUIET,
      model,
      tools: [
        toolOf("blocks", () => [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ]),
        toolOf("object", () => ({ a: [1, null] })),
        toolOf("nothing", () => undefined),
        toolOf("gone", () => {
          throw new Error("");
        }),
      ],
      stopWhen: (result) => result === "Done.",
    });
    await agent.run({ input: "go" });
    const answers = (request: number) => lines(model.requests[request]).filter((line) => line.startsWith("tool "));
    expect(answers(2).map((line) => line.replace("one\ntwo", "onetwo"))).toEqual(
      answers(1).map((line) => line.replace("one\ntwo", "onetwo")),
    );
    expect(answers(2)).toEqual([
      "tool a: one\ntwo",
      'tool b: {"a":[1,null]}',
      "tool c: ",
      "tool d: [Error (recoverable)]: Error",
      'tool e: [Error (recoverable)]: There is no tool named "nobody". There are: blocks, object, nothing, gone.',
    ]);
  });

  it("does so of values that the log has no word for", async () => {
    const folder = temporaryFolder();
    const model = new ScriptedModel([calls({ a: ["big"], b: ["date"] }), "Once more.", "Done."]);
    const tools = Object.entries({ big: 12345678901234567890n, date: new Date(0) }).map(([name, value]): AgentTool => {
      return { name, schema: {}, invoke: async () => value };
    });
    const agent = createAgent({ ...QUIET, threadsFolder: folder, model, tools, stopWhen: (text) => text === "Done." });
    await agent.run({ input: "go" });
    remove(folder);
    for (const request of [1, 2])
      expect(lines(model.requests[request]).filter((line) => line.startsWith("tool "))).toEqual([
        "tool a: 12345678901234567890",
        "tool b: 1970-01-01T00:00:00.000Z",
      ]);
  });
});

describe("createAgent", () => {
  it("shows the model a long result without its middle, at once and in later iterations, and keeps it whole", async () => {
    const script = [calls({ x: ["read"], y: ["fail"], z: ["blocks"] }), "One.", "Two."];
    const long = "x".repeat(50_000);
    for (const contextMode of ["standard", "xml"] as const) {
      const model = new ScriptedModel(script);
      const agent = createAgent({
        ...QUIET,
        model,
        contextMode,
        thread: { maxResultCharacters: 500 },
        tools: [
          toolOf("read", () => long),
          toolOf("fail", () => {
            throw new Error(long);
          }),
          // As tools of an MCP server answer.
          toolOf("blocks", () => [{ type: "text", text: long }]),
        ],
        stopWhen: (text) => text === "Two.",
      });
      const { events } = await agent.run({ input: "go" });
      expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", result: long }));
      for (const request of model.requests.slice(1)) {
        const sent = request
          .filter(({ type }) => contextMode === "standard" || type === "tool")
          .map(({ text }) => text);
        for (const text of sent) expect(text.length).toBeLessThanOrEqual(500);
      }
      expect(model.requests[1]?.map(({ text }) => text).join("")).toMatch(/x\[… [\d ]+ characters left out …\]x/);
    }
  });

  it("holds the limit of characters within an iteration too, and leaves the newest turn as the model made it", async () => {
    for (const contextMode of ["standard", "xml"] as const) {
      const thought = { reasoning: "mine" };
      const model = new ScriptedModel((_, count) => {
        if (count === 20) return "Done.";
        const { tool_calls = [] } = calls({ [`c${count}`]: ["read", { count }] });
        return new AIMessage({ content: "", tool_calls, additional_kwargs: thought });
      });
      const agent = createAgent({
        ...QUIET,
        model,
        contextMode,
        instructions: "Read all files.",
        thread: { maxCharacters: 6000 },
        tools: [toolOf("read", ({ count }) => `${count}:${"x".repeat(1000)}`)],
      });
      expect(await agent.run({ input: "The first word." })).toMatchObject({ status: "completed" });
      for (const [count, request] of model.requests.entries()) {
        const texts = lines(request);
        expect(texts.join("").length).toBeLessThan(6500);
        expect(texts.slice(0, 2).join("\n")).toContain("The first word.");
        if (count === 0) continue;
        expect(texts.at(-1)).toContain(`tool c${count - 1}: ${count - 1}:x`);
        expect(request.at(-2)?.additional_kwargs).toEqual(thought);
      }
      const starts = model.requests.map((request) => lines(request)[2]);
      expect(new Set(starts).size).toBeLessThan(12);
    }
  });

  it("takes a tool with typed arguments as LangChain makes it, and one that is not LangChain's", async () => {
    const schema = { type: "object", properties: { a: { type: "number" } } } as const;
    const double = tool(async ({ a }: { a: number }) => a * 2, { name: "double", description: "doubles", schema });
    const half: AgentTool = { name: "half", schema, invoke: async ({ args }) => Number(args.a) / 2 };
    const model = new ScriptedModel([calls({ x: ["double", { a: 4 }], y: ["half", { a: 4 }] }), "Done."]);
    const end = await createAgent({ ...QUIET, model, tools: [double, half] }).run({ input: "go" });
    const results = end.events.flatMap((event) => (event.type === "tool_result" ? [event.result] : []));
    expect(results.map(Number).sort()).toEqual([2, 8]);
  });

  it("runs over LangChain's fake chat models", async () => {
    const list = new FakeListChatModel({ responses: ["first", "second"] });
    const read = toolOf("read", () => "text");
    const judged = createAgent({ ...QUIET, model: list, tools: [read], stopWhen: (text) => text === "second" });
    expect(await judged.run({ input: "go" })).toMatchObject({ status: "completed", result: "second" });
    const streaming = new FakeStreamingChatModel({ responses: [new AIMessage("streamed")], sleep: 0 });
    expect(await createAgent({ ...QUIET, model: streaming }).run({ input: "go" })).toMatchObject({
      result: "streamed",
    });
    const chunk = new AIMessageChunk({ content: "", tool_calls: [{ id: "x", name: "read", args: {} }] });
    const calling = new FakeStreamingChatModel({ chunks: [chunk], responses: [new AIMessage("I read.")], sleep: 0 });
    const bounded = { ...QUIET, maxIterations: 1, maxToolRounds: 1 };
    const end = await createAgent({ ...bounded, model: calling, tools: [read] }).run({ input: "go" });
    expect(types(end.events)).toEqual(["user", "assistant", "tool_call", "tool_result"]);
  });

  it("takes the first text for the result where nothing judges it, and says that it is unverified", async () => {
    const end = await createAgent({ ...QUIET, model: new ScriptedModel(["Hello."]) }).run({
      input: "Hi",
      threadId: "t",
    });
    expect(end).toMatchObject({ status: "completed", result: "Hello.", verified: false, threadId: "t" });
    expect(types(end.events)).toEqual(["user", "assistant", "completion"]);
    expect(end.events.map(({ iteration }) => iteration)).toEqual([0, 1, 1]);
  });

  it("goes on with a completed thread when the user says more, and asks nobody when not", async () => {
    const model = new ScriptedModel(["One.", "Two."]);
    const agent = createAgent({ ...QUIET, model });
    const first = await agent.run({ input: "1?" });
    expect(await agent.run({ threadId: first.threadId })).toMatchObject({ status: "completed", result: "One." });
    const second = await agent.run({ threadId: first.threadId, input: "2?" });
    expect(second).toMatchObject({ status: "completed", result: "Two." });
    expect(lines(model.requests[1])).toEqual(["human: 1?", "ai: One.", "human: 2?"]);
  });

  it("stops after the most iterations, and goes on where it stopped", async () => {
    const model = new ScriptedModel((_, count) => `Text ${count}.`);
    const agent = createAgent({ ...QUIET, model, maxIterations: 2, stopWhen: (text) => text === "Text 2." });
    const first = await agent.run({ input: "go" });
    expect(first.status).toBe("max-iterations");
    expect(model.requests).toHaveLength(2);
    expect(await agent.run({ threadId: first.threadId })).toMatchObject({ status: "completed", result: "Text 2." });
    expect(lines(model.requests[2]).at(-1)).toBe("human: The task is not done yet. Go on.");
  });

  it("ends an iteration that calls for too long", async () => {
    const model = new ScriptedModel((_, count) => calls({ [`c${count}`]: ["read"] }));
    const agent = createAgent({
      ...QUIET,
      model,
      maxIterations: 2,
      maxToolRounds: 3,
      tools: [toolOf("read", () => "x")],
    });
    const end = await agent.run({ input: "go" });
    expect(end.status).toBe("max-iterations");
    expect(end.events.filter(({ type }) => type === "tool_result")).toHaveLength(6);
  });

  it("runs the calls of one turn side by side and logs results as they come", async () => {
    const model = new ScriptedModel([calls({ slow: ["wait", { ms: 60 }], quick: ["wait", { ms: 1 }] }), "Done."]);
    const wait = toolOf("wait", ({ ms }) => new Promise((resolve) => setTimeout(resolve, Number(ms), `${ms}`)));
    const end = await createAgent({ ...QUIET, model, tools: [wait] }).run({ input: "go" });
    const ids = end.events.flatMap((event) => (event.type === "tool_result" ? [event.toolCallId] : []));
    expect(ids).toEqual(["quick", "slow"]);
    expect(lines(model.requests[1]).slice(-2)).toEqual(["tool slow: 60", "tool quick: 1"]);
    expect(end.events.filter((event) => "parallelGroup" in event && event.parallelGroup === "pg_1_0")).toHaveLength(4);
  });

  it("gives calls without an id, or with one used before, an id of their own", async () => {
    const nameless = new AIMessage({ content: "", tool_calls: [{ name: "read", args: {} }] });
    let ids = 0;
    const model = new ScriptedModel([calls({ a: ["read"] }), calls({ a: ["read"] }), nameless, "Done."]);
    const agent = createAgent({ ...QUIET, model, newId: () => `id${ids++}`, tools: [toolOf("read", () => "x")] });
    const end = await agent.run({ input: "go", threadId: "t" });
    const asked = end.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCallId] : []));
    expect(asked).toEqual(["a", "id0", "id1"]);
    expect(lines(model.requests[3]).filter((line) => line.startsWith("tool "))).toEqual([
      "tool a: x",
      "tool id0: x",
      "tool id1: x",
    ]);
  });

  it("tells the model of arguments that are no JSON", async () => {
    const broken = new AIMessage({
      content: "",
      invalid_tool_calls: [{ id: "a", name: "read", args: '{"path": ', error: "Unexpected end" }],
    });
    const model = new ScriptedModel([broken, "Done."]);
    await createAgent({ ...QUIET, model, tools: [toolOf("read", () => "x")] }).run({ input: "go" });
    expect(lines(model.requests[1]).slice(-2)).toEqual([
      'ai:  [a read {"input":"{\\"path\\": "}]',
      'tool a: [Error (recoverable)]: The arguments are no JSON object: Unexpected end. Found: {"path": ',
    ]);
  });

  it("tells the model of arguments that are no JSON object, and of a name that no provider takes", async () => {
    // As ChatOpenAI reads them: JSON of any kind, and an id and a name as they came.
    const asked = [
      { id: "a", name: "read", args: ["x"] },
      { id: 7, name: "read", args: null },
      { id: "c", name: "multi_tool_use.parallel", args: {} },
      { id: "d", args: {} },
      { id: "e", name: "fs.read", args: {} },
    ];
    const odd = new AIMessage({ content: "", tool_calls: JSON.parse(JSON.stringify(asked)) });
    const model = new ScriptedModel([odd, "Done."]);
    const tools = [toolOf("read", () => "x"), toolOf("fs.read", () => "y")];
    const end = await createAgent({ ...QUIET, model, tools, newId: () => "b" }).run({ input: "go", threadId: "t" });
    expect(end.status).toBe("completed");
    const failed = (id: string, text: string) => `tool ${id}: [Error (recoverable)]: ${text}`;
    expect(lines(model.requests[1]).slice(1)).toEqual([
      'ai:  [a read {"input":["x"]}] [b read {"input":null}] [c unknown_tool {}] [d unknown_tool {}] [e fs.read {}]',
      failed("a", 'The arguments are no JSON object. Found: ["x"]'),
      failed("b", "The arguments are no JSON object. Found: null"),
      failed("c", 'There is no tool named "multi_tool_use.parallel". There are: read, fs.read.'),
      failed("d", "There is no tool named undefined. There are: read, fs.read."),
      "tool e: y",
    ]);
  });

  it.each([["on the disk"], ["in memory"]])(
    "keeps calls and results %s as they were, whatever a tool does to them",
    async (where) => {
      const list: unknown[] = [];
      const add: AgentTool = {
        name: "add",
        schema: {},
        invoke: async ({ args }) => {
          if (isRecord(args.item)) Reflect.set(args.item, "done", true);
          list.push(args.item);
          return list;
        },
      };
      const one = calls({ a: ["add", { item: { n: 1 } }] });
      const model = new ScriptedModel([one, calls({ b: ["add", { item: { n: 2 } }] }), "Done."]);
      const folder = temporaryFolder();
      const threadsFolder = where === "in memory" ? null : folder;
      const end = await createAgent({ ...QUIET, model, threadsFolder, tools: [add] }).run({
        input: "go",
        threadId: "t",
      });
      const thread = [
        "human: go",
        'ai:  [a add {"item":{"n":1}}]',
        'tool a: [{"n":1,"done":true}]',
        'ai:  [b add {"item":{"n":2}}]',
        'tool b: [{"n":1,"done":true},{"n":2,"done":true}]',
      ];
      expect(lines(model.requests[2])).toEqual(thread);
      expect(lines(buildMessages(end.events)).slice(0, -1)).toEqual(thread);
      remove(folder);
    },
  );

  it("sends a model's message back as it was, without a text of blanks that its provider would refuse", async () => {
    const thinking = { type: "thinking", thinking: "", signature: "s" };
    const use = { type: "tool_use", id: "a", name: "read", input: {} };
    const tool_calls = [{ id: "a", name: "read", args: {} }];
    const blocks = new AIMessage({ content: [thinking, { type: "text", text: "\n\n" }, use], tool_calls, id: "m" });
    const text = new AIMessage({ content: " ", tool_calls: [{ id: "b", name: "read", args: {} }], id: "n" });
    const model = new ScriptedModel([blocks, text, "Done."]);
    await createAgent({ ...QUIET, model, tools: [toolOf("read", () => "x")] }).run({ input: "go" });
    const [, first, , second] = model.requests[2] ?? [];
    expect(first).toMatchObject({ id: "m", content: [thinking, use], tool_calls });
    expect(second).toMatchObject({ id: "n", content: "", tool_calls: [{ id: "b" }] });
  });

  it("sends no half of a pair that a tool left where it cut its text", async () => {
    const model = new ScriptedModel([calls({ a: ["cut"], b: ["fail"] }), "Done."]);
    const fail = toolOf("fail", () => {
      throw new Error("no \ud83d");
    });
    await createAgent({ ...QUIET, model, tools: [toolOf("cut", () => "a😀".slice(0, 2)), fail] }).run({ input: "go" });
    expect(lines(model.requests[1]).slice(-2)).toEqual(["tool a: a\ufffd", "tool b: [Error (recoverable)]: no \ufffd"]);
  });

  it("refuses two tools of one name, and tools for a model that takes none", () => {
    const read = toolOf("read", () => "");
    expect(() => createAgent({ model: new ScriptedModel([]), tools: [read, read] })).toThrow(
      'Two tools are named "read".',
    );
    const bare: AgentOptions["model"] = { invoke: async () => new AIMessage("") };
    expect(() => createAgent({ model: bare, tools: [read] })).toThrow("has no bindTools");
  });
});

describe("errors", () => {
  it("tries a recoverable error of the model again, each an event, and fails with the last", async () => {
    const model = new ScriptedModel([new Error("overloaded"), new Error("overloaded"), "Here."]);
    const end = await createAgent({ ...QUIET, model }).run({ input: "go" });
    expect(end).toMatchObject({ status: "completed", result: "Here." });
    expect(types(end.events)).toEqual(["user", "error", "error", "assistant", "completion"]);
    const dead = new ScriptedModel(() => new Error("down"));
    const failed = await createAgent({ ...QUIET, model: dead, maxModelRetries: 2 }).run({ input: "go" });
    expect(failed).toMatchObject({ status: "failed", error: "down" });
    expect(failed.events.flatMap((event) => (event.type === "error" ? [event.recoverable] : []))).toEqual([
      true,
      true,
      false,
    ]);
    expect(dead.requests).toHaveLength(3);
  });

  it.each([
    [400, 1],
    [401, 1],
    [429, 4],
    [503, 4],
  ])("takes an error with the status %i for one that is asked %i times", async (status, times) => {
    const model = new ScriptedModel(() => Object.assign(new Error("no"), { status }));
    expect(await createAgent({ ...QUIET, model }).run({ input: "go" })).toMatchObject({ status: "failed" });
    expect(model.requests).toHaveLength(times);
  });

  it("fails with an unrecoverable error of a tool, and goes on after it when it is run again", async () => {
    const model = new ScriptedModel([calls({ a: ["pay"], b: ["read"] }), "Then not."]);
    const pay = toolOf("pay", () => {
      throw new UnrecoverableError("no account");
    });
    const agent = createAgent({ ...QUIET, model, tools: [pay, toolOf("read", () => "text")] });
    const end = await agent.run({ input: "go" });
    expect(end).toMatchObject({ status: "failed", error: "no account" });
    expect(types(end.events)).toEqual(["user", "tool_call", "tool_call", "error", "tool_result"]);
    expect(await agent.run({ threadId: end.threadId })).toMatchObject({ status: "completed", result: "Then not." });
    expect(lines(model.requests[1]).slice(-2)).toEqual(["tool a: [Error (unrecoverable)]: no account", "tool b: text"]);
  });

  it("rejects with what a listener throws, after the event was kept", async () => {
    const model = new ScriptedModel(["Hello.", "Again."]);
    let fail = true;
    const agent = createAgent({
      ...QUIET,
      model,
      onEvent: ({ type }) => {
        if (type === "completion" && fail) throw new Error("listener");
      },
    });
    await expect(agent.run({ threadId: "t", input: "go" })).rejects.toThrow("listener");
    fail = false;
    expect(await agent.run({ threadId: "t" })).toMatchObject({ status: "completed", result: "Hello." });
  });
});

describe("abort", () => {
  it("ends at once though a tool does not listen, and says of the call that it may have happened", async () => {
    const model = new ScriptedModel([calls({ a: ["hang"] }), "Done."]);
    const abort = new AbortController();
    const hang = toolOf("hang", () => {
      setTimeout(() => abort.abort(), 5);
      return new Promise(() => {});
    });
    const agent = createAgent({ ...QUIET, model, tools: [hang] });
    const end = await agent.run({ input: "go", signal: abort.signal });
    expect(end.status).toBe("aborted");
    expect(model.requests).toHaveLength(1);
    expect(await agent.run({ threadId: end.threadId })).toMatchObject({ status: "completed", result: "Done." });
    expect(lines(model.requests[1]).at(-1)).toMatch(/^tool a: .*aborted during this call.*may or may not/);
  });

  it("ends while the model thinks, or waits for its next try, or before anything began", async () => {
    for (const script of [() => new Promise<string>(() => {}), () => new Error("busy")]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 10);
      const agent = createAgent({ ...QUIET, retryDelayMs: 60_000, model: new ScriptedModel(script) });
      expect((await agent.run({ input: "go", signal: abort.signal })).status).toBe("aborted");
    }
    const model = new ScriptedModel(["never"]);
    const end = await createAgent({ ...QUIET, model }).run({ input: "go", signal: AbortSignal.abort() });
    expect(end.status).toBe("aborted");
    expect(types(end.events)).toEqual(["user"]);
    expect(model.requests).toEqual([]);
  });
});

describe("stream", () => {
  const script = () => new ScriptedModel([calls({ a: ["read"] }, "I read."), "Done."]);

  it("yields the events of a run in their order, and returns its end", async () => {
    const agent = createAgent({ ...QUIET, model: script(), tools: [toolOf("read", () => "x")] });
    const stream = agent.stream({ input: "go" });
    const seen: AgentEvent[] = [];
    let next = await stream.next();
    for (; !next.done; next = await stream.next()) seen.push(next.value);
    expect(next.value).toMatchObject({ status: "completed", result: "Done." });
    expect(seen).toEqual(next.value.events);
    expect(types(seen)).toEqual(["user", "assistant", "tool_call", "tool_result", "assistant", "completion"]);
  });

  it("yields an event before the next one happens", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const agent = createAgent({ ...QUIET, model: script(), tools: [toolOf("read", () => held)] });
    const seen: string[] = [];
    for await (const event of agent.stream({ input: "go" })) {
      seen.push(event.type);
      if (event.type === "tool_call") release();
    }
    expect(seen).toContain("completion");
  });

  it("aborts the run when its reader leaves", async () => {
    const model = script();
    const hang = toolOf("read", () => new Promise(() => {}));
    const agent = createAgent({ ...QUIET, model, tools: [hang] });
    for await (const event of agent.stream({ input: "go", threadId: "t" })) if (event.type === "tool_call") break;
    const end = await agent.run({ threadId: "t", signal: AbortSignal.abort() });
    expect(types(end.events)).toEqual(["user", "assistant", "tool_call", "error"]);
  });

  it("throws what a listener throws, after the events before it", async () => {
    const agent = createAgent({
      ...QUIET,
      model: script(),
      tools: [toolOf("read", () => "x")],
      onEvent: ({ type }) => {
        if (type === "tool_result") throw new Error("listener");
      },
    });
    const seen: string[] = [];
    const read = async () => {
      for await (const event of agent.stream({ input: "go" })) seen.push(event.type);
    };
    await expect(read()).rejects.toThrow("listener");
    expect(seen).toEqual(["message", "message", "tool_call", "tool_result"]);
  });
});
