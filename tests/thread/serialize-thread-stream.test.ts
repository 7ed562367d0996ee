import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentEvent, type StreamOptions, serializeThread, serializeThreadStream } from "../../src/thread/index.ts";
import { anyThread, call, message, result } from "./arbitrary-event.ts";

async function collect(events: AsyncIterable<AgentEvent> | Iterable<AgentEvent>, options?: StreamOptions) {
  const chunks: string[] = [];
  for await (const chunk of serializeThreadStream(events, options)) chunks.push(chunk);
  return chunks;
}

/** What is let go of is not counted: V8 keeps as much of it as it likes, and more where other tests ran before. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

async function* later(events: readonly AgentEvent[]) {
  for (const event of events) {
    await null;
    yield event;
  }
}

describe("serializeThreadStream", () => {
  it("yields the text of serializeThread, from lists and from async sources, in either style", async () => {
    const options = fc.record(
      {
        attributes: fc.constantFrom("standard" as const, "full" as const),
        responsePrefix: fc.constantFrom("", "go on"),
        maxResultCharacters: fc.nat(80),
        escape: fc.constantFrom("full" as const, "structural" as const),
        skip: fc.oneof(fc.nat(12), fc.constant(Number.POSITIVE_INFINITY), fc.constant(1.5)),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(anyThread, options, async (events, chosen) => {
        const whole = serializeThread(events, chosen);
        expect((await collect(events, chosen)).join("")).toBe(whole);
        expect((await collect(later(events), chosen)).join("")).toBe(whole);
      }),
    );
  });

  it("refuses a limit of the whole, which only the newest events decide, and a number that is none", async () => {
    // As from a program without types.
    const loose: object = { maxCharacters: 100 };
    await expect(collect([], loose)).rejects.toThrow("maxCharacters: a stream has no such limit");
    await expect(collect([], { skip: -1 })).rejects.toThrow("skip: expected a number of events from 0 up, found -1");
  });

  it("yields an event as soon as no call before it is open", async () => {
    const stream = serializeThreadStream(
      later([message("a"), call("x", "read"), message("b"), result("x", "r"), message("c")]),
    );
    const seen: string[] = [];
    for await (const chunk of stream) {
      seen.push(chunk.trim());
      if (chunk.includes(">a<")) expect(seen).toHaveLength(2);
    }
    expect(seen).toHaveLength(7);
    expect(seen[2]).toBe('<event type="tool_input" id="1" name="read" iteration="1">{}</event>');
  });

  it("writes a call as pending once more text waits than it may, and goes on", async () => {
    let asked = 0;
    async function* source() {
      yield call("x", "sleep");
      for (; asked < 1_000; asked++) yield message("m".repeat(1_000));
      yield result("x", "late");
    }
    let askedAtCall = 0;
    let chunks = 0;
    for await (const chunk of serializeThreadStream(source(), { lookaheadCharacters: 10_000 })) {
      chunks++;
      if (chunk.includes("tool_input")) {
        expect(chunk).toContain('status="pending"');
        askedAtCall = asked;
      }
      if (chunk.includes("tool_output")) expect(chunk).toContain('name="sleep" status="success"');
    }
    expect(askedAtCall).toBeGreaterThan(5);
    expect(askedAtCall).toBeLessThan(15);
    expect(chunks).toBe(1_004);
  });

  it("holds no more than the lookahead, a million characters, while a call stays open", async () => {
    function* endless() {
      yield call("x", "sleep");
      for (let index = 0; index < 100_000; index++) yield message("m".repeat(1_000));
    }
    const before = heldBytes();
    let length = 0;
    let chunks = 0;
    let most = 0;
    for await (const chunk of serializeThreadStream(endless())) {
      length += chunk.length;
      if (++chunks % 10_000 === 0) most = Math.max(most, heldBytes() - before);
    }
    expect(length).toBeGreaterThan(100_000_000);
    expect(most).toBeLessThan(10_000_000);
  });

  it("passes on what the source throws, and ends the source when its reader stops", async () => {
    let ended = false;
    async function* source() {
      try {
        yield message("a");
        yield message("b");
        throw new Error("source broke");
      } finally {
        ended = true;
      }
    }
    await expect(collect(source())).rejects.toThrow("source broke");
    ended = false;
    for await (const chunk of serializeThreadStream(source())) if (chunk.includes(">a<")) break;
    expect(ended).toBe(true);
  });

  it("yields an empty thread for no events", async () => {
    expect((await collect([])).join("")).toBe("<thread>\n</thread>");
  });
});
