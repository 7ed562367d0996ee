import type { AgentEvent } from "./event.ts";
import { EVENT_END, type EventStyle, eventStart, eventXml } from "./event-xml.ts";
import { fitThread } from "./fit-thread.ts";
import { type CallBook, type Link, linkEvent } from "./link-calls.ts";
import { withPlainQuotes } from "./structural-escape.ts";
import { createXmlWriter } from "./xml-writer.ts";

export type SerializeOptions = {
  /** Text after `</thread>` and a newline, as it is: the beginning of the answer that the model goes on with. */
  readonly responsePrefix?: string;
  /** `standard`: the layout that models know. `full`: with the attributes that `parseThread` needs for every field. */
  readonly attributes?: "standard" | "full";
  /** Longest body of a tool's result, in characters (UTF-16 units) as written; the middle of a longer one is left out. */
  readonly maxResultCharacters?: number;
  /** `full`: the five entities everywhere. `structural`: quotes and apostrophes in bodies stay as they are. */
  readonly escape?: "full" | "structural";
  /** Longest document, prefix and marks included, in characters (UTF-16 units). */
  readonly maxCharacters?: number;
};

/**
 * A thread of events as one XML element, an event a line. An event's id is its own, else its position in the whole
 * thread. Above `maxCharacters`, bodies longer than a quarter of it lose their middle, then events are left out: the
 * first message of the user and as many of the newest as fit stay, and `<event type="omitted" id="…" count="…">` stands
 * for each gap. Where not even an empty thread fits, the text is empty.
 */
export function serializeThread(events: readonly AgentEvent[], options: SerializeOptions = {}): string {
  const style = eventStyle(options);
  const maxCharacters = limitOf("maxCharacters", options.maxCharacters);
  const end = threadEnd(options);
  const calls: CallBook = new Map();
  const links = events.map((event) => linkEvent(calls, event));
  const linkAt = (event: AgentEvent, position: number) => links[position] ?? linkEvent(calls, event);
  const escaped = (xml: string): string => (options.escape === "structural" ? withPlainQuotes(xml) : xml);
  if (maxCharacters === Number.POSITIVE_INFINITY) return escaped(wholeThread(events, linkAt, style)) + end;
  const lineOf = (event: AgentEvent, position: number, maxBody: number) =>
    `\n  ${eventXml(event, position, linkAt(event, position), style, maxBody)}`;
  const fitted = fitThread(events, lineOf, end, maxCharacters);
  return escaped(fitted.slice(0, fitted.length - end.length)) + fitted.slice(fitted.length - end.length);
}

function wholeThread(
  events: readonly AgentEvent[],
  linkAt: (event: AgentEvent, position: number) => Link,
  style: EventStyle,
): string {
  const writer = createXmlWriter();
  try {
    let before = `${THREAD_START}\n  `;
    let position = 0;
    for (const event of events) {
      const { tag, body } = eventStart(event, position, linkAt(event, position), style);
      writer.raw(before + tag);
      if (typeof body === "string") writer.text(body);
      else if ("escaped" in body) writer.raw(body.escaped);
      else writer.json(body.json);
      position++;
      before = `${EVENT_END}\n  `;
    }
    writer.raw(events.length === 0 ? THREAD_START : EVENT_END);
    return writer.finish();
  } finally {
    writer.release();
  }
}

export const THREAD_START = "<thread>";

/** What closes the document. */
export function threadEnd({ responsePrefix = "" }: SerializeOptions): string {
  return responsePrefix === "" ? "\n</thread>" : `\n</thread>\n${responsePrefix}`;
}

export function eventStyle({ attributes, maxResultCharacters }: SerializeOptions): EventStyle {
  const maxResult = limitOf("maxResultCharacters", maxResultCharacters);
  return { full: attributes === "full", maxResult };
}

/** A limit that is not a number would be no limit at all, silently. */
export function limitOf(name: string, value: number | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === "number" && value >= 0) return value;
  throw new RangeError(`${name}: expected a number of characters from 0 up, found ${String(value)}`);
}
