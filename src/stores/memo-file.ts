import { writeWhole } from "../platform/atomic-write.ts";
import { NUMBERS } from "../platform/file-marks.ts";
import { readBytes } from "../platform/read-text.ts";
import type { ProjectPaths } from "./paths.ts";

/** Something that was made from files, and what these were known by then. */
export interface Memo {
  /** None of them holds a NUL. */
  readonly texts: readonly string[];
  /** Of the files, in their order: `platform/file-marks.ts`. */
  readonly marks: Float64Array;
  /** What is wanted now and then. */
  readonly rest: string;
}

export interface OpenedMemo {
  readonly texts: readonly string[];
  /** The marks of so many files, which the texts name, and what comes behind them; null where they do not stand there. */
  readonly open: (files: number) => { readonly marks: Float64Array; readonly rest: () => string } | null;
}

/** The answer about a hundred thousand roles. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A newline, as the last line of a text has. */
const END = 0x0a;

/** The memo in a file, with so many texts; null where there is none, or it is not whole or too large. */
export function openMemo(path: string, count: number, mostBytes = MOST_BYTES): OpenedMemo | null {
  const bytes = readBytes(path, mostBytes);
  if (bytes === null || bytes.at(-1) !== END) return null;
  const texts: string[] = [];
  let at = 0;
  while (texts.length <= count) {
    const end = bytes.indexOf(0, at);
    if (end === -1) return null;
    texts.push(bytes.toString(undefined, at, end));
    at = end + 1;
  }
  const first = aligned(at);
  const last = bytes.length - 1;
  const restAt = last - Number(texts.pop());
  if (restAt > last) return null;
  const open: OpenedMemo["open"] = (files) => {
    if (first + files * NUMBERS * 8 !== restAt) return null;
    const from = bytes.byteOffset + first;
    const marks = new Float64Array(bytes.buffer.slice(from, from + restAt - first));
    return { marks, rest: () => bytes.toString(undefined, restAt, last) };
  };
  return { texts, open };
}

/** Writes a memo with rights for nobody else. Where that fails the next run is slower, no more. */
export function writeMemo(paths: ProjectPaths, path: string, { texts, marks, rest }: Memo): void {
  if (texts.some((text) => text.includes("\0"))) return;
  // With the length of the rest all of the file's is known: one that a failing machine left shorter is not believed.
  const head = Buffer.from([...texts, Buffer.byteLength(rest)].map((text) => `${text}\0`).join(""));
  const marksAt = aligned(head.length);
  const restAt = marksAt + marks.byteLength;
  const bytes = Buffer.alloc(restAt + Buffer.byteLength(rest) + 1);
  bytes.set(head);
  bytes.set(new Uint8Array(marks.buffer, marks.byteOffset, marks.byteLength), marksAt);
  bytes.write(rest, restAt, "utf8");
  bytes[bytes.length - 1] = END;
  writeWhole(path, bytes, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
}

/** Doubles stand at multiples of eight. */
function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
