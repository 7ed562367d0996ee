import { expect, test } from "vitest";
import { machineGraph } from "../../src/lifecycle/diagram.ts";
import { ganttDiagram } from "../../src/lifecycle/gantt.ts";
import { intervalsOf } from "../../src/lifecycle/intervals.ts";
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
  expect(text?.split("\n").slice(3)).toEqual([
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

test("nothing to draw is no empty chart", () => {
  expect(ganttDiagram([{ role: role(), intervals: [] }], FROM, TO)).toMatchObject({ text: null, omitted: 0 });
});

test("the graph begins where the machine does", () => {
  const initial = machineGraph().nodes.filter((node) => node.initial);
  expect(initial).toEqual([{ id: lifecycleMachine.config.initial, initial: true }]);
});
