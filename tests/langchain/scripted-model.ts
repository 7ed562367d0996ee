import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { isRecord } from "../../src/thread/outcome.ts";

/** What the model says next: a text, a whole message, or an error that it throws. */
export type Reply = string | AIMessage | Error;

/** A chat model that answers from a script and keeps every request. */
export class ScriptedModel extends BaseChatModel {
  readonly requests: BaseMessage[][] = [];
  bound: string[] = [];
  readonly #reply: (request: readonly BaseMessage[], count: number) => Reply | Promise<Reply>;

  constructor(script: readonly Reply[] | ((request: readonly BaseMessage[], count: number) => Reply | Promise<Reply>)) {
    super({});
    this.#reply =
      typeof script === "function" ? script : (_, count) => script[count] ?? new Error("The script is over.");
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: unknown[]): this {
    this.bound = tools.map((each) => (isRecord(each) ? String(each.name) : ""));
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const count = this.requests.push([...messages]) - 1;
    const reply = await this.#reply(messages, count);
    if (reply instanceof Error) throw reply;
    const message = typeof reply === "string" ? new AIMessage(reply) : reply;
    return { generations: [{ message, text: message.text }] };
  }
}

/** A model's message that calls tools, with a text beside it or none. */
export function calls(
  asked: Readonly<Record<string, readonly [name: string, args?: object]>>,
  content = "",
): AIMessage {
  const tool_calls = Object.entries(asked).map(([id, [name, args = {}]]) => {
    return { id, name, args: { ...args }, type: "tool_call" as const };
  });
  return new AIMessage({ content, tool_calls });
}

/** A tool of any arguments. */
export function toolOf(name: string, run: (args: Readonly<Record<string, unknown>>) => unknown) {
  const schema = { type: "object", properties: {}, additionalProperties: true } as const;
  return tool(async (input: unknown) => await run(isRecord(input) ? input : {}), { name, description: name, schema });
}

/** Messages as short lines: `ai: text [id name {args}]`, `tool id: text`. */
export function lines(messages: readonly BaseMessage[] | undefined): string[] {
  return (messages ?? []).map((message) => {
    if (ToolMessage.isInstance(message)) return `tool ${message.tool_call_id}: ${message.text}`;
    const asked = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    const shown = asked.map(({ id, name, args }) => ` [${id} ${name} ${JSON.stringify(args)}]`).join("");
    return `${message.type}: ${message.text}${shown}`;
  });
}
