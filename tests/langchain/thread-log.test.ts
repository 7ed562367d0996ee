import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendEvents, createAgent, openThreadLog } from "../../src/langchain.ts";
import { planMessages } from "../../src/thread/build-messages.ts";
import type { AgentEvent } from "../../src/thread/index.ts";
import { need } from "../helpers/need.ts";
import { bundleScript, remove, run, temporaryFolder } from "../platform/scripts.ts";
import { anyThread, message } from "../thread/arbitrary-event.ts";
import { calls, lines, ScriptedModel, toolOf } from "./scripted-model.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => remove(folder));

const log = (name = "t") => join(folder, "threads", `${name}.jsonl`);

function opened(path = log()) {
  return need(openThreadLog(path));
}

function written(...events: readonly AgentEvent[]): Buffer {
  opened();
  expect(appendEvents(log(), events).ok).toBe(true);
  return readFileSync(log());
}

describe("openThreadLog", () => {
  it("creates a log that only its owner reads, and reads back what was appended", () => {
    expect(opened()).toEqual({ events: [], cutBytes: 0 });
    expect(statSync(log()).mode & 0o777).toBe(0o600);
    written(message("one\ntwo\u2028 🚀 \uD800 \0"), message("three"));
    expect(opened().events).toEqual([message("one\ntwo\u2028 🚀 \uD800 \0"), message("three")]);
    expect(readFileSync(log(), "utf8").split("\n")).toHaveLength(3);
  });

  it("reads back what it was given, and says so when it appends", () => {
    fc.assert(
      fc.property(anyThread, (events) => {
        opened();
        truncateSync(log(), 0);
        const appended = appendEvents(log(), events);
        const expected = events.map((event) => {
          return event.type === "tool_result" && event.result === undefined ? { ...event, result: null } : event;
        });
        expect(appended).toEqual({ ok: true, value: expected });
        expect(opened().events).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("holds whatever a tool returns: what JSON has no word for, and more than a line holds, without its end", () => {
    const result = (value: unknown) => ({
      type: "tool_result" as const,
      toolCallId: "c",
      result: value,
      durationMs: 5,
      timestamp: 1,
      iteration: 1,
    });
    written(result({ toJSON() {} }), result(new Uint8Array(2_100_000)), message("next"));
    const [none, large, next] = opened().events;
    expect(none).toEqual(result(null));
    expect(large).toMatchObject({ durationMs: 5, iteration: 1 });
    expect(large?.type === "tool_result" && JSON.stringify(large.result).slice(-40)).toContain("left out");
    expect(next).toEqual(message("next"));
  });

  it("refuses an event that nobody could read back, and writes nothing", () => {
    opened();
    const event = message("x", { timestamp: Number.NaN });
    expect(appendEvents(log(), [message("y"), event])).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("timestamp: expected a finite number") },
    });
    expect(readFileSync(log(), "utf8")).toBe("");
  });

  it("appends behind a result of many megabytes, and not behind half a line, nor to a log that is gone", () => {
    const large = { ...message(""), content: "x".repeat(6 * 1024 * 1024) };
    written(large, message("next"));
    expect(appendEvents(log(), [message("last")]).ok).toBe(true);
    expect(opened().events).toEqual([large, message("next"), message("last")]);
    appendFileSync(log(), "{");
    expect(appendEvents(log(), [message("x")])).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("ends inside a line") },
    });
    expect(appendEvents(log("gone"), [message("x")]).ok).toBe(false);
  });

  it("takes the events of several processes at once, each whole and in its order", async () => {
    opened();
    const script = bundleScript(new URL("appender.ts", import.meta.url), folder);
    const count = 40;
    const running = ["a", "b", "c"].map((name) => run(process.execPath, [script, log(), name, String(count)]));
    for (const { ended, lines } of running) {
      expect(await ended).toMatchObject({ code: 0, stderr: "" });
      expect(lines).toEqual([]);
    }
    const words = opened().events.map((event) => (event.type === "plan" ? event.content.split(" ")[0] : ""));
    for (const name of ["a", "b", "c"])
      expect(words.filter((word) => word?.startsWith(name))).toEqual(
        Array.from({ length: count }, (_, number) => `${name}${number}`),
      );
    expect(readdirSync(join(folder, "threads"))).toEqual(["t.jsonl"]);
  });

  it("leaves the log alone that an agent is running, and says whose it is", async () => {
    const refused: unknown[] = [];
    const model = new ScriptedModel(() => {
      refused.push(openThreadLog(log()), appendEvents(log(), [message("x")]));
      return "Done.";
    });
    const agent = createAgent({ model, threadsFolder: join(folder, "threads") });
    const end = await agent.run({ threadId: "t", input: "go" });
    const refusal = { ok: false, error: { message: expect.stringContaining(`in use by process ${process.pid} on`) } };
    expect(refused).toMatchObject([refusal, refusal]);
    expect(opened().events).toEqual(end.events);
    expect(appendEvents(log(), [message("x")]).ok).toBe(true);
  });

  it("cuts a last line that was never written whole, at whatever byte, and keeps all before it", () => {
    const whole = written(message("one"), message("zwei é 🚀"), message("three"));
    const ends = [...whole.keys()].filter((index) => whole[index] === 10);
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(log(), whole.subarray(0, size));
      const { events, cutBytes } = opened();
      // A line that lacks nothing but its newline is whole.
      const complete = ends.filter((end) => end <= size).length;
      expect(events).toHaveLength(complete);
      const kept = complete === 0 ? 0 : (ends[complete - 1] ?? 0) + 1;
      expect(cutBytes).toBe(Math.max(size - kept, 0));
      expect(readFileSync(log())).toEqual(whole.subarray(0, kept));
    }
  });

  it("cuts what a power loss left of the last write, and nothing that was followed by an event", () => {
    const whole = written(message("one"));
    appendFileSync(log(), "\0\0\0\0\n\0\0}\n");
    expect(opened()).toMatchObject({ events: [{ content: "one" }], cutBytes: 9 });
    appendFileSync(log(), `\0\0\n${whole}`);
    expect(openThreadLog(log())).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/t\.jsonl:2: /) },
    });
  });

  it("refuses a bad line in the middle with its place, and leaves the file alone", () => {
    for (const bad of ["{", "[]", '{"type":"message","role":"boss","content":"x","timestamp":1,"iteration":1}']) {
      const text = `${written(message("one"))}${bad}\n${JSON.stringify(message("two"))}\n`;
      writeFileSync(log(), text);
      const result = openThreadLog(log());
      expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(/t\.jsonl:2: .*expected/) } });
      expect(readFileSync(log(), "utf8")).toBe(text);
      truncateSync(log(), 0);
    }
  });

  it("skips blank lines, and refuses a folder, and a link in the log's place", () => {
    opened();
    writeFileSync(log(), `\n${JSON.stringify(message("one"))}\r\n\n  `);
    expect(opened().events).toHaveLength(1);
    mkdirSync(log("folder"));
    expect(openThreadLog(log("folder"))).toMatchObject({ ok: false });
    writeFileSync(join(folder, "elsewhere"), "");
    symlinkSync(join(folder, "elsewhere"), log("link"));
    expect(openThreadLog(log("link"))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("links") },
    });
  });
});

