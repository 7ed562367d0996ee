import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { countLines, rowText, type Tail, type TailOptions, tailLines, walkRows } from "../../src/platform/tail.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { need } from "../helpers/need.ts";

const folder = mkdtempSync(join(tmpdir(), "context tail-é "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(content: string | Uint8Array): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, content);
  return path;
}

function tail(path: string, options: TailOptions = {}): Tail {
  return need(tailLines(path, options));
}

function texts(found: Tail): readonly string[] {
  return found.lines.map(({ text }) => rowText(text));
}

describe("tailLines", () => {
  it("gives the last rows, oldest first, with offset and ordinal", () => {
    const found = tail(file("one\ntwo\nthree\n"), { maxLines: 2 });
    expect(texts(found)).toEqual(["two", "three"]);
    expect(found).toMatchObject({ start: 4, size: 14, rows: 2, oversize: 0, skipped: 0 });
    expect(found.lines.map(({ offset, row, terminated }) => [offset, row, terminated])).toEqual([
      [4, 0, true],
      [8, 1, true],
    ]);
  });

  it.each([
    ["", []],
    ["\n", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["\na", ["a"]],
    ["a\n\n\nb\n", ["a", "b"]],
    ["a\r\nb", ["a\r", "b"]],
  ])("reads %j", (content, expected) => {
    for (const blockBytes of [1, 2, 3, 1000]) expect(texts(tail(file(content), { blockBytes }))).toEqual(expected);
  });

  it("says that no newline ends the last row", () => {
    expect(tail(file("a\nb")).lines.map(({ terminated }) => terminated)).toEqual([true, false]);
  });

  it("counts empty rows in the ordinals, so that a line number follows", () => {
    const path = file("a\n\nb\nc\n");
    expect(tail(path).lines.map(({ row }) => row)).toEqual([0, 2, 3]);
    const part = tail(path, { maxLines: 1 });
    expect(countLines(path, part.start)).toEqual({ ok: true, value: 3 });
  });

  it("agrees with reading the file whole, whatever the blocks, limits and bytes", () => {
    const row = fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.map((byte) => (byte === 10 ? 11 : byte)));
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 12 }),
        (rows, ends, blockBytes, maxLines) => {
          const content = Buffer.from(
            rows.map((bytes) => Buffer.from(bytes).toString("latin1")).join("\n") + (ends ? "\n" : ""),
            "latin1",
          );
          const whole = content.toString("latin1").split("\n");
          const expected = whole
            .map((text, at) => ({
              text,
              offset: Buffer.byteLength(whole.slice(0, at).join("\n"), "latin1") + (at > 0 ? 1 : 0),
            }))
            .filter(({ text }) => text !== "")
            .slice(-maxLines);
          const found = tail(file(content), { blockBytes, maxLines });
          expect(found.lines.map(({ text, offset }) => ({ text, offset }))).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("keeps little of a picture in base64, so that a few leave room for the rows before them, and breaks no escape", () => {
    const picture = `${"iVBORw0KGgo+/".repeat(40_000)}==`;
    const row = (text: string) =>
      JSON.stringify({ text, content: [{ data: picture }], file: { base64: picture }, after: "ü" });
    // Where a block ends is another place in each.
    const said = Array.from({ length: 40 }, (_, index) => `${"\\".repeat(index)}\nAAAA${"é".repeat(index * 997)}`);
    const found = tail(file(`before\n${said.map((text) => `${row(text)}\n`).join("")}`), {
      maxBytes: 12 * 1024 * 1024,
    });
    expect(found).toMatchObject({ oversize: 0, rows: 41, start: 0 });
    const [first, ...rows] = found.lines.map((line) => rowText(line.text));
    expect(first).toBe("before");
    expect(rows.map((line): unknown => JSON.parse(line))).toMatchObject(said.map((text) => ({ text, after: "ü" })));
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThan(500_000);
  });

  it("steps over a row of 50 MB without holding it, and finds the rows before it", () => {
    const path = file(`before\n${"x ".repeat(25 * 1024 * 1024)}\nafter\n`);
    const heap = process.memoryUsage().arrayBuffers;
    const found = tail(path);
    expect(process.memoryUsage().arrayBuffers - heap).toBeLessThan(8 * 1024 * 1024);
    expect(texts(found)).toEqual(["before", "after"]);
    expect(found).toMatchObject({ oversize: 1, rows: 3, start: 0 });
  });

  it("stays within the bytes asked for, and gives at least one row", () => {
    expect(texts(tail(file("aaaa\nbbbb\ncccc\n"), { maxBytes: 8 }))).toEqual(["bbbb", "cccc"]);
    expect(texts(tail(file("aaaa\nbbbb\n"), { maxBytes: 1 }))).toEqual(["bbbb"]);
  });

  it("leaves out rows by their first bytes, oversize ones too, without using up the limits", () => {
    const path = file(`a1\n-${"x".repeat(5000)}\n-2\na2\n-3\n`);
    const keep = (head: string): boolean => !head.startsWith("-");
    for (const blockBytes of [1, 7, 300, 100_000]) {
      const found = tail(path, { keep, maxLines: 2, maxLineBytes: 1000, blockBytes });
      expect(texts(found)).toEqual(["a1", "a2"]);
      expect(found).toMatchObject({ skipped: 3, oversize: 0 });
    }
  });

  it("does not end the window at a row that it leaves out", () => {
    const path = file(`a1\n-${"x".repeat(5000)}\na2\n`);
    expect(texts(tail(path, { keep: (head) => !head.startsWith("-"), maxBytes: 10 }))).toEqual(["a1", "a2"]);
  });

  it("hands over up to 256 first bytes of a row, however it is cut into blocks", () => {
    const row = Array.from({ length: 600 }, (_unused, at) => String.fromCharCode(97 + (at % 26))).join("");
    for (const blockBytes of [1, 10, 255, 256, 257, 10_000]) {
      for (const maxLineBytes of [50, 10_000]) {
        const heads: string[] = [];
        const keep = (head: string): boolean => heads.push(head) > 0;
        tail(file(`${row}\nb\n`), { blockBytes, maxLineBytes, keep });
        expect(heads).toEqual(["b", row.slice(0, 256)]);
      }
    }
  });

  it("gives up after the bytes it may scan, in a hole as well", () => {
    const path = file("");
    truncateSync(path, 1_000_000_000);
    const fd = openSync(path, "r+");
    writeSync(fd, "\none\ntwo\n", 999_999_000);
    closeSync(fd);
    truncateSync(path, 999_999_009);
    const start = cpuTime();
    const found = tail(path);
    expect(cpuTime() - start).toBeLessThan(2_000);
    expect(texts(found)).toEqual(["one", "two"]);
    expect(found).toMatchObject({ rows: 2, start: 999_999_001 });
  });

  it.each([
    ["missing", join(folder, "nowhere", "x")],
    ["not-a-file", folder],
    ["missing", join(file("x"), "below")],
  ])("answers %s for what is no file", (code, path) => {
    expect(tailLines(path)).toMatchObject({ ok: false, error: { code, path } });
    expect(countLines(path, 1)).toMatchObject({ ok: false, error: { code } });
  });

  it.skipIf(process.platform === "win32")("does not wait for a writer at a named pipe", () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    expect(tailLines(path)).toMatchObject({
      ok: false,
      error: { code: "not-a-file", message: expect.stringContaining("pipe") },
    });
  });

  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)("says that it may not read a file", () => {
    const path = file("x");
    chmodSync(path, 0);
    expect(tailLines(path)).toMatchObject({ ok: false, error: { code: "no-permission" } });
  });
});

describe("countLines", () => {
  it("counts newlines before a byte", () => {
    const path = file("a\nb\nc\nd");
    for (const [upTo, expected] of [
      [0, 0],
      [1, 0],
      [2, 1],
      [6, 3],
      [7, 3],
      [99, 3],
    ] as const) {
      expect(countLines(path, upTo)).toEqual({ ok: true, value: expected });
    }
  });
});

describe("walkRows", () => {
  it("visits the rows that tailLines holds, newest first, and reads no further than it is told to", () => {
    const path = file("one\n\ntwo\nthree\n");
    for (const blockBytes of [1, 2, 3, 1000]) {
      const seen: string[] = [];
      const walked = walkRows(path, { blockBytes }, ({ text, fromEnd, offset }) => {
        seen.push(`${fromEnd} ${offset} ${text}`);
        return text !== "two";
      });
      expect(seen).toEqual(["1 9 three", "2 5 two"]);
      expect(walked).toMatchObject({ ok: true, value: { start: 5, rows: 2 } });
    }
  });

  it("says of a file that was walked to its start that nothing is left", () => {
    expect(walkRows(file("one\ntwo\n"), {}, () => true)).toMatchObject({ ok: true, value: { start: 0, rows: 2 } });
  });
});
