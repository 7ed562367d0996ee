import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { flush, writeAll, writeError } from "../platform/atomic-write.ts";
import { isFsError } from "../platform/fs-error.ts";
import type { AgentEvent } from "../thread/event.ts";
import { parseAgentEvent } from "../thread/parse-event.ts";
import { jsonText } from "../thread/serialize-value.ts";
import { sentence, type ThreadLogError, whileUnclaimed } from "./thread-owner.ts";

/** What a log holds, and how many bytes of a line that was never written whole were cut from its end. */
export type OpenedLog = { readonly events: AgentEvent[]; readonly cutBytes: number };

/**
 * Reads a log of events, a JSON object a line, and mends its end: what a writer left that was killed inside a line is cut,
 * a whole last event without its newline gets one. A bad line anywhere else is an error, and the file stays as it is; so is
 * a log that an agent is running. Creates an empty log, and its folder, where there is none.
 */
export function openThreadLog(path: string): Result<OpenedLog, ThreadLogError> {
  return whileUnclaimed(path, () => readLog(path));
}

/**
 * Appends events, a line each, to a log that was opened, and flushes them: they count once this returns. Several processes
 * may do so, one after the other. The value is what a reader gets back. An event that could not be read back is an error,
 * and nothing is written; so is a log that an agent is running.
 */
export function appendEvents(path: string, events: readonly AgentEvent[]): Result<AgentEvent[], ThreadLogError> {
  return whileUnclaimed(path, () => appendToLog(path, events));
}

/** As `openThreadLog`, for who has claimed the thread. */
export function readLog(path: string): Result<OpenedLog, ThreadLogError> {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | NO_FOLLOW, 0o600);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return err(sentence({ path, message: "is no regular file" }));
      const log = readEvents(path, readBytes(fd, stat.size));
      if (!log.ok) return log;
      const { events, end, needsNewline } = log.value;
      if (end < stat.size) ftruncateSync(fd, end);
      if (needsNewline) writeAll(fd, Buffer.from("\n"), end);
      flush(fd);
      // A new name is safe only when its folder is on the disk too.
      if (stat.size === 0) flushFolder(dirname(path));
      return ok({ events, cutBytes: stat.size - end });
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return err(sentence(writeError(path, error)));
  }
}

/** As `appendEvents`, for who has claimed the thread. */
export function appendToLog(path: string, events: readonly AgentEvent[]): Result<AgentEvent[], ThreadLogError> {
  const lines = events.map(lineOf);
  const readBack = eventsOf(path, lines);
  if (!readBack.ok) return readBack;
  try {
    // A log that is gone is not begun anew: half a thread would look like a whole one.
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | NO_FOLLOW);
    try {
      const { size } = fstatSync(fd);
      if (!endsWhole(fd, size)) return err(sentence({ path, message: "ends inside a line; open it again to mend it" }));
      writeOrTakeBack(fd, Buffer.from(lines.map((line) => `${line}\n`).join(""), "utf8"), size);
      return readBack;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return err(sentence(writeError(path, error)));
  }
}

function endsWhole(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
}

/** On a full disk a part may be written: what stands before it stays a whole log. */
function writeOrTakeBack(fd: number, bytes: Buffer, size: number): void {
  try {
    writeAll(fd, bytes, size);
    flush(fd);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

/** What a reader gets back of events, whatever becomes of those given. */
export function copyOf(path: string, events: readonly AgentEvent[]): Result<AgentEvent[], ThreadLogError> {
  return eventsOf(path, events.map(lineOf));
}

function eventsOf(path: string, lines: readonly string[]): Result<AgentEvent[], ThreadLogError> {
  const events: AgentEvent[] = [];
  for (const line of lines) {
    const event = parseLine(line);
    if (!event.ok) return err({ path, message: `${path} cannot hold this event: ${event.error}.` });
    events.push(event.value);
  }
  return ok(events);
}

/** A result stands last and is written by itself: past what one value may hold it is cut, and no other field is lost. */
function lineOf(event: AgentEvent): string {
  if (event.type !== "tool_result") return jsonText(event);
  const { result, ...rest } = event;
  return `${jsonText(rest).slice(0, -1)},"result":${jsonText(result)}}`;
}

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NEWLINE = 10;

type ReadLog = { readonly events: AgentEvent[]; readonly end: number; readonly needsNewline: boolean };

function readEvents(path: string, bytes: Buffer): Result<ReadLog, ThreadLogError> {
  const events: AgentEvent[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const text = bytes.toString("utf8", start, end);
    const event = text.trim() === "" ? null : parseLine(text);
    if (event !== null && !event.ok) {
      if (newline === -1 || isWiped(bytes, start, end)) return ok({ events, end: start, needsNewline: false });
      return err({ path, message: `${path}:${line}: ${event.error}` });
    }
    if (event !== null) events.push(event.value);
    if (newline === -1) return ok({ events, end, needsNewline: true });
    start = newline + 1;
  }
  return ok({ events, end: bytes.length, needsNewline: false });
}

/** Whether a power loss left NULs in place of a line of the last write, the one that was never flushed. */
function isWiped(bytes: Buffer, start: number, end: number): boolean {
  if (!bytes.subarray(start, end).includes(0)) return false;
  const later = bytes.toString("utf8", end + 1).split("\n");
  return !later.some((text) => text.trim() !== "" && parseLine(text).ok);
}

function parseLine(text: string): Result<AgentEvent, string> {
  try {
    return parseAgentEvent(JSON.parse(text));
  } catch {
    return err("expected a JSON object, found text that is no JSON");
  }
}

function readBytes(fd: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  for (let read = -1; length < size && read !== 0; length += read)
    read = readSync(fd, bytes, length, size - length, length);
  return bytes.subarray(0, length);
}

function flushFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Windows opens no folders; its file systems keep names in a journal.
    if (!isFsError(error)) throw error;
  }
}
