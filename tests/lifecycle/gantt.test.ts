import { expect, test } from "vitest";
import { machineGraph, mermaidDiagram } from "../../src/lifecycle/diagram.ts";
import { ganttDiagram } from "../../src/lifecycle/gantt.ts";
import { type Interval, intervalsOf } from "../../src/lifecycle/intervals.ts";
import { lifecycleMachine } from "../../src/lifecycle/machine.ts";
import { DAY, historyOf } from "../helpers/history-lines.ts";
import { role } from "./records.ts";

const [FROM, TO] = [Date.parse("2026-02-03T00:00:00Z"), Date.parse("2026-02-04T00:00:00Z")];
const { intervals } = intervalsOf(historyOf(DAY), TO);

test("one section a role, one bar an interval, the same bytes each time", () => {
  const rows = [
    { role: role("oosh-expert"), intervals },
    { role: role("idle"), intervals: [] },
  ];
  const { text, omitted } = ganttDiagram(rows, FROM, TO);
  expect(omitted).toBe(0);
  expect(text).toBe(ganttDiagram(rows, FROM, TO).text);
  expect(text?.split("\n")).toEqual([
    "---",
    "displayMode: compact",
    "---",
    "gantt",
    "    title Lifecycle, 2026-02-03 (UTC)",
    "    dateFormat YYYY-MM-DD HH:mm:ss.SSS",
    "    axisFormat %H:%M",
    "    section oosh-expert",
    "    saving :t1, 2026-02-03 08:00:00.000, 2026-02-03 09:00:00.000",
    "    saved :done, t2, 2026-02-03 09:00:00.000, 2026-02-03 12:00:00.000",
    "    compacting :crit, t3, 2026-02-03 12:00:00.000, 2026-02-03 12:30:00.000",
    "    recovering :crit, active, t4, 2026-02-03 12:30:00.000, 2026-02-03 13:00:00.000",
    "    active :active, t5, 2026-02-03 13:00:00.000, 2026-02-04 00:00:00.000",
    "",
  ]);
});

const SHORTEST = 288_000;
const bar = (from: number, length: number, state: Interval["state"] = "saved"): Interval => ({
  ...{ state, from, to: from + length, open: false, event: "SAVE", by: "test" },
});
const heading = (from: number, to: number) =>
  ganttDiagram([{ role: role(), intervals: [bar(from, to - from)] }], from, to)
    .text?.split("\n")
    .slice(4, 7);

test("a bar is drawn from a three hundredth of the width on; shorter ones are counted", () => {
  const rows = [bar(FROM, SHORTEST), bar(FROM + SHORTEST, SHORTEST - 1), bar(FROM + 2 * SHORTEST, SHORTEST, null)];
  const { text, ...more } = ganttDiagram([{ role: role(), intervals: rows }], FROM, TO);
  expect(more).toEqual({ omitted: 1, shortest: SHORTEST });
  expect(text?.split("\n").slice(7)).toEqual([
    "    section oosh-expert",
    "    saved :done, t1, 2026-02-03 00:00:00.000, 2026-02-03 00:04:48.000",
    "",
  ]);
  const odd = ganttDiagram([{ role: role(), intervals: [bar(FROM, 4)] }], FROM, FROM + 901);
  expect(odd).toMatchObject({ omitted: 0, shortest: 4 });
});

test("four hundred bars are drawn; of more, the shorter half of the width is left out", () => {
  const row = (bars: number) => Array.from({ length: bars }, (_, at) => bar(FROM + at, SHORTEST + at));
  const drawn = (bars: number) => ganttDiagram([{ role: role(), intervals: row(bars) }], FROM, TO);
  expect(drawn(400)).toMatchObject({ omitted: 0, shortest: SHORTEST });
  const long = { role: role("tester"), intervals: [bar(FROM, 2 * SHORTEST)] };
  expect(ganttDiagram([{ role: role(), intervals: row(400) }, long], FROM, TO)).toMatchObject({
    ...{ omitted: 400, shortest: 2 * SHORTEST },
    text: expect.not.stringContaining("oosh-expert"),
  });
});

test("the title names the days, and beyond two of them so does the axis", () => {
  expect(heading(FROM, TO)?.[0]).toBe("    title Lifecycle, 2026-02-03 (UTC)");
  expect(heading(FROM, TO + 1)?.[0]).toBe("    title Lifecycle, 2026-02-03 to 2026-02-04 (UTC)");
  const two = heading(FROM, FROM + 2 * (TO - FROM));
  expect(two?.[0]).toBe("    title Lifecycle, 2026-02-03 to 2026-02-04 (UTC)");
  expect(two?.[2]).toBe("    axisFormat %H:%M");
  expect(heading(FROM, FROM + 2 * (TO - FROM) + 1)?.[2]).toBe("    axisFormat %m-%d %H:%M");
});

test("the machine is drawn with its events, and the current state marked", () => {
  const machine = `stateDiagram-v2
    [*] --> active
    active --> active: RECOVERED
    active --> saving: SAVE
    active --> compacting: COMPACT
    active --> recovering: COMPACTED
    saving --> active: RESUME, RECOVERED
    saving --> saving: SAVE, CONTEXT_INVALID
    saving --> saved: CONTEXT_VALID
    saving --> compacting: COMPACT
    saving --> recovering: COMPACTED
    saved --> active: RESUME, RECOVERED
    saved --> saving: SAVE
    saved --> compacting: COMPACT
    saved --> recovering: COMPACTED
    compacting --> active: RECOVERED
    compacting --> recovering: COMPACTED
    recovering --> active: RECOVERED
    recovering --> saving: SAVE
    recovering --> recovering: COMPACTED
`;
  expect(mermaidDiagram()).toBe(machine);
  expect(mermaidDiagram("saved")).toBe(`${machine}    classDef current stroke-width:4px
    class saved current
`);
});

test("nothing to draw is no empty chart", () => {
  expect(ganttDiagram([{ role: role(), intervals: [] }], FROM, TO)).toMatchObject({ text: null, omitted: 0 });
});

test("the graph begins where the machine does", () => {
  const initial = machineGraph().nodes.filter((node) => node.initial);
  expect(initial).toEqual([{ id: lifecycleMachine.config.initial, initial: true }]);
});
