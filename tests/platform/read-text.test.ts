import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readText } from "../../src/platform/read-text.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { bundleScript, NOBODY, remove, runNode, temporaryFolder } from "./scripts.ts";

let folder = "";
let path = "";
const scripts = temporaryFolder();

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "x.md");
  return () => remove(folder);
});
afterAll(() => remove(scripts));

const read = (maxBytes = 1000) => readText(path, maxBytes);
const problem = (maxBytes = 1000) => {
  const result = read(maxBytes);
  return result.ok ? null : `${result.error.problem}: ${result.error.message}`;
};

test("gives text, bytes, time and mode as they stand", () => {
  writeFileSync(path, "\uFEFFé 🚀\r\n", { mode: 0o640 });
  chmodSync(path, 0o640);
  const result = read();
  expect(result).toMatchObject({ ok: true, value: { path, text: "\uFEFFé 🚀\r\n", mode: 0o640 } });
  if (!result.ok) return;
  expect(result.value.bytes).toEqual(Buffer.from("\uFEFFé 🚀\r\n", "utf8"));
  expect(Math.abs(result.value.modified - Date.now())).toBeLessThan(60_000);
});

test.each([
  ["empty", "", null],
  ["as long as allowed", "x".repeat(1000), null],
  ["one byte longer than allowed", "x".repeat(1001), "too-large: holds 1001 bytes, expected at most 1000"],
  ["Latin-1", Buffer.from([0x61, 0xe9, 0x0a]), "not-text: is not UTF-8"],
  ["UTF-16", Buffer.from("\uFEFFhello", "utf16le"), "not-text: is not UTF-8"],
  ["a surrogate in UTF-8's manner", Buffer.from([0xed, 0xa0, 0x80]), "not-text: is not UTF-8"],
  ["cut off in a character", Buffer.from("é").subarray(0, 1), "not-text: is not UTF-8"],
  ["one NUL", "a\0b", "not-text: holds NUL bytes, expected text"],
  ["NULs only", "\0".repeat(700), "not-text: holds NUL bytes, expected text"],
])("a file that is %s: %3$s", (_name, content, expected) => {
  writeFileSync(path, content);
  expect(problem()).toBe(expected);
});

test("a hundred megabytes of nothing are refused without being read", () => {
  writeFileSync(path, "");
  truncateSync(path, 100 * 1024 * 1024);
  const start = cpuTime();
  expect(problem()).toBe("too-large: holds 104857600 bytes, expected at most 1000");
  expect(cpuTime() - start).toBeLessThan(2_000);
});

test("a file whose size the system does not tell is read, and no further than allowed", () => {
  if (process.platform !== "linux") return;
  path = "/proc/self/status";
  expect(read(100_000)).toMatchObject({ ok: true, value: { text: expect.stringContaining("Name:") } });
  expect(problem(10)).toBe("too-large: holds more than 10 bytes");
});

test("what is no file is told apart, and nothing is waited for", async () => {
  expect(problem()).toBe("missing: does not exist");
  mkdirSync(path);
  expect(problem()).toBe("not-a-file: is a folder, expected a file");
  path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  expect(problem()).toBe("not-a-file: is no regular file");
  path = join(folder, "socket");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  expect(problem()).toBe("not-a-file: is no regular file");
  await new Promise((resolve) => server.close(resolve));
  path = "/dev/zero";
  expect(problem()).toBe("not-a-file: is no regular file");
});

test("a path through a file, a path that is too long and one that no file can have", () => {
  writeFileSync(path, "");
  const file = path;
  path = join(file, "y");
  expect(problem()).toBe("missing: does not exist");
  path = join(folder, "n".repeat(300));
  expect(problem()).toBe("failed: cannot be read: the name is too long (ENAMETOOLONG)");
  path = `${file}\0.txt`;
  expect(problem()).toBe("missing: is no path: it holds a NUL");
});

test("a link is followed, or is the problem where that is asked for", () => {
  writeFileSync(join(folder, "real"), "text");
  symlinkSync(join(folder, "real"), path);
  expect(read()).toMatchObject({ ok: true, value: { text: "text" } });
  expect(readText(path, 1000, "refuse")).toMatchObject({ ok: false, error: { problem: "link" } });
  expect(readText(join(folder, "real"), 1000, "refuse").ok).toBe(true);
  path = join(folder, "loop");
  symlinkSync(path, path);
  expect(read().ok).toBe(false);
  path = join(folder, "dangling");
  symlinkSync(join(folder, "nowhere"), path);
  expect(problem()).toBe("missing: does not exist");
});

test("a file without rights is denied, and not said to be missing", async () => {
  writeFileSync(path, "secret", { mode: 0o000 });
  const script = bundleScript(new URL("./fixtures/read.ts", import.meta.url), scripts);
  const reader = runNode(script, [path], NOBODY);
  expect((await reader.ended).code).toBe(0);
  expect(JSON.parse(reader.lines[0] ?? "")).toEqual({
    problem: "denied",
    path,
    message: "cannot be read: permission denied (EACCES)",
  });
});
