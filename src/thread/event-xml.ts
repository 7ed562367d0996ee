import { contentText } from "./content-text.ts";
import { escapeXmlAttribute } from "./escape-xml.ts";
import type { AgentEvent } from "./event.ts";
import type { Link } from "./event-link.ts";
import { type EventParts, eventParts, numberText } from "./event-parts.ts";
import { isRecord } from "./outcome.ts";
import { isJson, serializeValue } from "./serialize-value.ts";
import { escapeWithin } from "./shorten.ts";
import { createStringWriter, type XmlWriter } from "./xml-writer.ts";

/** How events are written: `full` adds the attributes that bring every field back; limits are in escaped characters. */
export type EventStyle = { readonly full: boolean; readonly maxResult: number };

/** One event as `<event …>…</event>`, without indentation. */
export function eventXml(event: AgentEvent, position: number, link: Link, style: EventStyle, maxBody?: number): string {
  const out = createStringWriter();
  writeEvent(out, event, position, link, style, maxBody);
  return out.finish();
}

/**
 * Writes one event. Attributes in the order that readers of threads know: `type`, `id`, `name`, `status`, `iteration`,
 * then those of the type, then those of the full style. What is no event of a known type is written as JSON with the
 * type `unknown`.
 */
export function writeEvent(
  out: XmlWriter,
  event: AgentEvent,
  position: number,
  link: Link,
  style: EventStyle,
  maxBody = Number.POSITIVE_INFINITY,
): void {
  const parts = isRecord(event) ? eventParts(event, link) : null;
  out.raw('<event type="');
  out.raw(parts === null ? "unknown" : parts.type);
  out.raw('"');
  attribute(out, "id", parts === null ? position : (event.id ?? position));
  if (parts === null) writeBody(out, fitting(event, maxBody));
  else writeParts(out, event, position, parts, style, maxBody);
  out.raw("</event>");
}

function writeParts(
  out: XmlWriter,
  event: AgentEvent,
  position: number,
  parts: EventParts,
  style: EventStyle,
  maxBody: number,
): void {
  attribute(out, "name", parts.name);
  attribute(out, "status", parts.status);
  attribute(out, "iteration", event.iteration);
  for (const [name, value] of parts.own) attribute(out, name, value);
  const isTool = parts.type === "tool_input" || parts.type === "tool_output";
  const limit = parts.type === "tool_output" ? Math.min(maxBody, style.maxResult) : maxBody;
  const body = fitting(isTool ? parts.body : contentText(parts.body), limit);
  if (style.full) {
    const cut = typeof body === "object" && "cut" in body && body.cut;
    attribute(out, "timestamp", event.timestamp);
    for (const [name, value] of parts.full) attribute(out, name, value);
    attribute(out, "value", parts.kind === "json" && cut ? "text" : parts.kind);
    // Beside an id of the event's own only: from it a reader knows that the id is not the position.
    attribute(out, "position", event.id === undefined || event.id === null ? null : position);
  }
  writeBody(out, body);
}

/** ` name="value"`, or nothing for a value that is not there. */
function attribute(out: XmlWriter, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  out.raw(" ");
  out.raw(name);
  out.raw('="');
  out.raw(typeof value === "number" ? numberText(value) : escapeXmlAttribute(serializeValue(value)));
  out.raw('"');
}

/** Text still to be escaped; text that was escaped to make it fit; an object that holds nothing but JSON. */
type Body = string | ReturnType<typeof escapeWithin> | { readonly json: Readonly<Record<string, unknown>> };

function fitting(value: unknown, limit: number): Body {
  if (limit !== Number.POSITIVE_INFINITY) return escapeWithin(serializeValue(value), limit);
  return isJson(value) && isRecord(value) ? { json: value } : serializeValue(value);
}

function writeBody(out: XmlWriter, body: Body): void {
  out.raw(">");
  if (typeof body === "string") out.text(body);
  else if ("json" in body) out.json(body.json);
  else out.raw(body.escaped);
}
