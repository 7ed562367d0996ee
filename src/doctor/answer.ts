import { isObject, parseJson } from "../base/json-value.ts";
import type { Probe } from "./facts.ts";

/** UTF-16 units of one hook's text that the client passes on whole; measured on 2.1.332. */
const ANSWER_MAX = 10_000;
/** What the summariser's prompt takes of ours; the contract's figure. */
const GUIDANCE_MAX = 2000;

/** What a hook's answer is, as the client reads it. */
export type Answer =
  | { readonly kind: "nothing" }
  /** Plain text, for the model or the summariser. */
  | { readonly kind: "text"; readonly text: string; readonly max: number }
  /** A decision about a tool's call. */
  | { readonly kind: "decision" }
  | { readonly kind: "broken"; readonly what: string };

/** Reads an answer by the event that it answers; what we never print is broken, even where a client would make something of it. */
export function readAnswer({ entry, stdout }: Pick<Probe, "entry" | "stdout">): Answer {
  const { event } = entry;
  if (stdout.trim() === "") return { kind: "nothing" };
  if (event === "PreCompact") {
    if (stdout.trim() === "{}") return { kind: "nothing" };
    const looksLikeJson = /^\s*[{[]/.test(stdout);
    if (looksLikeJson) return { kind: "broken", what: "JSON, expected plain text or {}" };
    return { kind: "text", text: stdout, max: GUIDANCE_MAX };
  }
  const value = parseJson(stdout);
  if (value === undefined) {
    return { kind: "broken", what: `${opening(stdout)}, expected one JSON value and nothing beside it` };
  }
  const output = isObject(value) ? value.hookSpecificOutput : undefined;
  if (!isObject(output)) return { kind: "broken", what: "JSON without hookSpecificOutput" };
  if (output.hookEventName !== event) {
    return {
      kind: "broken",
      what: `hookEventName ${JSON.stringify(output.hookEventName) ?? "missing"}, expected "${event}"`,
    };
  }
  if (typeof output.additionalContext === "string") {
    return { kind: "text", text: output.additionalContext, max: ANSWER_MAX };
  }
  if (typeof output.permissionDecision === "string") return { kind: "decision" };
  return { kind: "broken", what: "hookSpecificOutput without additionalContext" };
}

/** The first line of a text, shortened. */
export function opening(text: string): string {
  const line = text.trim().replace(/[\r\n].*$/s, "");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
