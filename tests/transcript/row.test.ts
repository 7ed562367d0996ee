import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWorthParsing, readRows, rowsOfText } from "../../src/transcript/row.ts";
import { fixture } from "./helpers.ts";

const encoder = new TextEncoder();

describe("readRows", () => {
  it("skips and counts bad rows, and goes on behind them", () => {
    const good = '{"type":"user","message":{"content":"hi"}}';
    const rows = rowsOfText(`${good}\n{"type":"us\n\n[1]\n7\n${good}\n`);
    expect(readRows(rows)).toMatchObject({ broken: 3, partial: 0, entries: [{ row: 0 }, { row: 5 }] });
  });

  it("ignores a last row that is half written, and reads one that only lacks its newline", () => {
    const row = '{"type":"user","message":{"content":"hi"}}';
    expect(readRows(rowsOfText(`${row}\n${row.slice(0, 20)}`))).toMatchObject({ broken: 0, partial: 1 });
    expect(readRows(rowsOfText(`${row}\n${row}`))).toMatchObject({ broken: 0, partial: 0, entries: [{}, {}] });
  });

  it("leaves out what a person took back by going on from before it", () => {
    type Written = readonly [id: string, parent: string | null, type: string, content: unknown];
    const rows = (...records: readonly Written[]) =>
      rowsOfText(
        records
          .map(([uuid, parentUuid, type, content]) => JSON.stringify({ parentUuid, type, message: { content }, uuid }))
          .join("\n"),
      );
    const call = (id: string) => [{ type: "tool_use", id, name: "Read", input: {} }];
    const result = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "read" }];
    const before = [
      ["a", "attachment", "user", "good morning"],
      ["b", "a", "assistant", call("1")],
      // Two results of one message: what the second call says goes on from the first one, as its result does.
      ["c", "b", "assistant", call("2")],
      ["d", "b", "user", result("1")],
      ["e", "c", "user", result("2")],
    ] as const;
    const taken = [
      ["f", "e", "user", "do this"],
      ["g", "f", "assistant", call("3")],
    ] as const;
    const after = [["h", "e", "user", "do that"]] as const;
    const texts = (...parts: readonly Written[]) => readRows(rows(...parts)).entries.map(({ row, ...rest }) => rest);
    expect(texts(...before, ...taken, ...after)).toEqual(texts(...before, ...after));
    expect(texts(...before)).toHaveLength(5);
    // Who resumes at an answer goes on from that, and spoke before to a row of the client's own behind it, which is not read.
    const answer = ["x", "e", "assistant", [{ type: "text", text: "done" }]] as const;
    const later = [["q", "attachment of x", "user", "do this"], ...taken.slice(1)] as const;
    const anew = ["r", "x", "user", "do that"] as const;
    expect(texts(...before, answer, ...later, anew)).toEqual(texts(...before, answer, anew));
    const again = ["s", "x", "user", "or that"] as const;
    expect(texts(...before, answer, ...later, anew, again)).toEqual(texts(...before, answer, again));
    // What a result says that came later than the one that was spoken to stays, and so does all before a prompt that is written again.
    expect(texts(...before, ["r", "d", "user", "do that"])).toHaveLength(6);
    expect(texts(...before, answer, ...later, later[0])).toHaveLength(9);
  });

  it("counts a row that is no UTF-8 as broken", () => {
    const bytes = Uint8Array.from([...encoder.encode('{"type":"user","message":{"content":"'), 0xff, 0x22, 0x7d, 0x7d]);
    expect(readRows([{ bytes, row: 0, terminated: true }])).toMatchObject({ broken: 1, entries: [] });
  });

  it("reads a row with a byte order mark and a carriage return", () => {
    const bytes = encoder.encode('\uFEFF{"type":"user","message":{"content":"é🚀"}}\r');
    expect(readRows([{ bytes, row: 0, terminated: true }]).entries).toMatchObject([{ kind: "prompt", text: "é🚀" }]);
  });

  it("takes any JSON value without a throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("user", "assistant", "system", "attachment"), (content, type) => {
        const row = JSON.stringify({ type, message: { content }, attachment: content, isSidechain: content });
        expect(readRows(rowsOfText(`${row}\n`)).broken).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe("isWorthParsing", () => {
  it("keeps every row that holds an entry, in both versions", () => {
    for (const [version, name] of [
      ["2.1.332", "two-compacts"],
      ["2.1.332", "subagent"],
      ["2.0.76", "slash-skill"],
    ] as const) {
      const rows = rowsOfText(fixture(version, name));
      const kept = rows.filter(({ bytes }) => isWorthParsing(String(bytes).slice(0, 256)));
      const meaning = (from: typeof rows) => readRows(from).entries.filter(({ kind }) => kind !== "unknown");
      expect(meaning(kept)).toEqual(meaning(rows));
    }
  });

  it("drops most of what the newest client writes for itself", () => {
    const rows = rowsOfText(fixture("2.1.332", "two-compacts"));
    const kept = rows.filter(({ bytes }) => isWorthParsing(String(bytes)));
    expect(kept.length).toBeLessThan(rows.length / 2);
  });

  it.each([
    ['{"type":"api-request-blob","data":{"type":"user"}}', false],
    ['{"type":"user","message":{}}', true],
    ['{ "type" : "assistant"}', true],
    ['{"parentUuid":null,"isSidechain":false,"attachment":{"type":"file"},"type":"attachment"}', false],
    ['{"parentUuid":null,"isSidechain":false,"message":{"attachment":{}},"type":"user"}', true],
    ["not json", true],
    ["", true],
  ])("of %j says %j", (row, worth) => {
    expect(isWorthParsing(row)).toBe(worth);
  });
});
