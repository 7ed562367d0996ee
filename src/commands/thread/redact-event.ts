import { isObject, parseJson } from "../../base/json-value.ts";
import type { AgentEvent } from "../../thread/event.ts";
import { parseAgentEvent } from "../../thread/parse-event.ts";

/** The event with every text in it redacted: names, arguments' keys and values, results. */
export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  const redacted = Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, STRUCTURE.has(key) ? value : redactValue(value, redact, 0)]),
  );
  const parsed = parseAgentEvent(redacted);
  if (!parsed.ok) throw new Error(`Invariant broken: a redacted event is an event: ${parsed.error}`);
  return parsed.value;
}

/** Words of closed lists, and what ties events together. */
const STRUCTURE: ReadonlySet<string> = new Set(["type", "role", "id", "toolCallId", "parallelGroup"]);

/** Deeper than any tool's arguments; what lies below is shown by no reader either. */
const DEPTH_MAX = 64;

function redactValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEPTH_MAX) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactPair(key, item, redact, depth)]),
  );
}

/** `{"password": "x"}` is a secret by its key, which the value alone does not show. */
function redactPair(key: string, item: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof item !== "string") return redactValue(item, redact, depth + 1);
  const pair = JSON.stringify({ [key]: item });
  const together = redact(pair);
  if (together === pair) return item;
  const value = parseJson(together);
  const [only] = isObject(value) ? Object.values(value) : [];
  return redact(typeof only === "string" ? only : item);
}
