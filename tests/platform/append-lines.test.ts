import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { appendLines, lastLine } from "../../src/platform/append-lines.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { bundleScript, remove, run, temporaryFolder } from "./scripts.ts";

const scripts = temporaryFolder();
let folder = "";
let path = "";

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "h.jsonl");
  return () => remove(folder);
});
afterAll(() => remove(scripts));

const text = () => readFileSync(path, "utf8");
/** Lines are kept up to the number that they begin with. */
const append = (lines: readonly string[], upTo = Number.POSITIVE_INFINITY) =>
  appendLines(path, lines, { keep: (line) => Number.parseInt(line, 10) <= upTo, mode: 0o600 });
const any = () => true;

test("makes the file for its owner alone, and appends whole lines", () => {
  expect(append(["1 é", "2"])).toEqual({ ok: true, value: undefined });
  expect(append(["3"])).toEqual({ ok: true, value: undefined });
  expect(text()).toBe("1 é\n2\n3\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  ["a torn line", "1\n2\n3 to", 9, "1\n2\nnew\n"],
  ["a torn line alone", "1 to", 9, "new\n"],
  ["a torn line and lines that are refused", "1\n2\n3\n4\n5 to", 2, "1\n2\nnew\n"],
  ["lines that are refused, to the beginning", "3\n4\n", 2, "new\n"],
  ["NULs that a power loss left", "1\n2\n\0\0\0\0", 9, "1\n2\nnew\n"],
  ["an empty file", "", 9, "new\n"],
  ["a newline alone, which is refused", "\n", 9, "new\n"],
  ["lines before a kept one, which are not looked at", "9\n1\n9\n", 1, "9\n1\nnew\n"],
])("cuts off %s", (_name, before, upTo, after) => {
  writeFileSync(path, before);
  expect(append(["new"], upTo).ok).toBe(true);
  expect(text()).toBe(after);
});

test("lines of any length around the size of a look, and what is kept of them", () => {
  const length = fc.oneof(fc.constantFrom(0, 1, 4094, 4095, 4096, 4097, 16_383, 16_385), fc.nat(9000));
  const line = fc.tuple(length, fc.boolean());
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.nat(5000), (lines, torn) => {
      const written = lines.map(([size, kept]) => (kept ? "k" : "r") + "é".repeat(size / 2) + "x".repeat(size % 2));
      writeFileSync(path, written.map((one) => `${one}\n`).join("") + "t".repeat(torn));
      const keep = (one: string) => one.startsWith("k");
      expect(lastLine(path, any)).toBe(written.at(-1) ?? null);
      expect(lastLine(path, keep)).toBe(written.findLast(keep) ?? null);
      expect(appendLines(path, ["new"], { keep, mode: 0o600 }).ok).toBe(true);
      const kept = written.slice(0, written.findLastIndex(keep) + 1);
      expect(text()).toBe([...kept, "new", ""].join("\n"));
    }),
    { numRuns: 150 },
  );
});

test("the last line of a file that is missing, empty, torn, or none", () => {
  expect(lastLine(path, any)).toBeNull();
  writeFileSync(path, "");
  expect(lastLine(path, any)).toBeNull();
  writeFileSync(path, "torn");
  expect(lastLine(path, any)).toBeNull();
  writeFileSync(path, "1\ntorn");
  expect(lastLine(path, any)).toBe("1");
  expect(lastLine(path, () => false)).toBeNull();
  expect(lastLine(folder, any)).toBeNull();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(lastLine(join(folder, "pipe"), any)).toBeNull();
});

test("looks at the end only: a hundred megabytes before it cost nothing", () => {
  writeFileSync(path, "");
  truncateSync(path, 100 * 1024 * 1024);
  writeFileSync(path, "\n1\n2 to", { flag: "a" });
  const start = cpuTime();
  expect(append(["2"]).ok).toBe(true);
  expect(lastLine(path, any)).toBe("2");
  expect(cpuTime() - start).toBeLessThan(2_000);
  expect(statSync(path).size).toBe(100 * 1024 * 1024 + 5);
});

test("a file that ends in a line without an end is refused, not cut off, whatever its size", () => {
  writeFileSync(path, "1\n");
  truncateSync(path, 5 * 1024 ** 3);
  const start = cpuTime();
  expect(append(["2"])).toEqual({
    ok: false,
    error: { path, message: "ends in more than 1048576 bytes without a newline" },
  });
  expect(lastLine(path, any)).toBeNull();
  expect(cpuTime() - start).toBeLessThan(2000);
  expect(statSync(path).size).toBe(5 * 1024 ** 3);
});

test("a folder, a pipe and a link are refused with the reason, and nothing is waited for", () => {
  mkdirSync(path);
  const message = "cannot be written: it is a folder (EISDIR)";
  expect(append(["1"])).toEqual({ ok: false, error: { path, message, code: "EISDIR" } });
  path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  expect(append(["1"])).toEqual({ ok: false, error: { path, message: "is no regular file" } });
  writeFileSync(join(folder, "theirs"), "old\n");
  path = join(folder, "link");
  symlinkSync(join(folder, "theirs"), path);
  expect(append(["1"])).toEqual({ ok: false, error: { path, message: "is a link, expected a regular file" } });
  expect(readFileSync(join(folder, "theirs"), "utf8")).toBe("old\n");
});

test("where there is no room, what was written of a line is cut off by the next writer", async () => {
  writeFileSync(path, `${"1".repeat(3000)}\n`);
  const script = bundleScript(new URL("./fixtures/write.ts", import.meta.url), scripts);
  const writer = run("bash", ["-c", 'ulimit -f 4; exec "$0" "$1" append "$2" 5000', process.execPath, script, path]);
  expect(await writer.ended).toEqual({ code: 0, signal: null, stderr: "" });
  expect(writer.lines[0]).toContain("EFBIG");
  expect(append(["2"]).ok).toBe(true);
  expect(text()).toBe(`${"1".repeat(3000)}\n2\n`);
});

test("of a file of millions of lines that are none of ours the last thousands are looked at", () => {
  const found = (others: number): string | null => {
    writeFileSync(path, `ours\n${"\n".repeat(others)}`);
    return lastLine(path, (line) => line === "ours");
  };
  expect(found(4000)).toBe("ours");
  expect(found(3_000_000)).toBeNull();
});
