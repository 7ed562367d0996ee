import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleScript, remove, runNode, temporaryFolder } from "../platform/scripts.ts";

const LONG_AGO = JSON.stringify({ event: "compact", by: "", at: "2026-01-01T00:00:00.000Z" });

test.each([
  ["of a session", null],
  ["like one that was answered long ago", LONG_AGO],
  ["like one whose mark is cut off, since its writer was killed", "{"],
] as const)("of two installations that answer at the same moment one answers each event %s", async (_what, mark) => {
  const EVENTS = 150;
  const folder = temporaryFolder();
  const script = bundleScript(new URL("./fixtures/answer.ts", import.meta.url), folder);
  const marks = join(folder, "session/.cache/deliveries");
  mkdirSync(marks, { recursive: true });
  for (let event = 1; event <= EVENTS; event++) {
    writeFileSync(join(folder, `${event}.jsonl`), "\n".repeat(event));
    if (mark !== null) writeFileSync(join(marks, `s.session-start.1.${event}`), mark);
  }
  const both = ["", "/plugin"].map((plugin) => runNode(script, [folder, String(EVENTS), plugin]));
  expect(await Promise.all(both.map(({ ended }) => ended))).toMatchObject([{ code: 0 }, { code: 0 }]);
  const answered = both.flatMap(({ lines }) => lines.map(Number)).sort((a, b) => a - b);
  expect(answered).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
  remove(folder);
});

test("a mark that an event's own is numbered behind stays, though it is as old as those that are cleared away", async () => {
  const folder = temporaryFolder();
  const script = bundleScript(new URL("./fixtures/answer.ts", import.meta.url), folder);
  const marks = join(folder, "session/.cache/deliveries");
  mkdirSync(marks, { recursive: true });
  writeFileSync(join(folder, "1.jsonl"), "\n");
  // The other process need not come.
  writeFileSync(join(folder, "1.gate"), "xx");
  for (let event = 1; event <= 100; event++) {
    const path = join(marks, `s.session-start.1.${event}`);
    writeFileSync(path, LONG_AGO);
    utimesSync(path, 1, 1);
  }
  const answers = async (plugin: string) => {
    const run = runNode(script, [folder, "1", plugin]);
    expect(await run.ended).toMatchObject({ code: 0 });
    return run.lines;
  };
  expect(await answers("")).toEqual(["1"]);
  expect(readdirSync(marks).length).toBeLessThan(20);
  expect(await answers("/plugin")).toEqual([]);
  remove(folder);
});
