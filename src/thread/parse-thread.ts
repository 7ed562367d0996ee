import { elementFields } from "./element-fields.ts";
import type { AgentEvent } from "./event.ts";
import { type CallGuesses, guessCallId } from "./guess-call-id.ts";
import { err, type Outcome, ok } from "./outcome.ts";
import { parseAgentEvent } from "./parse-event.ts";
import { type EventElement, readElements, type ThreadError } from "./read-elements.ts";

/** Events left out when the thread was written: `count` of them, `index` events of this thread before the gap. */
export type ThreadGap = { readonly index: number; readonly count: number };

export type ParsedThread = {
  readonly events: AgentEvent[];
  readonly gaps: ThreadGap[];
  /** What stood there but was no event of a known type: its text. */
  readonly unknown: string[];
  /** The text after `</thread>` and a newline; empty where there is none. */
  readonly responsePrefix: string;
};

/**
 * Reads what `serializeThread` writes. Of a thread in the full style every field comes back, except the middle of what
 * was cut, values that JSON has no word for, and U+FFFD where XML forbids a character. The standard style holds types,
 * ids, names, iterations, bodies, `recoverable`, `summarizedIterations`, `durationMs`, `parallelGroup` and an approval's
 * `decision`; the rest is made up: `timestamp` 0, `verified` false, call ids that join a result to the earliest call of
 * its name without one, results as text, and arguments that are no JSON object as `{"input": text}`. An id equal to the
 * event's position counts as none there.
 */
export function parseThread(xml: string): Outcome<ParsedThread, ThreadError> {
  const document = readElements(xml);
  if (!document.ok) return document;
  const prefix = /^\r?\n/.exec(document.value.rest)?.[0];
  const responsePrefix = document.value.rest.slice(prefix?.length ?? 0);
  if (prefix === undefined && responsePrefix.trim() !== "") {
    return err({ line: xml.split("\n").length, message: "expected a newline after </thread>" });
  }
  const thread: ParsedThread = { events: [], gaps: [], unknown: [], responsePrefix };
  const calls: CallGuesses = new Map();
  let position = 0;
  for (const element of document.value.elements) {
    const type = element.attributes.get("type") ?? "";
    if (type === "omitted") {
      const count = Number(element.attributes.get("count"));
      if (!Number.isSafeInteger(count) || count < 1)
        return failure(element, "count: expected a whole number from 1 up");
      thread.gaps.push({ index: thread.events.length, count });
      position += count;
      continue;
    }
    if (type === "unknown") {
      thread.unknown.push(element.body);
      position++;
      continue;
    }
    const fields = elementFields(element, position);
    if (!fields.ok) return failure(element, fields.error);
    const event = parseAgentEvent({ ...fields.value, ...guessCallId(calls, element, position) });
    if (!event.ok) return failure(element, event.error);
    thread.events.push(event.value);
    position++;
  }
  return ok(thread);
}

function failure(element: EventElement, message: string): Outcome<never, ThreadError> {
  const type = element.attributes.get("type");
  return err({
    line: element.line,
    message: type === undefined ? message : `event ${JSON.stringify(type)}: ${message}`,
  });
}
