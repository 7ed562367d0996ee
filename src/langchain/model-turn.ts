import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { NewEvent } from "./open-thread.ts";

/** A call that the model asks for. `group` joins the calls of one turn; `problem`: why it cannot be run as it stands. */
export type AskedCall = {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly group: string | null;
  readonly problem: string | null;
};

/** A model's answer: its text, its calls, and the message that the next request of this iteration repeats. */
export type ModelTurn = {
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly message: BaseMessage;
};

/**
 * Reads a model's answer. Each call gets an id that no call of the thread had before: some models name none, some name
 * the same each turn, and from the id alone a log tells which call was answered. Calls whose arguments are no JSON are
 * kept, with the problem. The message is the model's own, with all that its provider put there, unless this changed it.
 */
export function readTurn(answer: BaseMessage, turn: TurnContext): ModelTurn {
  const { tool_calls = [], invalid_tool_calls = [] } = AIMessage.isInstance(answer) ? answer : {};
  const group = tool_calls.length + invalid_tool_calls.length > 1 ? turn.group : null;
  const used = new Set(turn.usedIds);
  const freshId = (id: string | undefined): string => {
    if (id === undefined || id === "" || used.has(id)) return freshId(turn.newId());
    used.add(id);
    return id;
  };
  const calls: AskedCall[] = [
    ...tool_calls.map(({ id, name, args }) => ({ id: freshId(id), name, args, group, problem: null })),
    ...invalid_tool_calls.map(({ id, name = "", args = "", error }) => {
      const problem = `The arguments are no JSON object${error ? `: ${error}` : ""}. Found: ${args}`;
      return { id: freshId(id), name, args: { input: args }, group, problem };
    }),
  ];
  const text = answer.text;
  const unchanged = invalid_tool_calls.length === 0 && tool_calls.every(({ id }, index) => id === calls[index]?.id);
  return { text, calls, message: unchanged ? answer : rebuilt(text, calls) };
}

/** Ids that the thread has used, how to make another, and the name of the turn's group. */
export type TurnContext = {
  readonly usedIds: Iterable<string>;
  readonly newId: () => string;
  readonly group: string;
};

/** What the turn adds to the thread: the text, then the calls. */
export function turnEvents({ text, calls }: ModelTurn): NewEvent[] {
  return [
    ...(text.trim() === "" ? [] : [{ type: "message" as const, role: "assistant" as const, content: text }]),
    ...calls.map(({ id, name, args, group }) => ({
      type: "tool_call" as const,
      toolName: name,
      toolCallId: id,
      args,
      ...(group === null ? {} : { parallelGroup: group }),
    })),
  ];
}

function rebuilt(content: string, calls: readonly AskedCall[]): AIMessage {
  return new AIMessage({
    content,
    tool_calls: calls.map(({ id, name, args }) => ({ id, name, args: { ...args }, type: "tool_call" as const })),
  });
}
