import { writeWhole } from "../platform/atomic-write.ts";
import { readBytes } from "../platform/read-text.ts";
import type { ProjectPaths } from "./paths.ts";

/** Something that was made from files, and what these were known by then: `platform/file-marks.ts`. */
export interface MemoFile {
  /** None of them holds a NUL. */
  readonly texts: readonly string[];
  readonly marks: Float64Array;
}

/** Documents of 20 000 tokens and the paths of some ten thousand files; the answer about a hundred thousand roles. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A newline, as the last line of a text has: a file that was cut short is not believed. */
const END = 0x0a;

/** The memo in a file with so many texts; null where there is none, or it is not whole. */
export function readMemo(path: string, count: number): MemoFile | null {
  const bytes = readBytes(path, MOST_BYTES);
  if (bytes === null) return null;
  const texts: string[] = [];
  let at = 0;
  while (texts.length < count) {
    const end = bytes.indexOf(0, at);
    if (end === -1) return null;
    texts.push(bytes.toString("utf8", at, end));
    at = end + 1;
  }
  const first = aligned(at);
  const last = bytes.length - 1;
  if (first > last || (last - first) % 8 !== 0 || bytes[last] !== END) return null;
  const from = bytes.byteOffset + first;
  return { texts, marks: new Float64Array(bytes.buffer.slice(from, from + last - first)) };
}

/** Writes a memo with rights for nobody else. Where that fails the next run is slower, no more. */
export function writeMemo(paths: ProjectPaths, path: string, { texts, marks }: MemoFile): void {
  if (texts.some((text) => text.includes("\0"))) return;
  const head = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const bytes = Buffer.alloc(aligned(head.length) + marks.byteLength + 1);
  bytes.set(head);
  bytes.set(new Uint8Array(marks.buffer, marks.byteOffset, marks.byteLength), aligned(head.length));
  bytes[bytes.length - 1] = END;
  writeWhole(path, bytes, { mode: 0o600, root: paths.root, folderMode: 0o700, durable: false });
}

/** Doubles stand at multiples of eight. */
function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
