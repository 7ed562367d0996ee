import { callTurns, type PlacedCall } from "./call-turns.ts";
import { wellFormed } from "./escape-xml.ts";
import type { AgentEvent } from "./event.ts";
import { fitMessages } from "./fit-messages.ts";
import { isAnswer, linkAnswers } from "./link-answers.ts";
import { errorText, NO_ANSWER, resultText, spokenText } from "./message-text.ts";
import { isRecord } from "./outcome.ts";
import { limitOf } from "./serialize-thread.ts";
import { isJson, jsonText, serializeValue } from "./serialize-value.ts";
import { textWithin } from "./shorten.ts";
import type { PlannedCall, ThreadMessage } from "./thread-message.ts";

export type PlanOptions = {
  /** The system message; none where it is left out or empty. */
  readonly instructions?: string | undefined;
  /** Longest text that answers a call, in characters (UTF-16 units); the middle of a longer one is left out. */
  readonly maxResultCharacters?: number | undefined;
  /**
   * Longest sum of all texts and arguments, in characters. The instructions, the first message of the user and the newest
   * turns stay; the newest one always.
   */
  readonly maxCharacters?: number | undefined;
};

/**
 * A thread as messages in an order that model providers take, whatever the events and their order: the calls of one turn
 * in one message, with the text before them, and directly behind it one answer for each call, in the calls' order. A call
 * without an answer gets one that says so; answers without a call become texts of the user. Blank texts are left out.
 * A thread that grows keeps its earlier messages, but for the answers that were still missing.
 */
export function planMessages(events: readonly AgentEvent[], options: PlanOptions = {}): ThreadMessage[] {
  const maxResult = limitOf("maxResultCharacters", options.maxResultCharacters);
  const maxCharacters = limitOf("maxCharacters", options.maxCharacters);
  const { ofCall, answers } = linkAnswers(events);
  const turns = callTurns(events);
  const freshId = idSource();
  const messages: ThreadMessage[] = [];
  if (options.instructions) messages.push({ role: "system", content: options.instructions });
  for (const [position, event] of events.entries()) {
    const turn = turns.get(position);
    if (turn !== undefined) {
      const last = messages.at(-1);
      const text = last?.role === "assistant" && last.toolCalls === undefined ? last.content : "";
      if (text !== "") messages.pop();
      const calls = turn.map((placed) => ({ ...placed, planned: plannedCall(placed, freshId) }));
      messages.push({ role: "assistant", content: text, toolCalls: calls.map(({ planned }) => planned) });
      for (const { planned, position } of calls)
        messages.push(answer(planned, ofCall.get(position) ?? [], events, maxResult));
    } else if (isRecord(event) && event.type === "tool_call") {
      // It stands in the turn that was begun before it.
    } else if (!answers.has(position)) {
      const { role, content: spoken } = spokenText(event);
      const content = wellFormed(spoken);
      const repeats = isRecord(event) && event.type === "completion" && isText(messages.at(-1), content);
      if (!repeats && content.trim() !== "") messages.push({ role, content });
    }
  }
  return fitMessages(messages, maxCharacters);
}

/** A run that ends writes its last text twice: as the model's message, and as what was completed. */
function isText(message: ThreadMessage | undefined, content: string): boolean {
  return message?.role === "assistant" && message.toolCalls === undefined && message.content === content;
}

function answer(
  call: PlannedCall,
  positions: readonly number[],
  events: readonly AgentEvent[],
  maxResult: number,
): ThreadMessage {
  const answers = positions.flatMap((position) => {
    const event = events[position];
    return event !== undefined && isAnswer(event) ? [event] : [];
  });
  const texts = answers.map((event) => (event.type === "error" ? errorText(event) : resultText(event)));
  const status = answers.at(-1)?.type === "tool_result" ? "success" : "error";
  const content = texts.length === 0 ? NO_ANSWER : textWithin(texts.join("\n"), maxResult);
  return { role: "tool", content, toolCallId: call.id, name: call.name, status };
}

function plannedCall({ call, position }: PlacedCall, freshId: (id: string) => string): PlannedCall {
  const id = typeof call.toolCallId === "string" && call.toolCallId !== "" ? call.toolCallId : `call_${position}`;
  return { id: freshId(id), name: serializeValue(call.toolName), args: jsonArguments(call.args) };
}

/** Clients turn arguments into JSON without asking: what that would throw on or lose is made text before. */
function jsonArguments(args: unknown): Readonly<Record<string, unknown>> {
  const written = jsonText(args);
  const text = written.replace(ESCAPE, (found) => (found === "\\\\" ? found : "\uFFFD"));
  if (text === written && isJson(args) && isRecord(args)) return args;
  const copy: unknown = JSON.parse(text);
  if (nestsDeeper(copy, MOST_LEVELS)) return { input: text };
  return isRecord(copy) ? copy : { input: copy };
}

/** A backslash that stands for itself, or half of a pair: alone, or JSON would not escape it. */
const ESCAPE = /\\(?:\\|ud[89a-f]..)/g;

/**
 * What is read at any depth is written to some thousand levels only, fewer within other values, and in some engines all the
 * deeper where there is nothing unusual in it: that a value can be written by itself tells nothing of the messages.
 */
const MOST_LEVELS = 500;

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) if (nestsDeeper(item, levels - 1)) return true;
  return false;
}

/** Gives each id once: an id that was given before gets a number behind it. */
function idSource(): (id: string) => string {
  const given = new Set<string>();
  const next = new Map<string, number>();
  return (id) => {
    let unique = id;
    for (let number = next.get(id) ?? 2; given.has(unique); number++) {
      unique = `${id}_${number}`;
      next.set(id, number + 1);
    }
    given.add(unique);
    return unique;
  };
}
