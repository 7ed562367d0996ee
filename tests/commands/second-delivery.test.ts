import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleScript, remove, runNode, temporaryFolder } from "../platform/scripts.ts";

test("of two installations that answer at the same moment one answers each event of a session", async () => {
  const EVENTS = 150;
  const folder = temporaryFolder();
  const script = bundleScript(new URL("./fixtures/answer.ts", import.meta.url), folder);
  for (let event = 1; event <= EVENTS; event++) writeFileSync(join(folder, `${event}.jsonl`), "\n".repeat(event));
  const both = ["", "/plugin"].map((plugin) => runNode(script, [folder, String(EVENTS), plugin]));
  expect(await Promise.all(both.map(({ ended }) => ended))).toMatchObject([{ code: 0 }, { code: 0 }]);
  const answered = both.flatMap(({ lines }) => lines.map(Number)).sort((a, b) => a - b);
  expect(answered).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
  remove(folder);
});
