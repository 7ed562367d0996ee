import { expect, test } from "vitest";
import { makeWorkspace } from "./helpers/workspace.ts";
import { addToTally, tallyLine } from "./tally.ts";

test("runs that share a file are summed, whether it was there, empty or not there", () => {
  const workspace = makeWorkspace();
  for (const file of [workspace.path("none.json"), workspace.write("empty.json", "")]) {
    expect(addToTally(file, { passed: 1700, failed: 1, skipped: 2 })).toEqual({ passed: 1700, failed: 1, skipped: 2 });
    expect(addToTally(file, { passed: 30, failed: 2, skipped: 0 })).toEqual({ passed: 1730, failed: 3, skipped: 2 });
  }
});

test("the line names what was skipped only where anything was", () => {
  expect(tallyLine({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
  expect(tallyLine({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
});
