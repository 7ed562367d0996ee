import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { isRecord } from "../thread/outcome.ts";
import { serializeValue } from "../thread/serialize-value.ts";
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
 * the same each turn, and from the id alone a log tells which call was answered. Calls whose arguments are no JSON object,
 * and those by a name that no tool can have, are kept, with the problem. The message is the model's own, with all
 * that its provider put there, unless this changed it.
 */
export function readTurn(answer: BaseMessage, turn: TurnContext): ModelTurn {
  const { tool_calls = [], invalid_tool_calls = [] } = AIMessage.isInstance(answer) ? answer : {};
  const group = tool_calls.length + invalid_tool_calls.length > 1 ? turn.group : null;
  const used = new Set(turn.usedIds);
  const freshId = (id: unknown): string => {
    if (typeof id !== "string" || id === "" || used.has(id)) return freshId(turn.newId());
    used.add(id);
    return id;
  };
  const asked = (id: unknown, name: unknown, args: unknown, error?: string): AskedCall => {
    const fits = typeof name === "string" && (PORTABLE.test(name) || turn.tools.some((tool) => tool.name === name));
    const found = isRecord(args)
      ? ""
      : `The arguments are no JSON object${error ? `: ${error}` : ""}. Found: ${serializeValue(args)}`;
    const problem = fits ? found : noTool(name, turn.tools);
    const given = isRecord(args) ? args : { input: args };
    return { id: freshId(id), name: fits ? name : NO_NAME, args: given, group, problem: problem || null };
  };
  const calls: AskedCall[] = [
    ...tool_calls.map(({ id, name, args }) => asked(id, name, args)),
    ...invalid_tool_calls.map(({ id, name, args = "", error }) => asked(id, name, args, error)),
  ];
  const text = answer.text;
  const unchanged = calls.every(({ id, problem }, index) => problem === null && id === tool_calls[index]?.id);
  return { text, calls, message: unchanged ? withoutBlanks(answer) : rebuilt(text, calls) };
}

/** Of other names providers refuse the whole conversation, from then on: models call a `multi_tool_use.parallel`. */
const PORTABLE = /^[\w-]{1,64}$/;
const NO_NAME = "unknown_tool";

/** What a model is told that calls a tool which is not there. */
export function noTool(name: unknown, tools: TurnContext["tools"]): string {
  const known = tools.length === 0 ? "There are none." : `There are: ${tools.map((each) => each.name).join(", ")}.`;
  return `There is no tool named ${JSON.stringify(name)}. ${known}`;
}

/** Ids that the thread has used, how to make another, the name of the turn's group, and the tools that there are. */
export type TurnContext = {
  readonly usedIds: Iterable<string>;
  readonly newId: () => string;
  readonly group: string;
  readonly tools: readonly { readonly name: string }[];
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

/** A provider may give a text of blanks beside a call, and refuses it when it comes back. */
function withoutBlanks(answer: BaseMessage): BaseMessage {
  const { content } = answer;
  const kept =
    typeof content === "string"
      ? content.trim() && content
      : content.filter(({ type, text }) => type !== "text" || serializeValue(text).trim() !== "");
  return kept.length === content.length ? answer : new AIMessage({ ...answer, content: kept });
}

function rebuilt(content: string, calls: readonly AskedCall[]): AIMessage {
  return new AIMessage({
    content,
    tool_calls: calls.map(({ id, name, args }) => ({ id, name, args: { ...args }, type: "tool_call" as const })),
  });
}
