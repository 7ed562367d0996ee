import type { AgentEvent } from "./event.ts";
import { type CallBook, type Link, linkEvent } from "./event-link.ts";
import { eventXml } from "./event-xml.ts";
import { gapLine } from "./fit-thread.ts";
import { eventStyle, limitOf, type SerializeOptions, THREAD_START, threadEnd } from "./serialize-thread.ts";
import { withPlainQuotes } from "./structural-escape.ts";

export type StreamOptions = Omit<SerializeOptions, "maxCharacters"> & {
  /** Which events fit, the newest, is known at the end: `serializeThread` alone takes it. */
  readonly maxCharacters?: undefined;
  /** How much text may wait for the answer to a call before the call is written as pending; 1 048 576 where absent. */
  readonly lookaheadCharacters?: number | undefined;
};

const LOOKAHEAD_CHARACTERS = 1_048_576;

/**
 * The text of `serializeThread` in pieces, an event each, as events come; `maxCharacters` is refused. A call's `status` depends on what follows, so
 * a call without an answer and the events after it wait until the answer comes, the source ends, or more than
 * `lookaheadCharacters` wait: then the oldest call is written as pending. Memory is bounded by that and by the names of
 * the calls; the text differs from `serializeThread`'s only where an answer comes later than that.
 */
export async function* serializeThreadStream(
  events: AsyncIterable<AgentEvent> | Iterable<AgentEvent>,
  options: StreamOptions = {},
): AsyncGenerator<string, void, undefined> {
  if (options.maxCharacters !== undefined) throw new RangeError("maxCharacters: a stream has no such limit");
  const style = eventStyle(options);
  const skip = Math.floor(limitOf("skip", options.skip ?? 0, "events"));
  const plain = options.escape === "structural" ? withPlainQuotes : String;
  const lookahead =
    options.lookaheadCharacters === undefined
      ? LOOKAHEAD_CHARACTERS
      : limitOf("lookaheadCharacters", options.lookaheadCharacters);
  const calls: CallBook = new Map();
  const waiting: Waiting[] = [];
  let front = 0;
  let waitingCharacters = 0;
  let position = 0;

  yield THREAD_START;
  for await (const event of events) {
    const link = linkEvent(calls, event);
    const at = position++;
    if (at < skip) continue;
    if (at === skip && skip > 0) yield gapLine(0, skip);
    const write = () => plain(`\n  ${eventXml(event, at, link, style)}`);
    const text = write();
    if (front === waiting.length && !isOpen(link)) {
      yield text;
      continue;
    }
    waiting.push({ link, text, rewrite: isOpen(link) ? write : null });
    waitingCharacters += text.length;
    for (let entry = waiting[front]; entry !== undefined; entry = waiting[front]) {
      if (isOpen(entry.link) && waitingCharacters <= lookahead) break;
      front++;
      waitingCharacters -= entry.text.length;
      yield finalText(entry);
    }
    if (front > waiting.length / 2) {
      waiting.splice(0, front);
      front = 0;
    }
  }
  if (position > 0 && position <= skip) yield gapLine(0, position);
  for (const entry of waiting.slice(front)) yield finalText(entry);
  yield threadEnd(options);
}

/** An event that waits for the answer to a call before it: its text, and for a call the way to write it anew. */
type Waiting = { readonly link: Link; readonly text: string; readonly rewrite: (() => string) | null };

function isOpen(link: Link): boolean {
  return link.status === "pending";
}

function finalText({ link, text, rewrite }: Waiting): string {
  return rewrite === null || isOpen(link) ? text : rewrite();
}
