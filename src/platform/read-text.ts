import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { err, ok, type Result } from "../base/result.ts";
import { describeErrno, isFsError } from "./fs-error.ts";

export type ReadProblem = "missing" | "denied" | "link" | "not-a-file" | "too-large" | "not-text" | "failed";

export interface ReadError {
  readonly problem: ReadProblem;
  readonly path: string;
  /** What is wrong, as the end of a sentence that begins with the path. */
  readonly message: string;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
  /** The bytes as they stand on disk. */
  readonly bytes: Buffer;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** Permission bits, such as `0o644`. */
  readonly mode: number;
}

const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Reads a whole text file. Never blocks on a FIFO or a device, never reads more than `maxBytes`, never takes bytes that
 * are not UTF-8 or that hold NUL for text. A link as the last part of the path is followed, or is the problem `link`.
 */
export function readText(
  path: string,
  maxBytes: number,
  links: "follow" | "refuse" = "follow",
): Result<TextFile, ReadError> {
  const file = readWhole(path, maxBytes, links);
  if (!file.ok) return file;
  const { bytes } = file.value;
  if (!isUtf8(bytes)) return err({ problem: "not-text", path, message: "is not UTF-8" });
  const text = bytes.toString();
  if (text.includes("\0")) return err({ problem: "not-text", path, message: "holds NUL bytes, expected text" });
  return ok({ ...file.value, text });
}

/**
 * As `readText`, of records of which each is looked at by itself, since a power loss may have damaged one: bytes that are
 * not UTF-8 become U+FFFD, and a NUL stays.
 */
export function readDamagedText(path: string, maxBytes: number): Result<string, ReadError> {
  const file = readWhole(path, maxBytes, "follow");
  return file.ok ? ok(file.value.bytes.toString()) : file;
}

function readWhole(
  path: string,
  maxBytes: number,
  links: "follow" | "refuse",
): Result<Omit<TextFile, "text">, ReadError> {
  let fd: number;
  try {
    fd = openSync(path, READ_FLAGS | (links === "refuse" ? NO_FOLLOW : 0));
  } catch (error) {
    return err(readError(path, error));
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) return err({ problem: "not-a-file", path, message: "is a folder, expected a file" });
    if (!stat.isFile()) return err({ problem: "not-a-file", path, message: "is no regular file" });
    if (stat.size > maxBytes) {
      return err({ problem: "too-large", path, message: `holds ${stat.size} bytes, expected at most ${maxBytes}` });
    }
    const bytes = readUpTo(fd, stat.size, maxBytes);
    if (bytes === null) return err({ problem: "too-large", path, message: `holds more than ${maxBytes} bytes` });
    return ok({ path, bytes, modified: stat.mtimeMs, mode: stat.mode & 0o777 });
  } catch (error) {
    return err(readError(path, error));
  } finally {
    closeSync(fd);
  }
}

/**
 * The text of a small file in half the time that `readText` takes; null for all that is not plain: a link, an error, what is
 * no text or may be none. Only for what a look has just shown to be a regular file of a fair size: it is read to its end.
 */
export function readPlainText(path: string): string | null {
  let text: unknown;
  try {
    // Node reads text in one call; that flags may be numbers is documented, and not in its types.
    text = Reflect.apply(readFileSync, null, [path, { encoding: "utf8", flag: READ_FLAGS | NO_FOLLOW }]);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return null;
  }
  // U+FFFD stands in the text, or for bytes that are no UTF-8.
  return typeof text === "string" && !text.includes("\0") && !text.includes("\uFFFD") ? text : null;
}

/** The bytes of a file of this user's own, no link followed; null for whatever is none, cannot be read, or is too large. */
export function readBytes(path: string, maxBytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, READ_FLAGS | NO_FOLLOW);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return null;
  }
  try {
    const stat = fstatSync(fd);
    // Windows knows no users by number.
    const isOwn = process.geteuid === undefined || stat.uid === process.geteuid();
    return isOwn && stat.isFile() && stat.size <= maxBytes ? readUpTo(fd, stat.size, maxBytes) : null;
  } catch (error) {
    if (!isFsError(error)) throw error;
    return null;
  } finally {
    closeSync(fd);
  }
}

/** The file's bytes, or null where it grew past `maxBytes` while it was read. */
function readUpTo(fd: number, expected: number, maxBytes: number): Buffer | null {
  let buffer = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > maxBytes) return null;
    // There was room for one byte more, and it did not come: this is the end. Asking again is a fifth of a small file's cost.
    if (length === expected && expected > 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

function readError(path: string, error: unknown): ReadError {
  // Node's word for a path that no file can have.
  if (path.includes("\0")) return { problem: "missing", path, message: "is no path: it holds a NUL" };
  if (!isFsError(error)) throw error;
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return { problem: "missing", path, message: "does not exist" };
    case "EACCES":
    case "EPERM":
      return { problem: "denied", path, message: `cannot be read: ${describeErrno(error.code)}` };
    case "ELOOP":
      return { problem: "link", path, message: "is a link" };
    case "ENXIO":
      return { problem: "not-a-file", path, message: "is no regular file" };
    default:
      return { problem: "failed", path, message: `cannot be read: ${describeErrno(error.code)}` };
  }
}
