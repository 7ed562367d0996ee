import { err, isRecord, type Outcome, ok } from "./outcome.ts";
import type { EventElement } from "./read-elements.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields of the event that an element stands for, not yet checked; `position` is its place in the whole thread. */
export function elementFields({ attributes, body }: EventElement, position: number): Outcome<Fields, string> {
  const type = attributes.get("type");
  const base = {
    timestamp: numberOf(attributes.get("timestamp") ?? "0"),
    iteration: numberOf(attributes.get("iteration")),
    id: ownId(attributes, position),
  };
  const parallelGroup = attributes.get("parallel_group");
  switch (type) {
    case "human":
      return ok({ ...base, type: "message", role: "user", content: body });
    case "ai":
      return ok({ ...base, type: "message", role: "assistant", content: body });
    case "system":
      return ok({ ...base, type: "message", role: "system", content: body });
    case "tool_input": {
      const args = attributes.get("value") === "text" ? { input: body } : argumentsOf(body);
      return ok({ ...base, type: "tool_call", toolName: attributes.get("name"), args, parallelGroup });
    }
    case "tool_output": {
      const result = resultOf(attributes.get("value"), body);
      if (!result.ok) return result;
      const durationMs = numberOf(attributes.get("duration_ms"));
      return ok({ ...base, type: "tool_result", result: result.value, durationMs, parallelGroup });
    }
    case "error":
      return ok({ ...base, type, error: body, recoverable: flagOf(attributes.get("recoverable")) });
    case "human_input_requested": {
      const choices = jsonOf(attributes.get("choices"));
      if (!choices.ok) return choices;
      const words = {
        kind: attributes.get("kind"),
        urgency: attributes.get("urgency"),
        format: attributes.get("format"),
      };
      return ok({
        ...base,
        type,
        question: body,
        ...words,
        context: attributes.get("context"),
        choices: choices.value,
      });
    }
    case "human_input_received":
      return ok({ ...base, type, response: body, decision: attributes.get("decision") });
    case "completion":
      return ok({ ...base, type, result: body, verified: flagOf(attributes.get("verified") ?? "false") });
    case "summary":
      return ok({
        ...base,
        type,
        summary: body,
        summarizedIterations: numbersOf(attributes.get("summarizedIterations")),
      });
    case "plan":
      return ok({ ...base, type, content: body });
    case "approval": {
      const absent = attributes.has("value") ? attributes.get("value") === "none" : body === "";
      const { toolName, decision } = { toolName: attributes.get("name"), decision: attributes.get("decision") };
      return ok({ ...base, type, toolName, decision, ...(absent ? {} : { response: body }) });
    }
    case undefined:
      return err("expected an attribute type");
    default:
      return err("expected a type that threads know");
  }
}

/** The full style says by `position` that an id is the event's own; without it an id equal to the position is not. */
function ownId(attributes: EventElement["attributes"], position: number): string | undefined {
  const id = attributes.get("id");
  if (attributes.has("position")) return id;
  return attributes.has("timestamp") || id === String(position) ? undefined : id;
}

function numberOf(text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function flagOf(text: string | undefined): unknown {
  return text === "true" ? true : text === "false" ? false : text;
}

function numbersOf(text: string | undefined): unknown {
  return text === "" ? [] : text?.split(",").map(numberOf);
}

function argumentsOf(body: string): unknown {
  const parsed = jsonOf(body);
  return parsed.ok && isRecord(parsed.value) ? parsed.value : { input: body };
}

function resultOf(kind: string | undefined, body: string): Outcome<unknown, string> {
  if (kind === "json") return jsonOf(body);
  return ok(kind === "none" ? undefined : body);
}

function jsonOf(text: string | undefined): Outcome<unknown, string> {
  if (text === undefined) return ok(undefined);
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(`expected JSON, found ${JSON.stringify(text.slice(0, 40))}`);
  }
}
