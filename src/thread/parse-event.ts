import { type AgentEvent, EVENT_TYPES, ROLES } from "./event.ts";
import { described, type FieldReader, fieldReader } from "./field-reader.ts";
import { err, isRecord, type Outcome, ok } from "./outcome.ts";

/**
 * A stranger's value as an event of the known fields; unknown fields are left behind, and an optional field that is
 * `null` counts as absent. The error names the first field that is not as it should be.
 */
export function parseAgentEvent(value: unknown): Outcome<AgentEvent, string> {
  if (!isRecord(value)) return err(`event: expected an object, found ${described(value)}`);
  const read = fieldReader(value);
  const event = readEvent(read, value.type);
  if (event === null) return err(`type: expected one of ${EVENT_TYPES.join(", ")}, found ${described(value.type)}`);
  const problem = read.problem();
  return problem === null ? ok(withoutAbsent(event)) : err(problem);
}

/** Whether `value` is an event as it stands: every field of its type there and of the right kind. */
export function isAgentEvent(value: unknown): value is AgentEvent {
  return parseAgentEvent(value).ok;
}

function readEvent(read: FieldReader, type: unknown): AgentEvent | null {
  const base = {
    timestamp: read.number("timestamp"),
    iteration: read.number("iteration"),
    id: read.optionalText("id"),
  };
  switch (type) {
    case "tool_call":
      return {
        type,
        ...base,
        toolName: read.text("toolName"),
        toolCallId: read.text("toolCallId"),
        args: read.record("args"),
        parallelGroup: read.optionalText("parallelGroup"),
      };
    case "tool_result":
      return {
        type,
        ...base,
        toolCallId: read.text("toolCallId"),
        result: read.any("result"),
        durationMs: read.optionalNumber("durationMs"),
        parallelGroup: read.optionalText("parallelGroup"),
      };
    case "error":
      return {
        type,
        ...base,
        error: read.text("error"),
        toolCallId: read.optionalText("toolCallId"),
        recoverable: read.flag("recoverable"),
      };
    case "human_input_requested":
      return {
        type,
        ...base,
        question: read.text("question"),
        kind: read.optionalText("kind"),
        context: read.optionalText("context"),
        urgency: read.optionalText("urgency"),
        format: read.optionalText("format"),
        choices: read.optionalTexts("choices"),
      };
    case "human_input_received":
      return { type, ...base, response: read.text("response"), decision: read.optionalText("decision") };
    case "message":
      return { type, ...base, role: read.oneOf("role", ROLES), content: read.text("content") };
    case "completion":
      return { type, ...base, result: read.text("result"), verified: read.flag("verified") };
    case "summary":
      return {
        type,
        ...base,
        summarizedIterations: read.numbers("summarizedIterations"),
        summary: read.text("summary"),
      };
    case "plan":
      return { type, ...base, content: read.text("content") };
    case "approval":
      return {
        type,
        ...base,
        toolName: read.text("toolName"),
        toolCallId: read.text("toolCallId"),
        decision: read.text("decision"),
        response: read.optionalText("response"),
      };
    default:
      return null;
  }
}

/** The event without fields that are not there; a result may be `undefined`, and is one. */
function withoutAbsent(event: AgentEvent): AgentEvent {
  for (const [name, value] of Object.entries(event))
    if (value === undefined && name !== "result") Reflect.deleteProperty(event, name);
  return event;
}
