import type { AgentEvent } from "./event.ts";
import { type CallBook, linkEvent } from "./event-link.ts";
import { type EventStyle, eventXml, writeEvent } from "./event-xml.ts";
import { fitThread, gapLine } from "./fit-thread.ts";
import { withPlainQuotes } from "./structural-escape.ts";
import { createXmlWriter, type XmlWriter } from "./xml-writer.ts";

export type SerializeOptions = {
  /** Text after `</thread>` and a newline, as it is: the beginning of the answer that the model goes on with. */
  readonly responsePrefix?: string | undefined;
  /** `standard`: the layout that models know. `full`: with the attributes that `parseThread` needs for every field. */
  readonly attributes?: "standard" | "full" | undefined;
  /** Longest body of a tool's result, in characters (UTF-16 units) as written; the middle of a longer one is left out. */
  readonly maxResultCharacters?: number | undefined;
  /** `full`: the five entities everywhere. `structural`: quotes and apostrophes in bodies stay as they are. */
  readonly escape?: "full" | "structural" | undefined;
  /** Longest document, prefix and marks included, in characters (UTF-16 units). */
  readonly maxCharacters?: number | undefined;
  /** So many of the oldest events are left out and counted. */
  readonly skip?: number | undefined;
};

/**
 * A thread of events as one XML element, an event a line. An event's id is its own, else its position in the whole
 * thread. Above `maxCharacters`, bodies longer than a quarter of it lose their middle, then events are left out: the
 * first message of the user and as many of the newest as fit stay, and `<event type="omitted" id="…" count="…">` stands
 * for each gap. Where not even an empty thread fits, the text is empty.
 */
export function serializeThread(events: readonly AgentEvent[], options: SerializeOptions = {}): string {
  return writeThread(events, options, createXmlWriter);
}

/** As `serializeThread`, by way of another writer, which a thread with `maxCharacters` has no use for. */
export function writeThread(
  events: readonly AgentEvent[],
  options: SerializeOptions,
  createWriter: () => XmlWriter,
): string {
  const style = eventStyle(options);
  const maxCharacters = limitOf("maxCharacters", options.maxCharacters);
  const skip = Math.min(Math.floor(limitOf("skip", options.skip ?? 0, "events")), events.length);
  const end = threadEnd(options);
  const calls: CallBook = new Map();
  const links = events.map((event) => linkEvent(calls, event));
  const linkAt = (event: AgentEvent, position: number) => links[position] ?? linkEvent(calls, event);
  const plain = (xml: string): string => (options.escape === "structural" ? withPlainQuotes(xml) : xml);
  if (maxCharacters !== Number.POSITIVE_INFINITY) {
    const lineOf = (event: AgentEvent, position: number, maxBody: number) =>
      `\n  ${eventXml(event, position, linkAt(event, position), style, maxBody)}`;
    const fitted = fitThread(events, lineOf, { skip, end, limit: maxCharacters });
    return plain(fitted.slice(0, fitted.length - end.length)) + fitted.slice(fitted.length - end.length);
  }
  const out = createWriter();
  out.raw(THREAD_START);
  out.raw(gapLine(0, skip));
  for (const [position, event] of events.entries()) {
    if (position < skip) continue;
    out.raw("\n  ");
    writeEvent(out, event, position, linkAt(event, position), style);
  }
  if (options.escape === "structural") return withPlainQuotes(out.finish()) + end;
  out.raw(end);
  return out.finish();
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
export function limitOf(name: string, value: number | undefined, of = "characters"): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === "number" && value >= 0) return value;
  throw new RangeError(`${name}: expected a number of ${of} from 0 up, found ${String(value)}`);
}
