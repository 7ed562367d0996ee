import { expect, test } from "vitest";
import { timedEntries } from "../../src/lifecycle/intervals.ts";
import { compactionsOf } from "../../src/report/compactions.ts";
import type { MarkFacts } from "../../src/report/facts.ts";
import { fleetOrder, MOST_ROWS } from "../../src/report/fold.ts";
import { buildModel } from "../../src/report/model.ts";
import { DAY, historyOf, type Step } from "../helpers/history-lines.ts";
import { role, stored } from "../lifecycle/records.ts";
import { CONTEXT, facts, NOW, roleFacts } from "./facts.ts";

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(time);
const mark = (time: string, more: Partial<MarkFacts> = {}): MarkFacts => ({
  at: at(time),
  sessionId: "s1",
  trigger: "auto",
  preTokens: 199_081,
  postTokens: 3706,
  ...more,
});
const inSession = (steps: readonly Step[]) =>
  historyOf(steps.map(([time, event, to]) => [time, event, to, { session_id: "s1" }]));

test("how long each state lasted: sums, medians of what has ended, and stays of an instant", () => {
  const [found] = buildModel(facts(roleFacts())).roles;
  expect(found?.durations).toEqual([
    { state: "active", stays: 1, total: 11 * HOUR, median: null, longest: 11 * HOUR },
    { state: "saving", stays: 1, total: HOUR, median: HOUR, longest: HOUR },
    { state: "saved", stays: 1, total: 3 * HOUR, median: 3 * HOUR, longest: 3 * HOUR },
    { state: "compacting", stays: 1, total: HOUR / 2, median: HOUR / 2, longest: HOUR / 2 },
    { state: "recovering", stays: 1, total: HOUR / 2, median: HOUR / 2, longest: HOUR / 2 },
  ]);
  const quick = historyOf([
    ["2026-02-03T08:00:00Z", "SAVE", "saving"],
    ["2026-02-03T08:00:00Z", "CONTEXT_VALID", "saved"],
  ]);
  expect(buildModel(facts(roleFacts({}, quick))).roles[0]?.durations).toContainEqual({
    state: "saving",
    stays: 1,
    total: 0,
    median: 0,
    longest: 0,
  });
});

test("only a role that has been on its way for too long is stuck", () => {
  const record = (state: "compacting" | "saved", since: string) =>
    roleFacts({ record: stored({ state, since }).record });
  const model = buildModel(
    facts(
      record("compacting", "2026-02-03T12:00:00Z"),
      record("compacting", "2026-02-03T23:55:00Z"),
      record("saved", "2026-02-03T12:00:00Z"),
    ),
  );
  expect(model.roles.map(({ stuck }) => stuck)).toEqual([true, false, false]);
});

test("a save's size is what was written down with it, or the file's where it is still the same", () => {
  const history = historyOf([
    ["2026-02-03T08:00:00Z", "SAVE", "saving"],
    ["2026-02-03T08:00:01Z", "CONTEXT_VALID", "saved"],
    ["2026-02-03T09:00:00Z", "SAVE", "saving"],
    ["2026-02-03T09:00:01Z", "CONTEXT_VALID", "saved", { context_bytes: 400 }],
    ["2026-02-03T10:00:00Z", "SAVE", "saving"],
    ["2026-02-03T10:00:01Z", "CONTEXT_VALID", "saved"],
  ]);
  const { record } = stored({ contextSha256: "a".repeat(64) });
  const sizes = (context: typeof CONTEXT) =>
    buildModel(facts(roleFacts({ record, context }, history))).roles[0]?.saves.map(({ bytes }) => bytes);
  expect(sizes(CONTEXT)).toEqual([null, 400, 812]);
  expect(sizes({ ...CONTEXT, changedSinceSave: true })).toEqual([null, 400, null]);
  expect(sizes({ ...CONTEXT, bytes: null })).toEqual([null, 400, null]);
  const unknown = { ...record, contextSha256: null };
  const [found] = buildModel(facts(roleFacts({ record: unknown }, history))).roles;
  expect(found?.saves.map(({ bytes }) => bytes)).toEqual([null, 400, null]);
  expect(buildModel(facts(roleFacts({ record: null }, history))).roles[0]?.saves.at(-1)?.bytes).toBeNull();
});

test("a compaction gets the mark of its own session and time, and nothing is invented for the others", () => {
  const { timed } = timedEntries(
    inSession([
      ["2026-02-03T08:00:00Z", "COMPACT", "compacting"],
      ["2026-02-03T08:01:00Z", "COMPACTED", "recovering"],
      ["2026-02-03T08:02:00Z", "RECOVERED", "active"],
      ["2026-02-03T09:00:00Z", "COMPACT", "compacting"],
      ["2026-02-03T09:30:00Z", "RECOVERED", "active"],
      ["2026-02-03T10:00:00Z", "COMPACTED", "recovering"],
      ["2026-02-03T11:00:00Z", "RECOVERED", "active"],
      ["2026-02-03T12:00:00Z", "COMPACT", "compacting"],
    ]),
    NOW,
  );
  const found = compactionsOf(timed, [
    mark("2026-02-03T09:59:50Z", { preTokens: 2 }),
    mark("2026-02-03T08:01:01Z", { preTokens: 1 }),
    mark("2026-02-03T12:00:30Z", { sessionId: "another" }),
  ]);
  expect(found.map(({ outcome, lasted, mark: its }) => [outcome, lasted, its?.preTokens ?? null])).toEqual([
    ["done", 60_000, 1],
    ["given up", null, null],
    ["not announced", null, 2],
    ["running", null, null],
  ]);
});

test("what is older than a table's most rows becomes one row a role and day, and nothing is lost", () => {
  const many = Array.from({ length: MOST_ROWS + 300 }, (_, index): Step => {
    const time = new Date(at("2026-02-01T00:00:00Z") + index * 300_000).toISOString();
    return [time, index % 2 === 0 ? "SAVE" : "CONTEXT_VALID", index % 2 === 0 ? "saving" : "saved"];
  });
  const twice = [roleFacts({}, historyOf(many)), roleFacts({ role: role("other") }, historyOf(many))];
  const model = buildModel(facts(...twice));
  const rows = fleetOrder(model, ({ saves }) => saves);
  const all = model.roles.reduce((sum, { saves }) => sum + saves.length, 0);
  expect(all).toBe(MOST_ROWS + 300);
  expect(rows.filter(({ item }) => item !== null)).toHaveLength(MOST_ROWS);
  expect(rows.reduce((sum, { item, more }) => sum + (item === null ? more.count : 1), 0)).toBe(all);
  expect(rows.length - MOST_ROWS).toBeLessThan(8);
});

test("what was before the window counts only as far as it reaches into it", () => {
  const since = at("2026-02-03T11:00:00Z");
  const [found] = buildModel({ ...facts(roleFacts({}, historyOf(DAY))), since }).roles;
  expect(found?.durations.find(({ state }) => state === "saved")?.total).toBe(HOUR);
  expect(found?.saves).toEqual([]);
  expect(found?.compactions).toHaveLength(1);
  const then = at("2026-02-03T12:00:00Z");
  expect(buildModel({ ...facts(roleFacts({}, historyOf(DAY))), since: then }).roles[0]?.compactions).toHaveLength(1);
  const later = at("2026-02-03T12:00:01Z");
  expect(buildModel({ ...facts(roleFacts({}, historyOf(DAY))), since: later }).roles[0]?.compactions).toEqual([]);
});
