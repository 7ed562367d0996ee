import { contentText } from "./content-text.ts";
import type { AgentEvent, ErrorEvent, HumanInputRequestedEvent, ToolCallEvent, ToolResultEvent } from "./event.ts";
import { isRecord } from "./outcome.ts";
import { serializeValue } from "./serialize-value.ts";

/** What an event says outside a call and its answer, and who says it. */
export type SpokenText = { readonly role: "user" | "assistant"; readonly content: string };

/**
 * An event as a text of the conversation. Whatever is neither the user's nor the model's own word is the user's text
 * behind a mark in brackets: models take a system message in the first place only, and answers only after their calls.
 */
export function spokenText(event: Exclude<AgentEvent, ToolCallEvent>): SpokenText {
  if (!isRecord(event)) return user(`[Event]: ${serializeValue(event)}`);
  switch (event.type) {
    case "message": {
      const content = contentText(event.content);
      if (event.role === "user" || event.role === "assistant") return { role: event.role, content };
      return user(`[System]: ${content}`);
    }
    case "tool_result":
      return user(`[Tool result without a call (${event.toolCallId})]: ${resultText(event)}`);
    case "error":
      return user(errorText(event));
    case "human_input_requested":
      return { role: "assistant", content: requestText(event) };
    case "human_input_received":
      return user(`[Human Response${mark(event.decision)}]: ${contentText(event.response)}`);
    case "completion":
      return { role: "assistant", content: contentText(event.result) };
    case "summary":
      return user(`[Summary${iterations(event.summarizedIterations)}]: ${contentText(event.summary)}`);
    case "plan":
      return { role: "assistant", content: `[Plan]: ${contentText(event.content)}` };
    case "approval": {
      const head = `[Approval of ${event.toolName}${mark(event.decision)}]`;
      return user(event.response === undefined ? head : `${head}: ${contentText(event.response)}`);
    }
    default:
      event satisfies never;
      return user(`[Event]: ${serializeValue(event)}`);
  }
}

/** The text of an error event, the same for a call's answer and for an error of its own. */
export function errorText(event: ErrorEvent): string {
  return `[Error (${event.recoverable ? "recoverable" : "unrecoverable"})]: ${contentText(event.error)}`;
}

export function resultText(event: ToolResultEvent): string {
  return serializeValue(event.result);
}

/** The answer of a call that has none: models refuse a call that is not answered. */
export const NO_ANSWER =
  "[No result]: The call was interrupted, or its result was not recorded. It may or may not have taken effect.";

function requestText({ question, context, choices }: HumanInputRequestedEvent): string {
  const lines = [contentText(question)];
  if ((context ?? null) !== null) lines.push(`Context: ${contentText(context)}`);
  if (Array.isArray(choices) && choices.length > 0)
    lines.push("Choices:", ...choices.map((choice) => `- ${contentText(choice)}`));
  return lines.join("\n");
}

function user(content: string): SpokenText {
  return { role: "user", content };
}

function mark(decision: string | undefined): string {
  return (decision ?? null) === null ? "" : ` (${decision})`;
}

function iterations(list: unknown): string {
  if (!Array.isArray(list) || list.length === 0) return "";
  return ` of iteration${list.length === 1 ? "" : "s"} ${list.map((item) => serializeValue(item)).join(", ")}`;
}
