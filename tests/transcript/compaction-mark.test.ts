import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linesWith } from "../../src/platform/lines-with.ts";
import { COMPACTION_NEEDLE, compactionMark } from "../../src/transcript/compaction-mark.ts";

const FIXTURES = "tests/fixtures/claude-code";

function marksOf(session: string) {
  const lines = linesWith(`${FIXTURES}/${session}.jsonl`, COMPACTION_NEEDLE, 512 * 1024) ?? [];
  return lines.flatMap((line) => compactionMark(line) ?? []);
}

test("the client's own marks: an older one does not say how much was left", () => {
  expect(marksOf("2.1.332/transcripts/auto-compact")).toEqual([
    expect.objectContaining({ trigger: "auto", preTokens: 199081, postTokens: expect.any(Number) }),
  ]);
  const old = marksOf("2.0.76/transcripts/two-compacts");
  expect(old.map(({ trigger, preTokens, postTokens }) => [trigger, preTokens, postTokens])).toEqual([
    ["manual", 1603, null],
    ["manual", 1665, null],
  ]);
});

test("a text that quotes a mark is none, nor is a sub-agent's", () => {
  const [row = ""] = readFileSync(`${FIXTURES}/2.0.76/transcripts/manual-compact.jsonl`, "utf8")
    .split("\n")
    .filter((line) => line.includes(COMPACTION_NEEDLE));
  expect(compactionMark(row)).not.toBeNull();
  expect(compactionMark(row.replace('"isSidechain":false', '"isSidechain":true'))).toBeNull();
  expect(compactionMark(JSON.stringify({ type: "user", message: { content: row } }))).toBeNull();
  expect(compactionMark(`${row.slice(0, -1)}`)).toBeNull();
  expect(compactionMark(JSON.stringify([row]))).toBeNull();
});

test("a count that is none is unknown, not invented", () => {
  const row = (compactMetadata: unknown) =>
    JSON.stringify({ type: "system", subtype: "compact_boundary", compactMetadata });
  for (const metadata of [undefined, null, "x", { preTokens: "12" }, { preTokens: -1 }, { preTokens: null }]) {
    expect(compactionMark(row(metadata))).toMatchObject({ preTokens: null, postTokens: null, at: null });
  }
});

test("a mark is read whole, its counts rounded", () => {
  const row = { type: "system", subtype: "compact_boundary", timestamp: "t" };
  const metadata = { trigger: "manual", preTokens: 0, postTokens: 1.5, durationMs: 2.4 };
  expect(compactionMark(JSON.stringify({ ...row, compactMetadata: metadata }))).toEqual({
    at: "t",
    trigger: "manual",
    preTokens: 0,
    postTokens: 2,
    durationMs: 2,
  });
  expect(compactionMark(JSON.stringify({ ...row, isSidechain: 1 }))).not.toBeNull();
  for (const other of [{ type: "user" }, { subtype: "other" }, { isSidechain: true }]) {
    expect(compactionMark(JSON.stringify({ ...row, ...other }))).toBeNull();
  }
  for (const text of ["", "null", "3", "[]", JSON.stringify(row).slice(1)]) expect(compactionMark(text)).toBeNull();
});
