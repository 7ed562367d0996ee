import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { err, ok, type Result } from "../base/result.ts";
import { describeErrno, errnoOf } from "./fs-error.ts";
import { latin1Text } from "./latin1-text.ts";

export interface TailOptions {
  /** Rows to keep at most. */
  readonly maxLines?: number;
  /** Bytes of kept rows together, at most. */
  readonly maxBytes?: number;
  /** A row of more bytes is counted as `oversize` and never held whole. */
  readonly maxLineBytes?: number;
  /** Bytes to read at most, those of rows that are not kept included. */
  readonly maxScanBytes?: number;
  readonly blockBytes?: number;
  /** Byte offset at which the rows end, for a file that went on since. */
  readonly upTo?: number;
  /**
   * False leaves a row out: counted as `skipped`, it uses up no limit but the scan's. `head` is the row's first bytes, up
   * to 256, one character a byte (Latin-1).
   */
  readonly keep?: (head: string) => boolean;
}

export interface TailLine {
  /**
   * The row without its newline, and of its pictures in base64 no more than their beginnings, one character a byte
   * (Latin-1): a block is decoded at once, and its rows are parts of that.
   * `rowText` says what it spells.
   */
  readonly text: string;
  /** Byte offset of the row's start in the file. */
  readonly offset: number;
  /** Ordinal of the row in the window, from 0, counting the rows that were not kept. */
  readonly row: number;
  /** False for a last row that no newline ends: it may be half written. */
  readonly terminated: boolean;
}

export interface Tail {
  /** Oldest first. */
  readonly lines: readonly TailLine[];
  /** Byte offset where the window's first row starts; 0 when the whole file was looked at. */
  readonly start: number;
  /** Size of the file in bytes when it was opened, up to where the rows end. */
  readonly size: number;
  /** Rows in the window, kept or not. */
  readonly rows: number;
  readonly oversize: number;
  readonly skipped: number;
}

export interface TailError {
  readonly code: "missing" | "not-a-file" | "no-permission" | "unreadable";
  readonly path: string;
  readonly message: string;
  readonly cause?: unknown;
}

// 64 kB a read is near where more stops paying on a warm page cache, and little is left of a picture that is read so. 64 MB
// of scan steps over a row of 50 MB in about 100 ms;
// the other limits are a caller's business, these only keep a call without options harmless.
const DEFAULTS = {
  maxLines: 2_000,
  maxBytes: 4 * 1024 * 1024,
  maxLineBytes: 1024 * 1024,
  maxScanBytes: 64 * 1024 * 1024,
  blockBytes: 64 * 1024,
  upTo: Number.POSITIVE_INFINITY,
  keep: () => true,
} satisfies Required<TailOptions>;
const HEAD_BYTES = 256;
/** So long a run of what base64 is written with is data. */
const DATA_BYTES = 9999;
const NEWLINE = 10;
const LINE_END = "\n";
/** A row holds the whole block that it is a part of: those this far before the last are copied, lest a few short rows hold a file. */
const PARTS_BYTES = 8 * 1024 * 1024;

/** The last rows of a file, read backwards in blocks: the cost is that of the window, not of the file. */
export function tailLines(path: string, options: TailOptions = {}): Result<Tail, TailError> {
  const newestFirst: WalkedRow[] = [];
  const walked = walkRows(path, options, (row) => {
    const far = (newestFirst[0]?.offset ?? 0) - row.offset > PARTS_BYTES;
    newestFirst.push(far ? { ...row, text: Buffer.from(row.text, "latin1").toString("latin1") } : row);
    return true;
  });
  if (!walked.ok) return walked;
  const { rows } = walked.value;
  const lines = newestFirst
    .reverse()
    .map(({ text, offset, terminated, fromEnd }) => ({ text, offset, terminated, row: rows - fromEnd }));
  return ok({ ...walked.value, lines });
}

/** A row's bytes; where each is ASCII, the text that they spell: to find that out takes a fraction of decoding them. */
export function rowBytes(row: string): string | Buffer {
  return Buffer.byteLength(row) === row.length ? row : Buffer.from(row, "latin1");
}

/** What a row's bytes spell; what is no UTF-8 becomes U+FFFD. */
export function rowText(row: string): string {
  const bytes = rowBytes(row);
  return typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
}

/** A row on the way from a file's end to its start. */
export interface WalkedRow extends Omit<TailLine, "row"> {
  /** Ordinal of the row from the end, from 1, counting the rows that were not kept. */
  readonly fromEnd: number;
}

/** As `tailLines`, without holding any row: each one that is kept is visited, newest first, until a visit returns false. */
export function walkRows(
  path: string,
  options: TailOptions,
  visit: (row: WalkedRow) => boolean,
): Result<Omit<Tail, "lines">, TailError> {
  const limits = { ...DEFAULTS, ...options };
  return withFile(path, (fd, size) => scanBackwards(fd, Math.min(size, limits.upTo), limits, visit));
}

