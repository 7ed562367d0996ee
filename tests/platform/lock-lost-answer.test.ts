import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleScript, remove, runNode, temporaryFolder } from "./scripts.ts";

test("a lock that was made, and said to be there already, is held and let go", async () => {
  const folder = temporaryFolder();
  const script = bundleScript(new URL("./fixtures/lost-answer.ts", import.meta.url), folder);
  mkdirSync(join(folder, "locks"));
  const { ended, lines } = runNode(script, [join(folder, "locks", "x.lock")]);
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
  expect(lines).toEqual(["asked twice", JSON.stringify({ held: { ok: true, value: true }, left: [] })]);
  remove(folder);
});
