import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headLines, readHead } from "../../src/platform/read-head.ts";
import { remove, temporaryFolder } from "./scripts.ts";

test("a file's beginning is read, and whatever else has its name makes nobody wait", () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("file"), "first\nsecond\n");
  execFileSync("mkfifo", [at("pipe")]);
  mkdirSync(at("folder"));
  expect(headLines(at("file"), 8)).toEqual(["first"]);
  expect(headLines(at("pipe"), 8)).toEqual([]);
  expect(readHead(at("folder"), 8)).toBeNull();
  expect(readHead(at("nothing"), 8)).toBeNull();
  remove(folder);
});