/** Newlines before byte `upTo`: the number of rows that lie before it. Reads the file from its start. */
export function countLines(path: string, upTo: number): Result<number, TailError> {
  return withFile(path, (fd, size) => {
    const block = Buffer.allocUnsafe(DEFAULTS.blockBytes);
    const end = Math.min(upTo, size);
    let lines = 0;
    for (let position = 0; position < end; ) {
      const length = readSync(fd, block, 0, Math.min(block.length, end - position), position);
      if (length === 0) break;
      for (let at = block.indexOf(NEWLINE); at !== -1 && at < length; at = block.indexOf(NEWLINE, at + 1)) lines += 1;
      position += length;
    }
    return lines;
  });
}

function scanBackwards(
  fd: number,
  size: number,
  limits: Required<TailOptions>,
  visit: (row: WalkedRow) => boolean,
): Omit<Tail, "lines"> {
  const block = Buffer.allocUnsafe(Math.max(1, Math.min(limits.blockBytes, size)));
  // What is known of the row whose start is not read yet: its pieces, latest first. Of an oversize row, only its head.
  let pieces: string[] = [];
  let pieceBytes = 0;
  let terminated = false;
  let keptBytes = 0;
  let [rows, visited, oversize, skipped, start, full] = [0, 0, 0, 0, size, false];

  const addPiece = (given: string): void => {
    // A picture in base64: nobody reads it, and a few would fill the window. Where it begins an escape may end.
    const run = given.search(/[^\w+/=]|$/);
    const piece = run < DATA_BYTES ? given : given.slice(0, 8) + given.slice(run);
    pieceBytes += piece.length;
    if (pieceBytes <= limits.maxLineBytes) pieces.push(piece);
    else pieces = [headOf(piece, pieces)];
  };
  const finishRow = (firstPiece: string, offset: number): void => {
    const length = firstPiece.length + pieceBytes;
    // What follows the file's last newline is no row when it is empty.
    if (!terminated && length === 0) return;
    const kept = length > 0 && limits.keep(headOf(firstPiece, pieces));
    if (kept && length <= limits.maxLineBytes && visited > 0 && keptBytes + length > limits.maxBytes) {
      full = true;
      return;
    }
    rows += 1;
    start = offset;
    if (length === 0) return;
    if (!kept) skipped += 1;
    else if (length > limits.maxLineBytes) oversize += 1;
    else {
      keptBytes += length;
      visited += 1;
      full =
        !visit({ text: joined(firstPiece, pieces), offset, terminated, fromEnd: rows }) || visited >= limits.maxLines;
    }
  };

  let position = size;
  let scanned = 0;
  while (position > 0 && !full && scanned < limits.maxScanBytes) {
    const length = Math.min(block.length, position);
    position -= length;
    scanned += length;
    // Fewer bytes than asked for: the file was cut while it was read, and what was there is gone.
    if (readSync(fd, block, 0, length, position) < length) break;
    const text = latin1Text(block, 0, length);
    let end = length;
    while (!full) {
      const newline = end === 0 ? -1 : text.lastIndexOf(LINE_END, end - 1);
      if (newline === -1) {
        addPiece(text.slice(0, end));
        break;
      }
      finishRow(text.slice(newline + 1, end), position + newline + 1);
      [pieces, pieceBytes, terminated, end] = [[], 0, true, newline];
    }
    if (position === 0 && !full) finishRow("", 0);
  }
  return { start, size, rows, oversize, skipped };
}

/** A row, of which `first` and then `laterPieces` from their end are the parts. */
function joined(first: string, laterPieces: readonly string[]): string {
  return laterPieces.length === 0 ? first : first + laterPieces.toReversed().join("");
}

/** The first bytes of such a row. */
function headOf(first: string, laterPieces: readonly string[]): string {
  const parts = first.length >= HEAD_BYTES ? [] : laterPieces.map((part) => part.slice(0, HEAD_BYTES));
  return joined(first, parts).slice(0, HEAD_BYTES);
}

function withFile<T>(path: string, use: (fd: number, size: number) => T): Result<T, TailError> {
  let fd: number | undefined;
  try {
    // Without O_NONBLOCK the open of a FIFO waits for a writer, for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile())
      return err({ code: "not-a-file", path, message: `Expected a file, found ${kindOf(stat)}: ${path}` });
    return ok(use(fd, stat.size));
  } catch (cause) {
    return err(tailError(path, cause));
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function kindOf(stat: { isDirectory(): boolean; isFIFO(): boolean }): string {
  return stat.isDirectory() ? "a directory" : stat.isFIFO() ? "a named pipe" : "a device or socket";
}

function tailError(path: string, cause: unknown): TailError {
  const code = errnoOf(cause);
  if (code === "ENOENT" || code === "ENOTDIR")
    return { code: "missing", path, message: `No such file: ${path}`, cause };
  if (code === "EACCES" || code === "EPERM") {
    return { code: "no-permission", path, message: `No permission to read ${path}`, cause };
  }
  const reason = code === null ? String(cause) : describeErrno(code);
  return { code: "unreadable", path, message: `Cannot read ${path}: ${reason}`, cause };
}
