import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { historyTail } from "../../src/stores/history-tail.ts";
import { remove, temporaryFolder } from "../platform/scripts.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "x.history.jsonl");
  return () => remove(folder);
});

const line = (revision: number): string =>
  `${JSON.stringify({ revision, at: "2026-02-03T12:00:00.000Z", event: "SAVE", from: "active", to: "saving", by: "é", session_id: null })}\n`;
const lines = (...revisions: readonly number[]): string => revisions.map(line).join("");
const read = (tail: ReturnType<typeof historyTail>, reached: number) =>
  tail.read(reached).map(({ revision }) => revision);

test("gives what is new, each once, up to what is reached", () => {
  writeFileSync(path, lines(1, 2, 3));
  const tail = historyTail(path, 2);
  expect(read(tail, 3)).toEqual([3]);
  expect(read(tail, 3)).toEqual([]);
  appendFileSync(path, lines(4, 5) + line(6).slice(0, 20));
  expect(read(tail, 4)).toEqual([4]);
  expect(read(tail, 9)).toEqual([5]);
  appendFileSync(path, line(6).slice(20));
  expect(read(tail, 6)).toEqual([6]);
});

test("does not look again at what lies before a revision that is known: it may be a gigabyte", () => {
  // Whoever reads from the start ends at the first line, which is not reached.
  writeFileSync(path, `${lines(999)}${lines(1, 2, 3)}rubbish\n{"revision":4`);
  const tail = historyTail(path, 3);
  appendFileSync(path, `\n${lines(4)}`);
  expect(read(tail, 4)).toEqual([4]);
});

test("begins at the start where the known revision is not there, and where the file is another one by then", () => {
  const none = historyTail(path, 7);
  writeFileSync(path, lines(8, 9));
  expect(read(none, 9)).toEqual([8, 9]);
  const tail = historyTail(path, 9);
  writeFileSync(`${path}.new`, lines(9, 10));
  renameSync(`${path}.new`, path);
  expect(read(tail, 10)).toEqual([10]);
  rmSync(path);
  expect(read(tail, 10)).toEqual([]);
  writeFileSync(path, lines(1, 2));
  expect(read(tail, 2)).toEqual([1, 2]);
});
