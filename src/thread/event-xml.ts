import { contentText } from "./content-text.ts";
import { escapeXml } from "./escape-xml.ts";
import type { AgentEvent } from "./event.ts";
import { attribute, type EventParts, eventParts } from "./event-parts.ts";
import type { Link } from "./link-calls.ts";
import { isRecord } from "./outcome.ts";
import { isJson, jsonText, serializeValue } from "./serialize-value.ts";
import { escapeWithin } from "./shorten.ts";

/** How events are written: `full` adds the attributes that bring every field back; limits are in escaped characters. */
export type EventStyle = { readonly full: boolean; readonly maxResult: number };

/** An element without its end: the tag that opens it, and what is to be its body. */
export type EventStart = { readonly tag: string; readonly body: EventBody };

/** Text still to be escaped; text that was escaped to make it fit; an object that holds nothing but JSON. */
export type EventBody = string | { readonly escaped: string } | { readonly json: Readonly<Record<string, unknown>> };

export const EVENT_END = "</event>";

/** One event as `<event …>…</event>`, without indentation. */
export function eventXml(event: AgentEvent, position: number, link: Link, style: EventStyle, maxBody?: number): string {
  const { tag, body } = eventStart(event, position, link, style, maxBody);
  return tag + bodyXml(body) + EVENT_END;
}

function bodyXml(body: EventBody): string {
  if (typeof body === "string") return escapeXml(body);
  return "escaped" in body ? body.escaped : escapeXml(jsonText(body.json));
}

/**
 * The beginning of one event. Attributes in the order that readers of threads know: `type`, `id`, `name`, `status`,
 * `iteration`, then those of the type, then those of the full style. What is no event of a known type is written as JSON
 * with the type `unknown`.
 */
export function eventStart(
  event: AgentEvent,
  position: number,
  link: Link,
  style: EventStyle,
  maxBody = Number.POSITIVE_INFINITY,
): EventStart {
  const parts = isRecord(event) ? eventParts(event, link, style.full) : null;
  if (parts === null) {
    return { tag: `<event type="unknown" id="${position}">`, body: fittingBody(event, maxBody).body };
  }
  const isTool = parts.type === "tool_input" || parts.type === "tool_output";
  const limit = parts.type === "tool_output" ? Math.min(maxBody, style.maxResult) : maxBody;
  const { body, cut } = fittingBody(isTool ? parts.body : contentText(parts.body), limit);
  const id = attribute("id", event.id ?? position);
  const iteration = attribute("iteration", event.iteration);
  const full = style.full ? fullAttributes(event, position, parts, cut) : "";
  return { tag: `<event type="${parts.type}"${id}${parts.before}${iteration}${parts.after}${full}>`, body };
}

/** `position` stands beside an id of the event's own only: from it a reader knows that the id is not the position. */
function fullAttributes(event: AgentEvent, position: number, { full, kind }: EventParts, cut: boolean): string {
  const ownId = event.id !== undefined && event.id !== null;
  return (
    attribute("timestamp", event.timestamp) +
    full +
    attribute("value", kind === "json" && cut ? "text" : kind) +
    attribute("position", ownId ? position : null)
  );
}

function fittingBody(value: unknown, limit: number): { body: EventBody; cut: boolean } {
  if (limit !== Number.POSITIVE_INFINITY) {
    const { escaped, cut } = escapeWithin(serializeValue(value), limit);
    return { body: { escaped }, cut };
  }
  return { body: isRecord(value) && isJson(value) ? { json: value } : serializeValue(value), cut: false };
}
