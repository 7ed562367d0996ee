import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { doctorMarkdown } from "../../src/doctor/docs-text.ts";
import { doctorText } from "../../src/doctor/doctor-text.ts";
import { durationsOf } from "../../src/doctor/durations.ts";
import type { DoctorFacts, RecordedRun } from "../../src/doctor/facts.ts";
import { fileOnly, finding, placeText } from "../../src/doctor/finding.ts";
import { judge } from "../../src/doctor/judge.ts";
import { assertDoctorReport, doctorReportJsonSchema } from "../../src/doctor/report-schema.ts";
import { CASES } from "./cases.ts";
import { HEALTHY } from "./healthy.ts";

const committed = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const run = (name: string, ms: number | null, command: string): RecordedRun => ({
  ...{ transcript: "t", name, command, ms, at: null, outcome: "success", text: null, seen: "whole" },
});

test("the page and the schema are the committed ones", () => {
  expect(doctorMarkdown()).toBe(committed("docs/doctor.md"));
  expect(JSON.parse(committed("schemas/doctor_report_v1.json"))).toEqual(doctorReportJsonSchema());
});

test("a document of another shape is refused, by the path of what is wrong", () => {
  expect(() => assertDoctorReport({ schema_version: 2 })).toThrow(/"schema_version"/);
});

test("a place is told as far as it is known, and a finding cannot be mended where its kind cannot", () => {
  expect(placeText(fileOnly("a.json"))).toBe("a.json");
  expect(placeText({ file: "a.json", line: 3, column: null })).toBe("a.json:3");
  expect(placeText({ file: "a.json", line: null, column: 4 })).toBe("a.json");
  const words = { message: "It is.", hint: "Mend it." };
  expect(finding("script-missing", words)).toEqual({
    ...{ code: "script-missing", severity: "fail", place: null, ...words, fixable: true },
  });
  expect(finding("script-missing", { ...words, fixable: false }).fixable).toBe(false);
  expect(finding("hook-exit", { ...words, fixable: true }).fixable).toBe(false);
});

test("of one check, what fails comes first, and decides the result", () => {
  const of = (name: string) =>
    judge({ ...HEALTHY, ...CASES[name] }).flatMap(({ id, result, findings }) =>
      findings.length === 0 ? [] : [[id, result, ...findings.map(({ code }) => code)]],
    );
  expect(of("scripts are not as they should be")).toEqual([
    ["setup", "fail", "script-missing", "script-not-runnable", "script-stale", "script-twice", "agents-folder-missing"],
  ]);
  expect(of("a role is stuck")).toEqual([["state", "warn", "role-stuck"]]);
});

describe("a person reads", () => {
  const BASE = { root: "/p", fixed: [], timings: [], sessions: 1, native: null, next: "Run claude." };

  test("that all is well, on one line for each check", () => {
    expect(doctorText({ ...BASE, checks: judge(HEALTHY) })).toBe(`Project: /p

ok    settings: the client can read every settings file, and takes each hook in it
ok    switches: nothing switches the hooks off
ok    registered: every hook is registered at its event, with its options
ok    twice: no hook is registered twice
ok    limits: time-outs and matchers let the hooks run, and no longer than one waits
ok    setup: scripts and folders are as this version writes them
ok    programs: node and the program that the hooks run are there, and of this version
ok    answers: every installed command runs, and answers in time and in the client's form
ok    sessions: there is no transcript of a session here yet
ok    store: none is named: the machines are files
ok    state: state, context files and caches are whole

Times of our hooks, from 1 transcript (ms):
  none is recorded yet

Next: Run claude.
`);
  });

  test("that there was nothing to look at, where there was not", () => {
    const said = (facts: Partial<DoctorFacts>) =>
      judge({ ...HEALTHY, ...facts }).map(({ id, summary }) => `${id}: ${summary}`);
    const { sessions, store } = HEALTHY;
    expect(said({ probes: [] })).toContain("answers: no hook of ours is installed");
    expect(said({})).toContain("sessions: there is no transcript of a session here yet");
    expect(said({ sessions: { ...sessions, transcripts: ["t"] } })).toContain(
      "sessions: the transcripts tell of no run of the hooks yet",
    );
    expect(said({ sessions: { ...sessions, transcripts: ["t"], runs: [run("PreCompact", 1, "a")] } })).toContain(
      "sessions: the last sessions ran the hooks and got their text",
    );
    expect(said({ store: { ...store, named: true } })).toContain(
      "store: the machines' store can be used, where one is named",
    );
    // What is wrong was looked at.
    expect(judge({ ...HEALTHY, ...CASES["a role is stuck"] }).find(({ id }) => id === "state")?.summary).toBe(
      "state, context files and caches are whole",
    );
  });

  test("what was mended, what is not so, the times, and nothing that acts on a terminal", () => {
    const esc = "\u001B[2J";
    const runs = [run("SessionStart:compact", 120, `./a${esc}`), run(`PreCompact${esc}`, 80, "./b")];
    const place = { file: `a${esc}`, line: 1, column: 2 };
    const findings = [
      finding("script-missing", { place, message: `It is not there.${esc}`, hint: `Run init.${esc}` }),
      finding("switched-off", { message: "CONTEXT_DISABLED is set.", hint: "Unset it." }),
    ];
    const text = doctorText({
      root: `/p${esc}`,
      checks: [
        { id: "a", summary: "it is", result: "fail", findings },
        { id: "b", summary: "it is warm", result: "warn", findings: findings.slice(1) },
      ],
      fixed: [
        { done: true, text: `wrote a${esc}` },
        { done: false, text: "b is locked" },
      ],
      timings: [...durationsOf(runs, "hook"), ...durationsOf(runs, "command")],
      sessions: 2,
      native: `Native: /p/native${esc}`,
      next: `Run init.${esc}`,
    });
    expect(text.replaceAll("\\u{1b}[2J", "<>")).toBe(`Project: /p<>

Mended:
  wrote a<>
  not done: b is locked

fail  a: 1 failure, 1 warning
  fail script-missing: a<>:1:2: It is not there.<>
      Run init.<> (--fix does it)
  warn switched-off: CONTEXT_DISABLED is set.
      Unset it.
warn  b: 1 warning
  warn switched-off: CONTEXT_DISABLED is set.
      Unset it.

Native: /p/native<>

Times of our hooks, from 2 transcripts (ms):
  HOOK                  RUNS  MEDIAN  P95  MAX
  PreCompact<>   1     80      80   80
  SessionStart:compact  1     120     120  120
  PreCompact<>   1     80      80   80   ./b
  SessionStart:compact  1     120     120  120  ./a<>

Next: Run init.<>
`);
  });
});

describe("times by command", () => {
  test("are sorted by the hook's name, then the command, and each is of its own runs", () => {
    const runs = [run("b", 3, "x"), run("a", 9, "y"), run("a", 1, "y"), run("a", 5, "x"), run("ab", 2, "x")];
    expect(
      durationsOf(runs, "command").map(({ hook, command, count, median, max }) => [hook, command, count, median, max]),
    ).toEqual([
      ["a", "x", 1, 5, 5],
      ["a", "y", 2, 1, 9],
      ["ab", "x", 1, 2, 2],
      ["b", "x", 1, 3, 3],
    ]);
  });
});
