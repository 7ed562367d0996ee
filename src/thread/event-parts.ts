import { escapeXmlAttribute } from "./escape-xml.ts";
import type { AgentEvent, Role } from "./event.ts";
import type { Link } from "./link-calls.ts";
import { serializeValue } from "./serialize-value.ts";

/**
 * What an event's element is made of: attributes before and after `iteration`, those that only the full style writes,
 * and the body, with its kind where a body may hold other than text.
 */
export type EventParts = {
  readonly type: string;
  readonly before: string;
  readonly after: string;
  readonly full: string;
  readonly body: unknown;
  readonly kind: ValueKind | null;
};

/** What the `value` attribute says of a body: JSON, text (also JSON cut short), or no value at all. */
export type ValueKind = "json" | "text" | "none";

/** Names of messages in the thread, by role. */
export const MESSAGE_TYPES = { user: "human", assistant: "ai", system: "system" } satisfies Record<Role, string>;

/** The parts of an event; `null` where its type is not one of the union, which types do not stop in plain JavaScript. */
export function eventParts(event: AgentEvent, link: Link, full: boolean): EventParts | null {
  switch (event.type) {
    case "message":
      return parts(messageType(event.role), event.content);
    case "tool_call": {
      const before = attribute("name", event.toolName) + attribute("status", link.status);
      const after = attribute("parallel_group", event.parallelGroup);
      const more = full ? attribute("tool_call_id", event.toolCallId) : "";
      return parts("tool_input", event.args, after, more, before, valueKind(event.args));
    }
    case "tool_result": {
      const before = attribute("name", link.name) + attribute("status", link.status);
      const after = attribute("duration_ms", event.durationMs) + attribute("parallel_group", event.parallelGroup);
      const more = full ? attribute("tool_call_id", event.toolCallId) : "";
      return parts("tool_output", event.result, after, more, before, valueKind(event.result));
    }
    case "error": {
      const more = full ? attribute("tool_call_id", event.toolCallId) : "";
      return parts(event.type, event.error, attribute("recoverable", event.recoverable), more);
    }
    case "human_input_requested":
      return parts(event.type, event.question, "", full ? requestAttributes(event) : "");
    case "human_input_received":
      return parts(event.type, event.response, "", full ? attribute("decision", event.decision) : "");
    case "completion":
      return parts(event.type, event.result, "", full ? attribute("verified", event.verified) : "");
    case "summary": {
      const iterations = numberList(event.summarizedIterations);
      return parts(event.type, event.summary, attribute("summarizedIterations", iterations));
    }
    case "plan":
      return parts(event.type, event.content);
    case "approval": {
      const before = attribute("name", event.toolName);
      const more = full ? attribute("tool_call_id", event.toolCallId) : "";
      const kind = event.response === undefined ? "none" : "text";
      return parts(event.type, event.response ?? "", attribute("decision", event.decision), more, before, kind);
    }
    default:
      event satisfies never;
      return null;
  }
}

/** A literal each time: spreading a common one costs as much as escaping the text (measured). */
function parts(
  type: string,
  body: unknown,
  after = "",
  full = "",
  before = "",
  kind: ValueKind | null = null,
): EventParts {
  return { type, before, after, full, body, kind };
}

/** ` name="value"`, or nothing for a value that is not there. */
export function attribute(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  return ` ${name}="${typeof value === "number" ? numberText(value) : escapeXmlAttribute(serializeValue(value))}"`;
}

/** `String` would make `0` of `-0`. */
function numberText(value: number): string {
  return value === 0 && Object.is(value, -0) ? "-0" : String(value);
}

function messageType(role: Role): string {
  return Object.hasOwn(MESSAGE_TYPES, role) ? MESSAGE_TYPES[role] : MESSAGE_TYPES.system;
}

function valueKind(value: unknown): ValueKind {
  return value === undefined ? "none" : typeof value === "string" ? "text" : "json";
}

function numberList(list: unknown): unknown {
  return Array.isArray(list)
    ? list.map((item) => (typeof item === "number" ? numberText(item) : serializeValue(item))).join(",")
    : list;
}

function requestAttributes(event: AgentEvent & { type: "human_input_requested" }): string {
  return (
    attribute("kind", event.kind) +
    attribute("context", event.context) +
    attribute("urgency", event.urgency) +
    attribute("format", event.format) +
    attribute("choices", event.choices)
  );
}
