import { expect, test } from "vitest";
import { parseRole } from "../../src/lifecycle/role.ts";
import { readHistory } from "../../src/stores/machine-store.ts";
import { projectPaths } from "../../src/stores/paths.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { MACHINES, makeWorkspace } from "../helpers/workspace.ts";

test.each(["", "{", '{"revision":1'])("a history of hundreds of thousands of lines %j is read in no time", (line) => {
  const workspace = makeWorkspace();
  workspace.write(`${MACHINES}/tester.history.jsonl`, `${line}\n`.repeat(300_000));
  const role = parseRole("tester");
  if (!role.ok) throw new Error("no role");
  const started = cpuTime();
  const read = readHistory(projectPaths(workspace.root, {}), role.value, null);
  expect(read).toEqual({ ok: true, value: { entries: [], broken: 300_000 } });
  expect(cpuTime() - started).toBeLessThan(1000);
});
