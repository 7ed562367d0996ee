import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildMessages } from "../../src/langchain.ts";
import { serializeThread } from "../../src/thread/index.ts";
import { anyThread, call, message, result } from "../thread/arbitrary-event.ts";

const EVENTS = [
  message("What is 2+2?"),
  message("I compute.", { role: "assistant" }),
  call("a", "calculator", { args: { expression: "2+2" } }),
  call("b", "clock"),
  result("b", { hour: 4 }),
  result("a", "4"),
];

describe("buildMessages", () => {
  it("makes LangChain messages of each kind, the calls of one turn in one message", () => {
    const messages = buildMessages(EVENTS, { instructions: "Be exact." });
    expect(messages.map((each) => each.constructor)).toEqual([
      SystemMessage,
      HumanMessage,
      AIMessage,
      ToolMessage,
      ToolMessage,
    ]);
    expect(messages[2]).toMatchObject({
      content: "I compute.",
      tool_calls: [
        { id: "a", name: "calculator", args: { expression: "2+2" }, type: "tool_call" },
        { id: "b", name: "clock", args: {} },
      ],
    });
    expect(messages[3]).toMatchObject({ content: "4", tool_call_id: "a", name: "calculator", status: "success" });
    expect(messages[4]).toMatchObject({ content: '{"hour":4}', tool_call_id: "b" });
  });

  it("makes one message of the whole thread in the mode xml", () => {
    const [system, thread, ...more] = buildMessages(EVENTS, { contextMode: "xml", instructions: "Be exact." });
    expect(more).toEqual([]);
    expect(system).toBeInstanceOf(SystemMessage);
    expect(system?.content).toBe("Be exact.");
    expect(thread).toBeInstanceOf(HumanMessage);
    expect(thread?.content).toBe(serializeThread(EVENTS));
  });

  it("leaves the system message out where there are no instructions, and passes the style of the thread on", () => {
    expect(buildMessages([message("hi")]).map(({ type }) => type)).toEqual(["human"]);
    const [thread] = buildMessages([message("hi")], { contextMode: "xml", thread: { responsePrefix: "<think>" } });
    expect(thread?.text.endsWith("</thread>\n<think>")).toBe(true);
    expect(buildMessages([], { contextMode: "xml" })[0]?.content).toBe("<thread>\n</thread>");
  });

  it("answers every call at once and once, whatever the events", () => {
    fc.assert(
      fc.property(anyThread, (events) => {
        let due: (string | undefined)[] = [];
        for (const each of buildMessages(events, { instructions: "x" })) {
          if (ToolMessage.isInstance(each)) {
            expect(each.tool_call_id).toBe(due.shift());
            continue;
          }
          expect(due).toEqual([]);
          if (AIMessage.isInstance(each)) due = (each.tool_calls ?? []).map(({ id }) => id);
        }
        expect(due).toEqual([]);
      }),
    );
  });
});
