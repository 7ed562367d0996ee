import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentEvent, parseThread, serializeThread } from "../../src/thread/index.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { need } from "../helpers/need.ts";
import { anyThread, call, message, result } from "./arbitrary-event.ts";

function parsed(xml: string) {
  return need(parseThread(xml));
}

const talk = (count: number): AgentEvent[] =>
  Array.from({ length: count }, (_, index) =>
    message(`message ${index}`, { role: index === 0 ? "user" : "assistant" }),
  );

describe("serializeThread within maxCharacters", () => {
  it("is the whole thread where that fits to the character", () => {
    const xml = serializeThread(talk(20));
    expect(serializeThread(talk(20), { maxCharacters: xml.length })).toBe(xml);
    expect(serializeThread(talk(20), { maxCharacters: xml.length - 1 })).not.toBe(xml);
  });

  it("keeps the first user message and the newest events, with their positions, and counts the gap", () => {
    expect(serializeThread(talk(1_000), { maxCharacters: 400 }).split("\n")).toEqual([
      "<thread>",
      '  <event type="human" id="0" iteration="1">message 0</event>',
      '  <event type="omitted" id="1" count="995">995 events left out</event>',
      '  <event type="ai" id="996" iteration="1">message 996</event>',
      '  <event type="ai" id="997" iteration="1">message 997</event>',
      '  <event type="ai" id="998" iteration="1">message 998</event>',
      '  <event type="ai" id="999" iteration="1">message 999</event>',
      "</thread>",
    ]);
  });

  it("marks the gap on either side of a first user message that is not first", () => {
    const events = [...talk(50).slice(1), message("the task"), ...talk(300).slice(1)];
    const { gaps, events: kept } = parsed(serializeThread(events, { maxCharacters: 600 }));
    expect(gaps).toEqual([
      { index: 0, count: 49 },
      { index: 1, count: events.length - 49 - kept.length },
    ]);
    expect(kept[0]).toMatchObject({ content: "the task" });
    expect(kept.at(-1)).toMatchObject({ content: "message 299" });
  });

  it("keeps the name and status of a result whose call was left out", () => {
    const events = [call("a", "read"), ...talk(30).slice(1), result("a", "done")];
    const xml = serializeThread(events, { maxCharacters: 300 });
    expect(xml).not.toContain("tool_input");
    expect(xml).toContain('name="read" status="success"');
  });

  it("counts what the caller skips, in one mark with what does not fit, and keeps positions, names and ends", () => {
    const events = [...talk(7), call("a", "read"), result("a", "done"), message("go on"), ...talk(20)];
    expect(serializeThread(events, { skip: 8 }).split("\n").slice(0, 4)).toEqual([
      "<thread>",
      '  <event type="omitted" id="0" count="8">8 events left out</event>',
      '  <event type="tool_output" id="8" name="read" status="success" iteration="1">done</event>',
      '  <event type="human" id="9" iteration="1">go on</event>',
    ]);
    expect(parsed(serializeThread(events, { skip: 8, maxCharacters: 420 }))).toMatchObject({
      gaps: [
        { index: 0, count: 9 },
        { index: 1, count: 17 },
      ],
      events: [{ content: "go on" }, { content: "message 17" }, { content: "message 18" }, { content: "message 19" }],
    });
    expect(parsed(serializeThread(events, { skip: 99 }))).toMatchObject({
      gaps: [{ index: 0, count: 30 }],
      events: [],
    });
    expect(serializeThread(events, { skip: 0 })).toBe(serializeThread(events));
    expect(() => serializeThread(events, { skip: Number.NaN })).toThrow("skip: expected a number of events from 0 up");
  });

  it("holds fifty million characters of output within ten thousand, head and tail kept", () => {
    const output = `HEAD${"x".repeat(50_000_000)}TAIL`;
    const events = [message("go"), call("a", "cat"), result("a", output), message("done", { role: "assistant" })];
    const xml = serializeThread(events, { maxCharacters: 10_000 });
    expect(xml.length).toBeLessThanOrEqual(10_000);
    expect(parsed(xml).events).toHaveLength(4);
    expect(xml).toMatch(/>HEADx+\[… 49 99\d \d{3} characters left out …\]x+TAIL</);
  });

  it("shortens the newest event to what is left, rather than show none", () => {
    const xml = serializeThread([result("a", "y".repeat(9_999))], { maxCharacters: 200 });
    expect(xml.length).toBeLessThanOrEqual(200);
    expect(xml).toMatch(/>y+\[… 9 \d{3} characters left out …\]y+</);
  });

  it("is well formed, within the limit and honest about what is missing, at every limit", () => {
    fc.assert(
      fc.property(
        anyThread,
        fc.nat(1_500),
        fc.constantFrom("standard" as const, "full" as const),
        (events, limit, attributes) => {
          const xml = serializeThread(events, { maxCharacters: limit, attributes });
          expect(xml.length).toBeLessThanOrEqual(limit);
          expect(xml).not.toMatch(/\p{Cs}/u);
          if (limit < "<thread>\n</thread>".length) {
            expect(xml).toBe("");
            return;
          }
          const { events: kept, gaps } = parsed(xml);
          const missing = gaps.reduce((sum, gap) => sum + gap.count, 0);
          if (xml !== "<thread>\n</thread>") expect(kept.length + missing).toBe(events.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("counts the response prefix, and is empty where prefix and an empty thread do not fit", () => {
    const responsePrefix = "I go on";
    const xml = serializeThread(talk(100), { maxCharacters: 300, responsePrefix });
    expect(xml.length).toBeLessThanOrEqual(300);
    expect(xml.endsWith("\n</thread>\nI go on")).toBe(true);
    expect(serializeThread(talk(100), { maxCharacters: 20, responsePrefix })).toBe("");
    expect(serializeThread(talk(100), { maxCharacters: 10 })).toBe("");
    expect(serializeThread(talk(100), { maxCharacters: 20 })).toBe("<thread>\n</thread>");
  });

  it("takes near linear time in the number of events", () => {
    const started = cpuTime();
    serializeThread(talk(200_000), { maxCharacters: 1_000_000 });
    expect(cpuTime() - started).toBeLessThan(3_000);
  });
});
