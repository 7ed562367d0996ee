import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/doctor/answer.ts";
import { durationsOf } from "../../src/doctor/durations.ts";
import type { DoctorFacts, Probe, RecordedRun } from "../../src/doctor/facts.ts";
import { readHookRows } from "../../src/doctor/hook-rows.ts";
import { CHECKS, judge } from "../../src/doctor/judge.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { ENTRY, HEALTHY, PROBE } from "./healthy.ts";

function codesOf(facts: Partial<DoctorFacts>): readonly string[] {
  return judge({ ...HEALTHY, ...facts }).flatMap(({ findings }) => findings.map(({ code }) => code));
}

const probed = (probe: Partial<Probe>): readonly string[] => codesOf({ probes: [{ ...PROBE, ...probe }] });

describe("facts are judged", () => {
  test("nothing is found in what is well, and every check says so", () => {
    expect(codesOf({})).toEqual([]);
    expect(judge(HEALTHY).map(({ result }) => result)).toEqual(CHECKS.map(() => "ok"));
  });

  test.each([
    [
      "folder-unwritable",
      {
        state: {
          ...HEALTHY.state,
          unwritable: [{ shown: "session/.cache/", message: "It is.", way: "Give this user the rights to write to %" }],
        },
      },
    ],
    ["node-old", { node: { path: "node", version: "v18.20.1", says: "" } }],
    ["node-old", { node: { path: "node", version: "", says: "" } }],
    ["native-unused", { native: { path: "/p/dist/native/context-0", problem: "does not run on this machine" } }],
    ["text-not-seen", { sessions: { ...HEALTHY.sessions, unseenCompactions: ["/t/s.jsonl"] } }],
  ] as const)("%s", (code, facts) => {
    expect(codesOf(facts)).toEqual([code]);
  });

  test.each([
    ["hook-not-found", { exitCode: 127, stderr: "sh: 1: context: not found\n" }],
    ["hook-not-found", { exitCode: 126 }],
    ["hook-not-found", { program: null, stderr: "hook.sh: 8: context: not found\n" }],
    ["hook-exit", { exitCode: 2 }],
    ["hook-exit", { exitCode: null }],
    ["hook-timed-out", { exitCode: null, timedOut: true }],
    ["hook-did-nothing", { stderr: "context: the hook did nothing: the options are not known\n" }],
    ["hook-did-nothing", { stderr: "context: a fault of ours, please report it: x\n" }],
    ["answer-broken", { stdout: '{"hookSpecificOutput":{"hookEventName":"PreCompact"}}' }],
    ["answer-too-long", { stdout: "x".repeat(2001) }],
    ["hook-slow", { ms: 2501 }],
    ["other-version", { program: { version: "0.9.0", path: "/q", node: "/n" } }],
  ] as const)("%s: %j", (code, probe) => {
    expect(probed(probe)).toEqual([code]);
  });

  test("a progress bar on stderr, which goes back to its line's start again and again, costs nothing", () => {
    const start = cpuTime();
    expect(probed({ program: null, stderr: "\r".repeat(100_000) })).toEqual([]);
    expect(probed({ program: null, stderr: "\r.".repeat(50_000) })).toEqual(["hook-did-nothing"]);
    expect(cpuTime() - start).toBeLessThan(2000);
  });

  test.each([
    [{ stdout: "{}\n" }],
    [{ stdout: "x".repeat(2000) }],
    [{ stderr: "context: context.yaml: something.\n" }],
  ])("an answer that the client takes is well: %j", (probe) => {
    expect(probed(probe)).toEqual([]);
  });
});

describe("an answer is read by its event", () => {
  const start = (stdout: string) => readAnswer({ entry: { ...ENTRY, event: "SessionStart" }, stdout });
  const json = (output: object): string => JSON.stringify({ hookSpecificOutput: output });

  test("the limit counts UTF-16 units of the text, not its escapes", () => {
    const text = `${'"'.repeat(9998)}\u{1F680}`;
    const answer = start(json({ hookEventName: "SessionStart", additionalContext: text }));
    expect(answer).toMatchObject({ kind: "text", max: 10_000 });
    expect(answer.kind === "text" && answer.text.length).toBe(10_000);
  });

  test.each([
    ["hello\n{}"],
    ["{}{}"],
    ["{}"],
    [json({ hookEventName: "PreCompact", additionalContext: "x" })],
    [json({ hookEventName: "SessionStart" })],
    [json({ additionalContext: "x" })],
  ])("a start's answer %j is broken", (stdout) => {
    expect(start(stdout).kind).toBe("broken");
  });
});

describe("times", () => {
  const run = (name: string, ms: number | null, command = "context session-start"): RecordedRun => ({
    ...{ transcript: "t", name, command, ms, at: null, outcome: "success", text: null, seen: "whole" },
  });

  test("are the nearest ranks of what was written down", () => {
    const runs = [...Array.from({ length: 20 }, (_, index) => run("a", 20 - index)), run("a", null), run("b", 7)];
    expect(durationsOf(runs, "hook")).toEqual([
      { hook: "a", command: null, count: 20, median: 10, p95: 19, max: 20 },
      { hook: "b", command: null, count: 1, median: 7, p95: 7, max: 7 },
    ]);
  });

  test("rows that are no records of hooks are passed over", () => {
    const rows = ["", "{", "null", "[]", '{"attachment":null}', '{"attachment":{"type":"hook_success"}}'];
    expect(readHookRows("t", rows)).toEqual({ runs: [], texts: [] });
  });
});
