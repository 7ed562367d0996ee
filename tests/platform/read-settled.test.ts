import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readSettled } from "../../src/platform/read-settled.ts";
import { remove, run, temporaryFolder } from "./scripts.ts";

let path = "";

beforeEach(() => {
  const folder = temporaryFolder();
  path = join(folder, "x");
  return () => remove(folder);
});

test("a file that stays empty is empty, after a bounded wait", () => {
  writeFileSync(path, "");
  const start = performance.now();
  expect(readSettled(path, 100)).toMatchObject({ ok: true, value: { text: "" } });
  expect(performance.now() - start).toBeGreaterThanOrEqual(60);
  expect(performance.now() - start).toBeLessThan(30_000);
});

test("a file that has text is not waited for, nor one that is missing", () => {
  writeFileSync(path, "text");
  const start = performance.now();
  for (let i = 0; i < 20; i++) expect(readSettled(path, 5_000)).toMatchObject({ ok: true, value: { text: "text" } });
  for (let i = 0; i < 20; i++) expect(readSettled(`${path}y`, 5_000)).toMatchObject({ ok: false });
  expect(performance.now() - start).toBeLessThan(30_000);
});

test("a file that a writer empties and fills again is read when it is filled", async () => {
  // On a busy machine the writer may be late: of several tries one is enough, since without a second look none would do.
  for (let tries = 0; tries < 20; tries++) {
    writeFileSync(path, "old");
    const writer = run("sh", ["-c", ': > "$0"; echo empty; sleep 0.01; printf whole > "$0"', path]);
    await writer.said(1);
    const empty = statSync(path).size === 0;
    const file = readSettled(path, 100);
    await writer.ended;
    if (empty && file.ok && file.value.text === "whole") return;
  }
  expect.unreachable("the file was never seen to be filled");
});
