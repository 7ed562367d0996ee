import { isObject, parseJson } from "../base/json-value.ts";
import { isProjectId, PROJECT_ID_RULE, type ProjectId } from "../base/project-id.ts";
import { err, ok, type Result } from "../base/result.ts";
import { isTimestamp } from "./timestamp.ts";

export const CONFIDENCES = ["high", "medium", "low"] as const;
export const DETECTION_METHODS = ["transcript", "cache", "fallback"] as const;

/** What PreCompact leaves for SessionStart: ids only, never an excerpt. */
export interface PrecompactState {
  readonly active_project_id: ProjectId | null;
  readonly confidence: (typeof CONFIDENCES)[number];
  readonly detection_method: (typeof DETECTION_METHODS)[number];
  /** ISO 8601. */
  readonly timestamp: string;
  readonly session_id?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PrecompactProblem {
  /** `nested`: written by an older tool, under `project_detection`. */
  readonly code: "too-large" | "not-json" | "nested" | "wrong-value";
  readonly message: string;
}

/** Far above the kilobyte that a state takes: more was not written by a tool of this kind. */
const LONGEST = 65_536;

/** Reads a stored state. Unknown keys are passed over. */
export function parsePrecompactState(text: string): Result<PrecompactState, PrecompactProblem> {
  if (text.length > LONGEST)
    return err({ code: "too-large", message: `It has ${text.length} characters; expected under 1 kB.` });
  const value = parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
  // Not an engine's own words: they differ from one to the next, and quote the text.
  return value === undefined ? err({ code: "not-json", message: "It is not JSON." }) : precompactStateOf(value);
}

/** As `parsePrecompactState`, of a value that is parsed already. */
export function precompactStateOf(value: unknown): Result<PrecompactState, PrecompactProblem> {
  if (!isObject(value)) return wrong("The state", value, "an object");
  const { active_project_id: id, confidence, detection_method: method, timestamp, session_id: session } = value;
  if (id === undefined && isObject(value.project_detection))
    return err({
      code: "nested",
      message: "It has `project_detection: {…}`; expected `active_project_id` at the top, as newer tools write it.",
    });
  if (id !== null && !(typeof id === "string" && isProjectId(id)))
    return wrong("`active_project_id`", id, `null or ${PROJECT_ID_RULE}`);
  if (!isOneOf(CONFIDENCES, confidence)) return wrong("`confidence`", confidence, `one of ${CONFIDENCES.join(", ")}`);
  if (!isOneOf(DETECTION_METHODS, method))
    return wrong("`detection_method`", method, `one of ${DETECTION_METHODS.join(", ")}`);
  if (typeof timestamp !== "string" || !isTimestamp(timestamp))
    return wrong("`timestamp`", timestamp, "a real ISO 8601 time");
  if (session !== undefined && typeof session !== "string") return wrong("`session_id`", session, "a text");
  const { metadata } = value;
  if (metadata !== undefined && !isObject(metadata)) return wrong("`metadata`", metadata, "an object");
  return ok({
    active_project_id: id,
    confidence,
    detection_method: method,
    timestamp,
    ...(session === undefined ? {} : { session_id: session }),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

const BYTES_MAX = 1024;

/** One line of JSON with its newline, under 1 kB: metadata, then an over-long session id, are left out where they do not fit. */
export function formatPrecompactState(state: PrecompactState): string {
  const { active_project_id, confidence, detection_method, timestamp, session_id, metadata } = state;
  const required = { active_project_id, confidence, detection_method, timestamp };
  const named = session_id === undefined ? required : { ...required, session_id };
  const whole = metadata === undefined ? named : { ...named, metadata };
  return [whole, named].map(lineOf).find(fits) ?? lineOf(required);
}

function fits(line: string): boolean {
  // A UTF-16 unit takes three bytes at most: mostly there is nothing to count.
  return line.length * 3 < BYTES_MAX || new TextEncoder().encode(line).length < BYTES_MAX;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function isOneOf<T extends string>(words: readonly T[], value: unknown): value is T {
  return words.some((word) => word === value);
}

function wrong(what: string, found: unknown, expected: string): Result<never, PrecompactProblem> {
  const shown = found === undefined ? "missing" : JSON.stringify(found).slice(0, 80);
  return err({ code: "wrong-value", message: `${what} is ${shown}; expected ${expected}.` });
}