describe("an agent's log", () => {
  const ran: string[] = [];
  const agent = (model: ScriptedModel) =>
    createAgent({
      model,
      threadsFolder: join(folder, "threads"),
      now: () => 7,
      tools: [
        toolOf("step", ({ name }) => {
          ran.push(String(name));
          return `did ${name}`;
        }),
      ],
    });
  const script = () =>
    new ScriptedModel([
      calls({ a: ["step", { name: "a" }] }, "First a."),
      calls({ b: ["step", { name: "b" }], c: ["step", { name: "c" }] }),
      "Done.",
    ]);

  it("holds the events of the run, a line each, before anybody hears of them", async () => {
    const end = await agent(script()).run({ threadId: "t", input: "go" });
    expect(opened().events).toEqual(end.events);
    const seen: number[] = [];
    const listening = createAgent({
      model: new ScriptedModel(["Hello."]),
      threadsFolder: join(folder, "threads"),
      onEvent: () => seen.push(readFileSync(log("u"), "utf8").split("\n").length - 1),
    });
    await listening.run({ threadId: "u", input: "go" });
    expect(seen).toEqual([1, 2, 3]);
  });

  it("goes on from a log cut at any byte: nothing whole is lost, no logged call is run again", async () => {
    await agent(script()).run({ threadId: "t", input: "go" });
    const whole = readFileSync(log());
    for (let size = 0; size < whole.length; size += 13) {
      writeFileSync(log(), whole.subarray(0, size));
      const before = opened().events;
      ran.length = 0;
      const model = new ScriptedModel(["Finished."]);
      const end = await agent(model).run({ threadId: "t", ...(before.length === 0 ? { input: "go" } : {}) });
      expect(end).toMatchObject({ status: "completed" });
      expect(end.events.slice(0, before.length)).toEqual(before);
      expect(ran).toEqual([]);
      const answered = new Set(before.flatMap((event) => (event.type === "tool_result" ? [event.toolCallId] : [])));
      for (const event of before) {
        if (event.type !== "tool_call" || answered.has(event.toolCallId)) continue;
        const told = lines(model.requests[0]).find((line) => line.startsWith(`tool ${event.toolCallId}: `));
        expect(told).toMatch(/interrupted.*may or may not have taken effect/);
      }
      expect(planMessages(end.events).at(-1)?.role).toBe("assistant");
      if (model.requests.length > 0) expect(lines(model.requests[0]).at(-1)).not.toMatch(/^ai/);
    }
  });

  it("runs interrupted calls again where that is asked for, and says so in the thread", async () => {
    await agent(script()).run({ threadId: "t", input: "go" });
    const whole = readFileSync(log(), "utf8").split("\n");
    const cut = whole.findLastIndex((line) => line.includes('"toolCallId":"b"') && line.includes("tool_call")) + 2;
    writeFileSync(log(), `${whole.slice(0, cut).join("\n")}\n`);
    ran.length = 0;
    const model = new ScriptedModel(["Finished."]);
    const end = await agent(model).run({ threadId: "t", resume: { rerunInterrupted: true } });
    expect(end.status).toBe("completed");
    expect(ran.sort()).toEqual(["b", "c"]);
    expect(lines(model.requests[0]).slice(-2)).toEqual([
      expect.stringMatching(/^tool b: \[Error \(recoverable\)\]: .*run again.*\ndid b$/),
      expect.stringMatching(/^tool c: \[Error \(recoverable\)\]: .*run again.*\ndid c$/),
    ]);
  });

  it("takes a call for interrupted again where the process that ran it again was killed too", async () => {
    const resume = { rerunInterrupted: true };
    const cutBehind = (word: string) => {
      const whole = readFileSync(log(), "utf8").split("\n");
      writeFileSync(log(), `${whole.slice(0, whole.findLastIndex((line) => line.includes(word)) + 1).join("\n")}\n`);
      ran.length = 0;
    };
    await agent(script()).run({ threadId: "t", input: "go" });
    cutBehind('"toolName":"step","toolCallId":"c"');
    await agent(new ScriptedModel(["Finished."])).run({ threadId: "t", resume });
    cutBehind("run again");
    await agent(new ScriptedModel(["Finished."])).run({ threadId: "t", resume });
    expect(ran).toEqual(["b", "c"]);
    cutBehind("run again");
    const model = new ScriptedModel(["Finished."]);
    await agent(model).run({ threadId: "t" });
    expect(ran).toEqual([]);
    const again = /^tool [bc]: (?:.*run again.*\n){2}.*the process ended before its result was recorded/;
    expect(lines(model.requests[0]).slice(-2)).toEqual([expect.stringMatching(again), expect.stringMatching(again)]);
  });

  it("tells of which call it is what one that is run again throws", async () => {
    const asked = { b: ["fail"], c: ["fail"] } as const;
    const make = (model: ScriptedModel) =>
      createAgent({
        model,
        threadsFolder: join(folder, "threads"),
        tools: [
          toolOf("fail", () => {
            throw new Error("No such file.");
          }),
        ],
      });
    await make(new ScriptedModel([calls(asked), "Done."])).run({ threadId: "t", input: "go" });
    const whole = readFileSync(log(), "utf8").split("\n");
    writeFileSync(log(), `${whole.slice(0, 3).join("\n")}\n`);
    const model = new ScriptedModel(["Finished."]);
    await make(model).run({ threadId: "t", resume: { rerunInterrupted: true } });
    const failed = /^tool [bc]: .*run again.*\n.*No such file\.$/;
    expect(lines(model.requests[0]).slice(-2)).toEqual([expect.stringMatching(failed), expect.stringMatching(failed)]);
  });

  it("is written by one run at a time, and free again after it", async () => {
    let release = () => {};
    const held = new Promise<string>((resolve) => {
      release = () => resolve("Done.");
    });
    let ask = () => {};
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const model = new ScriptedModel(() => {
      ask();
      return held;
    });
    const first = agent(model).run({ threadId: "t", input: "go" });
    await asked;
    const second = await agent(new ScriptedModel(["no"])).run({ threadId: "t", input: "me too" });
    expect(second).toMatchObject({
      status: "failed",
      error: expect.stringContaining(`in use by process ${process.pid}`),
    });
    release();
    expect(await first).toMatchObject({ status: "completed", result: "Done." });
    expect(await agent(new ScriptedModel(["Yes."])).run({ threadId: "t", input: "now" })).toMatchObject({
      result: "Yes.",
    });
  });

  it("fails where the log is bad or the id is no file name, and asks no model", async () => {
    opened();
    writeFileSync(log(), "{}\n{}\n");
    const model = new ScriptedModel(["no"]);
    expect(await agent(model).run({ threadId: "t", input: "go" })).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/t\.jsonl:1: type: expected one of/),
    });
    for (const threadId of ["../t", "", "a/b", "con", ".hidden", "x".repeat(200)]) {
      expect(await agent(model).run({ threadId, input: "go" })).toMatchObject({
        status: "failed",
        error: expect.stringContaining("is no file name; expected letters"),
      });
    }
    expect(model.requests).toEqual([]);
  });

  it("stops the run where the log can no longer be written, before the next call", async () => {
    const model = new ScriptedModel(() => {
      remove(join(folder, "threads"));
      writeFileSync(join(folder, "threads"), "in the way");
      return calls({ a: ["step", { name: "a" }] });
    });
    ran.length = 0;
    const end = await agent(model).run({ threadId: "t", input: "go" });
    expect(end).toMatchObject({ status: "failed", error: expect.stringContaining("cannot be written") });
    expect(ran).toEqual([]);
  });
});
