import { isObject, parseJson } from "../../base/json-value.ts";
import type { AgentEvent } from "../../thread/event.ts";

/**
 * The event with every text in it redacted: names, arguments' keys and values, results. What stands in every event comes first, as
 * in one that was read.
 */
export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  const { type, timestamp, iteration, id } = event;
  const clean = Object.assign({ type, timestamp, iteration, id }, event);
  for (const [key, value] of Object.entries(event)) {
    if (!STRUCTURE.has(key)) Reflect.set(clean, key, redactValue(value, redact, 0));
  }
  return clean;
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
  const whole = behindKey(key, item, redact);
  // Only as itself does a text have the lines that a secret of several is known by.
  return /^\[REDACTED:[a-z-]+\]$/.test(whole) ? whole : behindKey(key, redact(item), redact);
}

/** What a text becomes in JSON behind its key. */
function behindKey(key: string, text: string, redact: (text: string) => string): string {
  const pair = JSON.stringify({ [key]: text });
  const together = redact(pair);
  if (together === pair) return text;
  const value = parseJson(together);
  const [only] = isObject(value) ? Object.values(value) : [];
  return typeof only === "string" ? only : text;
}
