import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/thread/event.ts";
import { parseThread } from "../../src/thread/parse-thread.ts";
import { serializeThread } from "../../src/thread/serialize-thread.ts";

const message = (content: string): AgentEvent => ({
  type: "message",
  role: "user",
  content,
  timestamp: 1,
  iteration: 1,
  id: 'a"b',
});

describe("structural escapes", () => {
  test("leave quotes in bodies as they are, and escape them in attributes", () => {
    expect(serializeThread([message(`say "it's" <b> & &quot;`)], { escape: "structural" })).toBe(
      `<thread>\n  <event type="human" id="a&quot;b" iteration="1">say "it's" &lt;b&gt; &amp; &amp;quot;</event>\n</thread>`,
    );
  });

  test("leave what follows the thread alone", () => {
    const text = serializeThread([message("x")], { escape: "structural", responsePrefix: ">&quot;<" });
    expect(text.endsWith("</thread>\n>&quot;<")).toBe(true);
  });

  test("are read back as the same texts", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), (texts) => {
        const events = texts.map(message);
        const full = parseThread(serializeThread(events, { attributes: "full" }));
        const structural = parseThread(serializeThread(events, { attributes: "full", escape: "structural" }));
        expect(structural).toEqual(full);
      }),
      { numRuns: 500 },
    );
  });

  test("never make a thread longer than its limit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 200 }), { maxLength: 20 }),
        fc.integer({ min: 30, max: 2000 }),
        (texts, maxCharacters) => {
          const text = serializeThread(texts.map(message), { escape: "structural", maxCharacters });
          expect(text.length).toBeLessThanOrEqual(maxCharacters);
        },
      ),
    );
  });
});
