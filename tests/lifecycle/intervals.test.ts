import * as fc from "fast-check";
import { expect, test } from "vitest";
import { advance } from "../../src/lifecycle/advance.ts";
import { clipIntervals, intervalsOf } from "../../src/lifecycle/intervals.ts";
import { LIFECYCLE_EVENTS } from "../../src/lifecycle/states.ts";
import { DAY, historyOf } from "../helpers/history-lines.ts";
import { stored } from "./records.ts";

const UNTIL = Date.parse("2026-02-03T14:00:00.000Z");
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
const shown = ({ intervals }: ReturnType<typeof intervalsOf>) =>
  intervals.map(({ state, from, to, open }) => `${state} ${clock(from)}-${clock(to)}${open ? " open" : ""}`);

test("a save that is tried again is one stay, and the last state goes on until the time that is asked about", () => {
  expect(shown(intervalsOf(historyOf(DAY), UNTIL))).toEqual([
    "saving 08:00-09:00",
    "saved 09:00-12:00",
    "compacting 12:00-12:30",
    "recovering 12:30-13:00",
    "active 13:00-14:00 open",
  ]);
});

test("what happened later is not known yet", () => {
  const before = intervalsOf(historyOf(DAY), Date.parse("2026-02-03T12:10:00Z"));
  expect(shown(before).at(-1)).toBe("compacting 12:00-12:10 open");
});

test("where lines are lost, the state in between is unknown and not guessed", () => {
  const history = historyOf(DAY).filter(({ event }) => event !== "COMPACT");
  expect(shown(intervalsOf(history, UNTIL))).toEqual([
    "saving 08:00-09:00",
    "null 09:00-12:30",
    "recovering 12:30-13:00",
    "active 13:00-14:00 open",
  ]);
});

test("a clock that went backwards makes no interval negative and changes no order", () => {
  const history = historyOf(DAY).map((entry) =>
    entry.revision === 5 ? { ...entry, at: "2026-02-03T01:00:00Z" } : entry,
  );
  expect(shown(intervalsOf(history, UNTIL)).slice(1, 3)).toEqual(["saved 09:00-09:00", "compacting 09:00-12:30"]);
});

test("a time that is none is counted, and its transition left out", () => {
  const history = historyOf(DAY).map((entry) => (entry.revision === 7 ? { ...entry, at: "soon" } : entry));
  const found = intervalsOf(history, UNTIL);
  expect(found.untimed).toBe(1);
  expect(shown(found).at(-1)).toBe("recovering 12:30-14:00 open");
});

test("between two transitions that are both lost, each unknown time is told by itself", () => {
  const history = historyOf(DAY).filter(({ revision }) => ![2, 3, 5].includes(revision));
  expect(shown(intervalsOf(history, UNTIL)).slice(0, 3)).toEqual([
    "saving 08:00-09:00",
    "null 09:00-12:30",
    "recovering 12:30-13:00",
  ]);
  const lost = historyOf(DAY).filter(({ revision }) => [1, 4, 6].includes(revision));
  const again = historyOf(DAY).slice(3, 4);
  expect(shown(intervalsOf([...lost, ...again], UNTIL))).toEqual([
    "saving 08:00-09:00",
    "null 09:00-12:30",
    "null 12:30-12:30",
    "saved 12:30-14:00 open",
  ]);
});

test("what began at the very end is known", () => {
  const at = Date.parse("2026-02-03T13:00:00.000Z");
  expect(shown(intervalsOf(historyOf(DAY), at)).at(-1)).toBe("active 13:00-13:00 open");
  expect(shown(intervalsOf(historyOf(DAY), at - 1)).at(-1)).toBe("recovering 12:30-12:59 open");
});

test("a window holds nothing that only touches it, and what is open stays open where it ends within", () => {
  const { intervals } = intervalsOf(historyOf(DAY), UNTIL);
  const within = (from: string, to: string) =>
    shown({
      intervals: clipIntervals(intervals, Date.parse(`2026-02-03T${from}Z`), Date.parse(`2026-02-03T${to}Z`)),
      untimed: 0,
    });
  expect(within("09:00:00", "12:00:00")).toEqual(["saved 09:00-12:00"]);
  expect(within("13:30:00", "14:00:00")).toEqual(["active 13:30-14:00 open"]);
  expect(within("13:30:00", "13:59:00")).toEqual(["active 13:30-13:59"]);
  expect(within("13:30:00", "15:00:00")).toEqual(["active 13:30-14:00 open"]);
});

test("a window cuts what reaches over its ends", () => {
  const { intervals } = intervalsOf(historyOf(DAY), UNTIL);
  const [from, to] = [Date.parse("2026-02-03T11:00:00Z"), Date.parse("2026-02-03T12:15:00Z")];
  expect(shown({ intervals: clipIntervals(intervals, from, to), untimed: 0 })).toEqual([
    "saved 11:00-12:00",
    "compacting 12:00-12:15",
  ]);
});

test("whatever the machine did, intervals are known, follow each other without a gap, and end where asked", () => {
  const events = fc.array(fc.tuple(fc.constantFrom(...LIFECYCLE_EVENTS), fc.integer({ min: -10, max: 3_600_000 })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(events, (list) => {
      let { record } = stored();
      let at = UNTIL - 10 * 86_400_000;
      const entries = list.flatMap(([event, wait]) => {
        at += wait;
        const moved = advance(record, [event], { at: new Date(at), by: "test", sessionId: null });
        if (!moved.ok) return [];
        record = moved.value.record;
        return [...moved.value.history];
      });
      const { intervals, untimed } = intervalsOf(entries, UNTIL);
      expect(untimed).toBe(0);
      for (const [index, interval] of intervals.entries()) {
        expect(interval.state).not.toBeNull();
        expect(interval.to).toBeGreaterThanOrEqual(interval.from);
        expect(interval.to).toBe(intervals[index + 1]?.from ?? UNTIL);
        expect(interval.open).toBe(index === intervals.length - 1);
      }
      expect(intervals.at(-1)?.state ?? record.state).toBe(record.state);
    }),
  );
});
