import { expect, test } from "vitest";
import type { LifecycleState } from "../../src/lifecycle/states.ts";
import { isStuckRecord } from "../../src/lifecycle/stuck.ts";
import { CREATED, stored } from "./records.ts";

const TEN_MINUTES = 10 * 60 * 1000;
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
