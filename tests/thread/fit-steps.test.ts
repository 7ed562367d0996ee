import { expect, it } from "vitest";
import { type AgentEvent, serializeThread } from "../../src/thread/index.ts";
import { message, result } from "./arbitrary-event.ts";

/** Ids of the events shown, `~` behind one that was cut, `…` behind one of which nothing is left; gaps as `(id+count)`. */
function shown(xml: string): string {
  const elements = xml.matchAll(/type="(\w+)" id="(\d+)"(?: count="(\d+)")?[^>]*>([^<]*)</g);
  return [...elements]
    .map(([, type, id, count, body = ""]) => {
      if (type === "omitted") return `(${id}+${count})`;
      return `${id}${body === "" || body === "…" ? "…" : body.includes("…") ? "~" : ""}`;
    })
    .join(" ");
}

/** What is shown within each number of characters, where it changes. */
function steps(events: readonly AgentEvent[], more: object = {}): readonly string[] {
  const whole = serializeThread(events, more).length;
  const found: string[] = [];
  let before = "";
  for (let limit = 0; limit <= whole + 1; limit += 1) {
    const xml = serializeThread(events, { ...more, maxCharacters: limit });
    const now = xml === "" ? "nothing" : shown(xml);
    if (now !== before) found.push(`${limit}: ${now}`);
    before = now;
  }
  return found;
}

const ai = (content: string): AgentEvent => message(content, { role: "assistant" });

it("shows more of a thread with each bit of room, its task first", () => {
  const events = [ai("a"), ai("b"), message("the task"), ai("c"), result("x", "y".repeat(150)), message("m"), ai("d")];
  expect(steps(events)).toEqual([
    "0: nothing",
    "18: ",
    "85: (0+7)",
    "134: (0+6) 6…",
    "135: (0+6) 6",
    "188: (0+5) 5 6",
    "212: (0+2) 2 (3+4)",
    "261: (0+2) 2 (3+3) 6…",
    "262: (0+2) 2 (3+3) 6",
    "315: (0+2) 2 (3+2) 5 6",
    "488: (0+2) 2 3 4~ 5 6",
    "532: 0 1 2 3 4~ 5 6",
    "555: 0 1 2 3 4 5 6",
  ]);
});

it("shows the task and as much of the one event behind it as fits", () => {
  expect(steps([message("t"), ai("z".repeat(300))])).toEqual([
    "0: nothing",
    "18: ",
    "85: (0+2)",
    "120: 0 1…",
    "149: 0 1~",
    "420: 0 1",
  ]);
});

it("shows the newest where a person said nothing", () => {
  expect(steps([ai("one"), ai("two"), ai("three")])).toEqual([
    "0: nothing",
    "18: ",
    "85: (0+3)",
    "134: (0+2) 2…",
    "139: (0+2) 2",
    "176: 0 1 2",
  ]);
});

it("shows a task that is newest, and cuts one that is long", () => {
  expect(steps([ai("one"), message("t".repeat(200))])).toEqual([
    "0: nothing",
    "18: ",
    "85: (0+2)",
    "122: 0 1…",
    "165: 0 1~",
    "322: 0 1",
  ]);
  expect(steps([message("t".repeat(200)), ai("one")])).toEqual([
    "0: nothing",
    "18: ",
    "85: (0+2)",
    "120: 0… 1…",
    "134: (0+1) 1…",
    "136: (0+1) 1",
    "156: 0~ 1",
    "322: 0 1",
  ]);
});

it("shows what is no event too", () => {
  expect(Reflect.apply(serializeThread, null, [[null, 3], { maxCharacters: 200 }])).toBe(
    '<thread>\n  <event type="unknown" id="0">null</event>\n  <event type="unknown" id="1">3</event>\n</thread>',
  );
});

it("leaves room for what stands behind the thread", () => {
  expect(steps([message("t"), ai("a"), ai("b"), ai("c")], { responsePrefix: "12345" })).toEqual([
    "0: nothing",
    "24: ",
    "91: (0+4)",
    "140: (0+3) 3…",
    "141: (0+3) 3",
    "144: 0 (1+3)",
    "193: 0 (1+2) 3…",
    "194: 0 (1+2) 3",
    "227: 0 1 2 3",
  ]);
});
