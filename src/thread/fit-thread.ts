import type { AgentEvent } from "./event.ts";
import { isRecord } from "./outcome.ts";

/** One event's line, its newline first, the body in at most `maxBody` characters. */
type LineOf = (event: AgentEvent, position: number, maxBody: number) => string;

const EMPTY = "<thread>";
/** No body takes more than this share of the room, so that one huge result does not push out all others. */
const LARGEST_SHARE = 1 / 4;

/**
 * The thread behind its first `skip` events in at most `limit` characters: whole where it fits, else its first user
 * message and its newest events.
 */
export function fitThread(
  events: readonly AgentEvent[],
  lineOf: LineOf,
  { skip, end, limit }: { readonly skip: number; readonly end: string; readonly limit: number },
): string {
  const room = limit - EMPTY.length - end.length;
  if (room < 0) return "";
  const whole = wholeThread(events, lineOf, skip, room);
  return EMPTY + (whole ?? partOfThread(events, lineOf, skip, room)) + end;
}

/** Stops at the line that does not fit, and does not write a body that alone is longer than the room. */
function wholeThread(events: readonly AgentEvent[], lineOf: LineOf, skip: number, room: number): string | null {
  let text = gapLine(0, skip);
  for (const [position, event] of events.entries()) {
    if (position < skip) continue;
    if (longestText(event) > room) return null;
    text += lineOf(event, position, Number.POSITIVE_INFINITY);
    if (text.length > room) return null;
  }
  return text;
}

function longestText(event: unknown): number {
  if (!isRecord(event)) return 0;
  const text = event.result ?? event.content;
  return typeof text === "string" ? text.length : 0;
}

/**
 * Goes back from the newest event while lines fit, and remembers the farthest point at which the document with its gap
 * marks fits. The first user message holds its place throughout: it says what all the rest is for.
 */
function partOfThread(events: readonly AgentEvent[], lineOf: LineOf, skip: number, room: number): string {
  const share = Math.floor(room * LARGEST_SHARE);
  const write = (position: number, maxBody: number) => {
    const event = events[position];
    return event === undefined ? "" : lineOf(event, position, maxBody);
  };
  const first = events.findIndex((event, position) => position >= skip && isUsers(event));
  const firstLine = first === -1 ? "" : write(first, share);
  const pinned = firstLine.length + gapsLength(first, events.length) <= room ? first : -1;

  const newest: string[] = [];
  let used = 0;
  let kept = 0;
  for (let from = events.length - 1; from >= skip; from--) {
    const free = room - used - (pinned < from ? (pinned === -1 ? 0 : firstLine.length) : 0);
    const gaps = gapsLength(pinned, from);
    let line = from === pinned ? firstLine : write(from, share);
    if (newest.length === 0 && line.length + gaps > free) line = write(from, free - gaps - write(from, 0).length);
    if (line.length > free) break;
    used += line.length;
    newest.push(line);
    if (line.length + gaps <= free) kept = newest.length;
  }
  const from = events.length - kept;
  const before = gapLines(pinned, from);
  const text = before.concat(newest.slice(0, kept).reverse());
  if (pinned !== -1 && pinned < from) text.splice(pinned === 0 ? 0 : 1, 0, firstLine);
  const part = text.join("");
  return part.length <= room ? part : "";
}

function isUsers(event: unknown): boolean {
  return isRecord(event) && event.type === "message" && event.role === "user";
}

/** The events left out when those from `from` on and the pinned one stay, as half-open ranges of positions. */
function gapLines(pinned: number, from: number): string[] {
  const ranges = pinned === -1 || pinned >= from ? [gapLine(0, from)] : [gapLine(0, pinned), gapLine(pinned + 1, from)];
  return ranges.filter((line) => line !== "");
}

function gapsLength(pinned: number, from: number): number {
  return gapLines(pinned, from).reduce((sum, line) => sum + line.length, 0);
}

/** The mark that stands for the events of these positions, `end` not among them; empty where there are none. */
export function gapLine(start: number, end: number): string {
  const count = end - start;
  if (count === 0) return "";
  const text = count === 1 ? "1 event left out" : `${count} events left out`;
  return `\n  <event type="omitted" id="${start}" count="${count}">${text}</event>`;
}
