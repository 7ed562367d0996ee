import { expect, test } from "vitest";
import type { LifecycleState } from "../../src/lifecycle/states.ts";
import { stuckFrom, stuckReason } from "../../src/lifecycle/stuck.ts";
import { CREATED, stored } from "./records.ts";

const TEN_MINUTES = 10 * 60 * 1000;
const isStuckRecord = (record: Parameters<typeof stuckReason>[0], now: Date) =>
  stuckReason(record, now, "running") === "too-long";
const after = (milliseconds: number) => new Date(Date.parse(CREATED) + milliseconds);

test.each<[LifecycleState, boolean]>([
  ["active", false],
  ["saving", true],
  ["saved", false],
  ["compacting", true],
  ["recovering", true],
])("%s, older than ten minutes: stuck is %s", (state, stuck) => {
  const { record } = stored({ state });
  expect(isStuckRecord(record, after(TEN_MINUTES))).toBe(false);
  expect(isStuckRecord(record, after(TEN_MINUTES + 1))).toBe(stuck);
  expect(isStuckRecord(record, after(5 * 24 * 3600 * 1000))).toBe(stuck);
});

test("a clock that went backwards makes nothing stuck, nor does a file that does not say since when", () => {
  expect(isStuckRecord(stored({ state: "saving" }).record, after(-TEN_MINUTES * 10))).toBe(false);
  expect(isStuckRecord(stored({ state: "saving", since: null }).record, after(TEN_MINUTES * 10))).toBe(false);
});

test("a compaction or a recovery whose client has ended is stuck at once; a save is anybody's to finish", () => {
  const soon = after(1000);
  for (const state of ["compacting", "recovering"] as const) {
    expect(stuckReason(stored({ state }).record, soon, "ended")).toBe("owner-gone");
    expect(stuckReason(stored({ state }).record, soon, "unknown")).toBeNull();
    expect(stuckReason(stored({ state }).record, after(TEN_MINUTES + 1), "ended")).toBe("too-long");
  }
  for (const state of ["active", "saving", "saved"] as const) {
    expect(stuckReason(stored({ state }).record, soon, "ended")).toBeNull();
  }
});

test("from when on a record will be stuck is the first millisecond in which it is", () => {
  for (const state of ["saving", "compacting", "recovering"] as const) {
    const from = stuckFrom(stored({ state }).record);
    expect(from).toBe(Date.parse(CREATED) + TEN_MINUTES + 1);
    expect(isStuckRecord(stored({ state }).record, new Date(from ?? 0))).toBe(true);
    expect(isStuckRecord(stored({ state }).record, new Date((from ?? 0) - 1))).toBe(false);
  }
  for (const state of ["active", "saved"] as const) expect(stuckFrom(stored({ state }).record)).toBeNull();
  expect(stuckFrom(stored({ state: "saving", since: null }).record)).toBeNull();
});
