import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, parseJson } from "../../src/base/json-value.ts";
import { countLines, rowText, type Tail, type TailOptions, tailLines } from "../../src/platform/tail.ts";
import { searchProject } from "../../src/stores/project-search.ts";
import { readTranscript } from "../../src/stores/transcript-store.ts";
import { activitiesOf } from "../../src/transcript/activity.ts";
import { detectProject } from "../../src/transcript/detect-project.ts";
import { isAnyAtWork } from "../../src/transcript/project-score.ts";
import { isWorthParsing, readRows } from "../../src/transcript/row.ts";
import { need } from "../helpers/need.ts";
import { must, mustBeEqual } from "./oracles.ts";

const folder = mkdtempSync(join(tmpdir(), "context-fuzz-rows-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const FILE = join(folder, "session.jsonl");

const PLACES = { root: "/home/dev/acme", home: "/home/dev", projectsFolder: "02-projects", cwd: null } as const;

/** A row that is no JSON takes ten readings, each with an error to be made: many thousands would be slow, and say no more. */
const MOST_ROWS = 4000;

/** Read from its end, in whatever blocks, a file has the rows that it has from its start. */
export function fuzzTranscriptFile(text: string): void {
  for (const bytes of [Buffer.from(text), Buffer.from(text, "latin1")]) {
    writeFileSync(FILE, bytes);
    const rows = bytes.toString("latin1").split("\n");
    if (rows.length > MOST_ROWS) return;
    for (const blockBytes of [7 + (text.length % 300), 64 * 1024]) checkTail(bytes, rows, { blockBytes });
    const keep = (head: string): boolean => head.charCodeAt(40) % 3 !== 0;
    const half = { keep, maxLines: 1 + (text.length % 40), maxLineBytes: 50 + (text.length % 500), maxBytes: 4000 };
    checkTail(bytes, rows, { ...half, blockBytes: 100 });
    checkReaders(rows);
  }
  checkSearch(text);
}

function checkTail(bytes: Buffer, rows: readonly string[], options: TailOptions): void {
  const tail = need(tailLines(FILE, options));
  const before = need(countLines(FILE, tail.start));
  const places = rowPlaces(rows);
  for (const { text, offset, row, terminated } of tail.lines) {
    const number = before + row;
    must(text === rows[number] && offset === places[number], "a row is not where it was");
    must(terminated === number < rows.length - 1, "a row's end is told wrong");
    const spelled = new TextDecoder().decode(bytes.subarray(offset, offset + text.length));
    mustBeEqual(rowText(text), spelled, "a row's text");
  }
  mustBeEqual(tail.lines.length, expectedRows(rows, tail, before, options), "rows that are kept");
}

/** How many rows of the window the limits leave; throws where the window could have been larger. */
function expectedRows(rows: readonly string[], tail: Tail, before: number, options: TailOptions): number {
  const { keep = () => true, maxLines = 2000, maxLineBytes = 1024 * 1024, maxBytes = 4 * 1024 * 1024 } = options;
  const wanted = (row: string | undefined): row is string =>
    row !== undefined && row !== "" && keep(row.slice(0, 256)) && row.length <= maxLineBytes;
  const kept = rows.slice(before).filter(wanted);
  const sum = kept.reduce((all, row) => all + row.length, 0);
  must(kept.length <= 1 || (kept.length <= maxLines && sum <= maxBytes), "the window goes beyond its limits");
  const more = rows[before - 1];
  if (before > 0 && kept.length < maxLines) {
    must(wanted(more) && kept.length > 0 && sum + more.length > maxBytes, "the window ends before its limits");
  }
  const left = rows.slice(before).filter((row) => row !== "" && keep(row.slice(0, 256)) && row.length > maxLineBytes);
  mustBeEqual(tail.oversize, left.length, "rows that are too long");
  return kept.length;
}

function rowPlaces(rows: readonly string[]): readonly number[] {
  let place = 0;
  return rows.map((row) => {
    const at = place;
    place += row.length + 1;
    return at;
  });
}

/** A hook and a person's command read of a file what is read of its rows. */
function checkReaders(rows: readonly string[]): void {
  const expected = activitiesOf(
    readRows(
      rows.flatMap((row, number) =>
        row === "" || !isWorthParsing(row.slice(0, 256))
          ? []
          : [{ bytes: Buffer.from(row, "latin1"), row: number, terminated: number < rows.length - 1 }],
      ),
    ).entries,
  );
  const whole = need(readTranscript(FILE, "whole"));
  mustBeEqual(whole.activities, expected, "what a file's rows say");
  const window = need(readTranscript(FILE, "window"));
  if (window.whole) mustBeEqual(window.activities, expected, "what a window's rows say");
}

/** The quick search finds what reading all finds, in rows as the client spells them, none written twice. */
function checkSearch(text: string): void {
  const seen = new Set<unknown>();
  const records = text.split("\n").flatMap((line) => {
    const record = parseJson(line);
    if (!isObject(record) || (record.uuid !== undefined && seen.has(record.uuid))) return [];
    seen.add(record.uuid);
    return [`${JSON.stringify(record)}\n`];
  });
  writeFileSync(FILE, records.join(""));
  const { found, worked, whole } = need(searchProject(FILE, PLACES));
  const read = need(readTranscript(FILE, "window"));
  const { project, confidence, scores } = detectProject(read.activities, PLACES);
  mustBeEqual(found, project === null ? null : { project, confidence }, "the project in hand");
  mustBeEqual(worked, isAnyAtWork(scores), "whether a project was worked on");
  must(!whole || read.whole, "looked at whole");
}
