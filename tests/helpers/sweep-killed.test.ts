import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sweepKilled } from "./sweep-killed.ts";
import { makeWorkspace } from "./workspace.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DAY = 24 * 60 * 60;

test("what a killed run left a day ago goes, and what is younger, no folder, or another's name stays", () => {
  const folder = makeWorkspace().path("tmp");
  const now = Date.now();
  const make = (name: string, seconds: number): void => {
    mkdirSync(join(folder, name, "a/b"), { recursive: true });
    utimesSync(join(folder, name), now / 1000 - seconds, now / 1000 - seconds);
  };
  for (const name of ["context-test-aB3dE6", "projet é aB3dE6", "as init leaves it aB3dE6"]) make(name, DAY + 9);
  const kept = ["context-backup", "context-test-aB3dE6.old", "context-test-later1", "projet é file01", "socket-aB3dE6"];
  for (const name of [...kept.slice(0, 2), ...kept.slice(4)]) make(name, DAY + 9);
  make("context-test-later1", DAY - 9);
  const file = join(folder, "projet é file01");
  writeFileSync(file, "");
  utimesSync(file, 0, 0);
  sweepKilled(folder, now);
  expect(readdirSync(folder).sort()).toEqual(kept);
});

test("each name that something here gives to a folder of temporary files is one of those that go", () => {
  const folder = makeWorkspace().path("tmp");
  // The client that its tests run lies below their folder, of thousands of files.
  const folders = readdirSync(join(ROOT, "tests")).filter((name) => /^[a-z]+$/.test(name) && name !== "client");
  const names = ["scripts", ...folders.map((name) => `tests/${name}`)]
    .flatMap((below) => readdirSync(join(ROOT, below), { recursive: true }).map((path) => join(below, String(path))))
    .filter((path) => /\.(?:ts|mjs)$/.test(path))
    .flatMap((path) => [
      ...readFileSync(join(ROOT, path), "utf8").matchAll(/mkdtempSync\(join\(tmpdir\(\), "([^"]+)"/g),
    ])
    .map(([, name]) => `${name}aB3dE6`);
  expect(names.length).toBeGreaterThan(30);
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    utimesSync(join(folder, name), 0, 0);
  }
  sweepKilled(folder, Date.now());
  expect(readdirSync(folder)).toEqual([]);
});
