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
  return problem === null ? ok(event) : err(problem);
}

/** Whether `value` is an event as it stands: every field of its type there and of the right kind. */
export function isAgentEvent(value: unknown): value is AgentEvent {
  return parseAgentEvent(value).ok;
}

function readEvent(read: FieldReader, type: unknown): AgentEvent | null {
  const id = read.optionalText("id");
  const base = {
    timestamp: read.number("timestamp"),
    iteration: read.number("iteration"),
    ...(id === undefined ? {} : { id }),
  };
  switch (type) {
    case "tool_call":
      return {
        type,
        ...base,
        toolName: read.text("toolName"),
        toolCallId: read.text("toolCallId"),
        args: read.record("args"),
        ...parallelGroup(read),
      };
    case "tool_result": {
      const durationMs = read.optionalNumber("durationMs");
      return {
        type,
        ...base,
        toolCallId: read.text("toolCallId"),
        result: read.any("result"),
        ...(durationMs === undefined ? {} : { durationMs }),
        ...parallelGroup(read),
      };
    }
    case "error": {
      const toolCallId = read.optionalText("toolCallId");
      return {
        type,
        ...base,
        error: read.text("error"),
        ...(toolCallId === undefined ? {} : { toolCallId }),
        recoverable: read.flag("recoverable"),
      };
    }
    case "human_input_requested":
      return { type, ...base, question: read.text("question"), ...requestFields(read) };
    case "human_input_received": {
      const decision = read.optionalText("decision");
      return { type, ...base, response: read.text("response"), ...(decision === undefined ? {} : { decision }) };
    }
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
    case "approval": {
      const response = read.optionalText("response");
      return {
        type,
        ...base,
        toolName: read.text("toolName"),
        toolCallId: read.text("toolCallId"),
        decision: read.text("decision"),
        ...(response === undefined ? {} : { response }),
      };
    }
    default:
      return null;
  }
}

function parallelGroup(read: FieldReader): { parallelGroup?: string } {
  const group = read.optionalText("parallelGroup");
  return group === undefined ? {} : { parallelGroup: group };
}

function requestFields(read: FieldReader) {
  const kind = read.optionalText("kind");
  const context = read.optionalText("context");
  const urgency = read.optionalText("urgency");
  const format = read.optionalText("format");
  const choices = read.optionalTexts("choices");
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(context === undefined ? {} : { context }),
    ...(urgency === undefined ? {} : { urgency }),
    ...(format === undefined ? {} : { format }),
    ...(choices === undefined ? {} : { choices }),
  };
}
