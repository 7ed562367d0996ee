import type { AgentEvent, Role } from "./event.ts";
import type { Link, LinkStatus } from "./event-link.ts";
import { serializeValue } from "./serialize-value.ts";

/** Attributes in their order; those without a value are not written. */
export type Attributes = readonly (readonly [name: string, value: unknown])[];

/**
 * What an event's element is made of: the tool's name and status, the attributes of its type, those that only the full
 * style writes, and the body, with its kind where a body may hold other than text.
 */
export type EventParts = {
  readonly type: string;
  readonly body: unknown;
  readonly own: Attributes;
  readonly full: Attributes;
  readonly name: unknown;
  readonly status: LinkStatus | null;
  readonly kind: ValueKind | null;
};

/** What the `value` attribute says of a body: JSON, text (also JSON cut short), or no value at all. */
export type ValueKind = "json" | "text" | "none";

/** Names of messages in the thread, by role. */
const MESSAGE_TYPES = { user: "human", assistant: "ai", system: "system" } satisfies Record<Role, string>;

/** The parts of an event; `null` where its type is not one of the union, which types do not stop in plain JavaScript. */
export function eventParts(event: AgentEvent, link: Link): EventParts | null {
  switch (event.type) {
    case "message":
      return parts(messageType(event.role), event.content);
    case "tool_call": {
      const own: Attributes = [["parallel_group", event.parallelGroup]];
      return parts("tool_input", event.args, own, callId(event), event.toolName, link.status, valueKind(event.args));
    }
    case "tool_result": {
      const own: Attributes = [
        ["duration_ms", event.durationMs],
        ["parallel_group", event.parallelGroup],
      ];
      return parts("tool_output", event.result, own, callId(event), link.name, link.status, valueKind(event.result));
    }
    case "error":
      return parts(event.type, event.error, [["recoverable", event.recoverable]], callId(event));
    case "human_input_requested":
      return parts(event.type, event.question, NONE, requestAttributes(event));
    case "human_input_received":
      return parts(event.type, event.response, NONE, [["decision", event.decision]]);
    case "completion":
      return parts(event.type, event.result, NONE, [["verified", event.verified]]);
    case "summary":
      return parts(event.type, event.summary, [["summarizedIterations", numberList(event.summarizedIterations)]]);
    case "plan":
      return parts(event.type, event.content);
    case "approval": {
      const kind = event.response === undefined ? "none" : "text";
      const own: Attributes = [["decision", event.decision]];
      return parts(event.type, event.response ?? "", own, callId(event), event.toolName, null, kind);
    }
    default:
      event satisfies never;
      return null;
  }
}

const NONE: Attributes = [];

function parts(
  type: string,
  body: unknown,
  own: Attributes = NONE,
  full: Attributes = NONE,
  name: unknown = null,
  status: LinkStatus | null = null,
  kind: ValueKind | null = null,
): EventParts {
  return { type, body, own, full, name, status, kind };
}

function callId(event: { readonly toolCallId?: unknown }): Attributes {
  return [["tool_call_id", event.toolCallId]];
}

function messageType(role: Role): string {
  return Object.hasOwn(MESSAGE_TYPES, role) ? MESSAGE_TYPES[role] : MESSAGE_TYPES.system;
}

function valueKind(value: unknown): ValueKind {
  return value === undefined ? "none" : typeof value === "string" ? "text" : "json";
}

/** `String` would make `0` of `-0`. */
export function numberText(value: number): string {
  return value === 0 && Object.is(value, -0) ? "-0" : String(value);
}

function numberList(list: unknown): unknown {
  return Array.isArray(list)
    ? list.map((item) => (typeof item === "number" ? numberText(item) : serializeValue(item))).join(",")
    : list;
}

function requestAttributes(event: AgentEvent & { type: "human_input_requested" }): Attributes {
  return [
    ["kind", event.kind],
    ["context", event.context],
    ["urgency", event.urgency],
    ["format", event.format],
    ["choices", event.choices],
  ];
}
