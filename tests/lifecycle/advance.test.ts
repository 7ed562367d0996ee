import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "../../src/lifecycle/advance.ts";
import { LIFECYCLE_EVENTS, type LifecycleEventType } from "../../src/lifecycle/states.ts";
import { anyRecord, CREATED, stored } from "./records.ts";

const LATER = new Date("2026-02-03T13:00:00.000Z");
const cause = { at: LATER, by: "test", sessionId: "s1" };

test("one transition: a revision more, where from, by what, since when, and a line of history", () => {
  const { record } = stored({ revision: 6 });
  const moved = advance(record, ["SAVE"], cause);
  expect(moved).toStrictEqual({
    ok: true,
    value: {
      record: {
        ...record,
        state: "saving",
        previous: "active",
        event: "SAVE",
        since: LATER.toISOString(),
        revision: 7,
      },
      history: [
        {
          revision: 7,
          at: LATER.toISOString(),
          event: "SAVE",
          from: "active",
          to: "saving",
          by: "test",
          session_id: "s1",
        },
      ],
    },
  });
});

test("no events change nothing", () => {
  const { record } = stored({ revision: 6 });
  expect(advance(record, [], cause)).toEqual({ ok: true, value: { record, history: [] } });
});

test("an event that is refused refuses them all, the good ones before it too", () => {
  const { record } = stored();
  const before = structuredClone(record);
  const moved = advance(record, ["SAVE", "CONTEXT_VALID", "CONTEXT_VALID", "COMPACT"], cause);
  expect(moved.ok ? null : moved.error).toMatchObject({ state: "saved", event: "CONTEXT_VALID" });
  expect(record).toEqual(before);
});

test("a save that is tried again keeps its age", () => {
  const { record } = stored({ state: "saving" });
  for (const event of ["SAVE", "CONTEXT_INVALID"] as const) {
    const moved = advance(record, [event], cause);
    expect(moved.ok && moved.value.record.since).toBe(CREATED);
  }
});

test("a save that is good ends, and the next state begins then", () => {
  const moved = advance(stored({ state: "saving" }).record, ["CONTEXT_VALID"], cause);
  expect(moved.ok && moved.value.record.since).toBe(LATER.toISOString());
});

test("a save that is tried again from a file without an age begins to have one", () => {
  const moved = advance(stored({ state: "saving", since: null }).record, ["CONTEXT_INVALID"], cause);
  expect(moved.ok && moved.value.record.since).toBe(LATER.toISOString());
});

test("a compaction that follows another begins the recovery anew, and so does a recovery the work", () => {
  const again = advance(stored({ state: "recovering" }).record, ["COMPACTED"], cause);
  expect(again.ok && again.value.record.since).toBe(LATER.toISOString());
  const active = advance(stored({ state: "active" }).record, ["RECOVERED"], cause);
  expect(active.ok && active.value.record.since).toBe(LATER.toISOString());
});

test("a recovery is remembered, everything else keeps the last one", () => {
  const recovered = advance(stored({ state: "recovering" }).record, ["RECOVERED"], cause);
  expect(recovered.ok && recovered.value.record.recoveredAt).toBe(LATER.toISOString());
  const saved = advance(stored({ recoveredAt: CREATED }).record, ["SAVE"], cause);
  expect(saved.ok && saved.value.record.recoveredAt).toBe(CREATED);
});

test("whatever the events: a revision and a line for each, each line begins where the one before ended", () => {
  const events = fc.array(fc.constantFrom<LifecycleEventType>(...LIFECYCLE_EVENTS), { maxLength: 8 });
  let taken = 0;
  fc.assert(
    fc.property(anyRecord, events, (record, list) => {
      const moved = advance(record, list, cause);
      if (!moved.ok) return;
      taken += 1;
      const { record: next, history } = moved.value;
      expect(next.revision).toBe(record.revision + list.length);
      expect(history.map((entry) => entry.event)).toEqual(list);
      let { state, revision } = record;
      for (const entry of history) {
        revision += 1;
        expect(entry).toMatchObject({ from: state, revision, at: LATER.toISOString(), session_id: "s1" });
        state = entry.to;
      }
      expect(next.state).toBe(state);
      // What no transition speaks of stays.
      const { role, contextSha256, savedAt, sessionId, ownedSince, branch, commit } = record;
      expect(next).toMatchObject({ role, contextSha256, savedAt, sessionId, ownedSince, branch, commit });
    }),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(30);
});

test("a good save's line says how large the context file is, and no other line does", () => {
  const moved = advance(stored().record, ["SAVE", "CONTEXT_VALID", "COMPACT"], { ...cause, contextBytes: 812 });
  expect(moved.ok && moved.value.history.map((entry) => entry.context_bytes)).toEqual([undefined, 812, undefined]);
});
