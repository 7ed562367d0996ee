import { expect, test } from "vitest";
import type { HistoryEntry } from "../../src/lifecycle/advance.ts";
import { changesBetween, type MachineChange } from "../../src/lifecycle/machine-change.ts";
import { role } from "./records.ts";

const ROLE = role();
const SAVING: HistoryEntry = {
  revision: 5,
  at: "2026-02-03T12:15:00.000Z",
  event: "SAVE",
  from: "active",
  to: "saving",
  by: "lifecycle.save",
  session_id: "s1",
};
const SAVED: HistoryEntry = { ...SAVING, revision: 6, event: "CONTEXT_VALID", from: "saving", to: "saved" };
const told = (changes: readonly MachineChange[]): readonly string[] =>
  changes.map(({ from, to, event, revision }) => `${from} -> ${to} by ${event ?? "nothing"} at ${revision}`);
const between =
  (...rest: [Parameters<typeof changesBetween>[1], Parameters<typeof changesBetween>[2]]) =>
  (entries: readonly HistoryEntry[] = []) =>
    told(changesBetween(ROLE, ...rest, entries));

test("each transition between two looks is a change, with all that the history says of it", () => {
  const changes = changesBetween(ROLE, { state: "active", revision: 4 }, { state: "saved", revision: 6 }, [
    SAVING,
    SAVED,
  ]);
  expect(changes).toEqual([
    {
      role: ROLE,
      from: "active",
      to: "saving",
      event: "SAVE",
      revision: 5,
      at: SAVING.at,
      by: "lifecycle.save",
      sessionId: "s1",
    },
    {
      role: ROLE,
      from: "saving",
      to: "saved",
      event: "CONTEXT_VALID",
      revision: 6,
      at: SAVING.at,
      by: "lifecycle.save",
      sessionId: "s1",
    },
  ]);
});

test("nothing that changed is no change, and neither is a machine that never was", () => {
  expect(between({ state: "active", revision: 4 }, { state: "active", revision: 4 })()).toEqual([]);
  expect(between(null, null)()).toEqual([]);
});

test("a machine that is made or removed changes from and to nothing", () => {
  expect(between(null, { state: "active", revision: 0 })()).toEqual(["null -> active by nothing at 0"]);
  expect(between({ state: "saved", revision: 6 }, null)()).toEqual(["saved -> null by nothing at 6"]);
  expect(changesBetween(ROLE, null, { state: "active", revision: 0 }, [])).toEqual([
    { role: ROLE, from: null, to: "active", event: null, revision: 0, at: null, by: null, sessionId: null },
  ]);
});

test("a machine that is new and went on at once is made first", () => {
  expect(between(null, { state: "saving", revision: 5 })([SAVING])).toEqual([
    "null -> active by nothing at 4",
    "active -> saving by SAVE at 5",
  ]);
  expect(between(null, { state: "saving", revision: 0 })([{ ...SAVING, revision: 0 }])).toEqual([
    "null -> active by nothing at 0",
    "active -> saving by SAVE at 0",
  ]);
});

test("steps that left no line are changes without an event: before, between and behind those that did", () => {
  expect(between({ state: "recovering", revision: 2 }, { state: "saved", revision: 6 })([SAVING, SAVED])).toEqual([
    "recovering -> active by nothing at 4",
    "active -> saving by SAVE at 5",
    "saving -> saved by CONTEXT_VALID at 6",
  ]);
  const later = { ...SAVED, revision: 9, from: "compacting", to: "recovering", event: "COMPACTED" } as const;
  expect(between({ state: "active", revision: 4 }, { state: "recovering", revision: 9 })([SAVING, later])).toEqual([
    "active -> saving by SAVE at 5",
    "saving -> compacting by nothing at 8",
    "compacting -> recovering by COMPACTED at 9",
  ]);
  expect(between({ state: "active", revision: 4 }, { state: "saved", revision: 6 })([SAVING])).toEqual([
    "active -> saving by SAVE at 5",
    "saving -> saved by nothing at 6",
  ]);
  expect(between({ state: "active", revision: 4 }, { state: "saved", revision: 6 })()).toEqual([
    "active -> saved by nothing at 6",
  ]);
});
