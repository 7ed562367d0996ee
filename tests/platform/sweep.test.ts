import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryPrefix } from "../../src/platform/atomic-write.ts";
import { uniqueToken } from "../../src/platform/process-identity.ts";
import { sweepTemporaries } from "../../src/platform/sweep.ts";
import { remove, temporaryFolder } from "./scripts.ts";

let folder = "";

beforeEach(() => {
  folder = temporaryFolder();
  return () => remove(folder);
});

const DEAD = 999_999_999;
const temporary = (name: string, pid: number) =>
  `${temporaryPrefix(name)}${uniqueToken().replace(/^\d+/, String(pid))}.tmp`;

test("removes what dead writers of the file left, and nothing else: not what those have who wait for its lock", () => {
  const stays = [
    temporary("a.env.lock", DEAD),
    temporary("a.env", process.pid),
    temporary("a.env", 1),
    temporary("b.env", DEAD),
    temporary("a.environment", DEAD).replace("a.environment", "b-a.env"),
    ".a.env.tmp",
    ".a.env.backup.tmp",
    "a.env",
    `a.env.${DEAD}-x-1y.tmp`,
  ];
  for (const name of [temporary("a.env", DEAD), ...stays]) writeFileSync(join(folder, name), "");
  sweepTemporaries(folder, "a.env");
  expect(readdirSync(folder).sort()).toEqual([...stays].sort());
});

test("leaves what is younger than was asked for", () => {
  const [old, young] = [temporary("a.env", DEAD), temporary("a.env", DEAD)];
  for (const name of [old, young]) writeFileSync(join(folder, name), "");
  utimesSync(join(folder, old), 1000, 1000);
  utimesSync(join(folder, young), 3000, 3000);
  sweepTemporaries(folder, "a.env", new Date(2_000_000));
  expect(readdirSync(folder)).toEqual([young]);
});

test("the temporary files of every name are removed where none is named", () => {
  const names = [temporary("a.env", DEAD), temporary("a.env.lock", DEAD), temporary(".hidden", DEAD)];
  for (const name of names) writeFileSync(join(folder, name), "");
  sweepTemporaries(folder, "");
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be listed is left", () => {
  expect(() => sweepTemporaries(join(folder, "gone"), "a.env")).not.toThrow();
});

test("no two tokens are alike", () => {
  expect(new Set(Array.from({ length: 10_000 }, uniqueToken)).size).toBe(10_000);
});
