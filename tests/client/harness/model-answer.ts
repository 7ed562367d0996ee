import { randomUUID } from "node:crypto";

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the stand-in says when its turn comes: words, calls, or both. */
export interface Turn {
  readonly say?: string;
  readonly call?: readonly ToolCall[];
  /** What the client is told that the request cost; it compacts by this figure. */
  readonly inputTokens?: number;
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: ToolCall["input"] };

interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: "tool_use" | "end_turn";
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly [key: string]: unknown;
}

/** The turn as a message of the Messages API. */
export function answerMessage(turn: Turn, model: unknown): Message {
  const calls = turn.call ?? [];
  const words: readonly Block[] = turn.say === undefined ? [] : [{ type: "text", text: turn.say }];
  const content = [
    ...words,
    ...calls.map(({ name, input }): Block => ({ type: "tool_use", id: `toolu_${shortId()}`, name, input })),
  ];
  return {
    id: `msg_${shortId()}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: turn.inputTokens ?? 1000, output_tokens: 10 },
  };
}

/** The same message as the events of a stream, one piece a block. */
export function answerStream(message: Message): string {
  const { content, stop_reason, usage } = message;
  const events: (readonly [type: string, fields: object])[] = [
    ["message_start", { message: { ...message, content: [], stop_reason: null } }],
  ];
  content.forEach((block, index) => {
    const [start, delta] =
      block.type === "text"
        ? [
            { ...block, text: "" },
            { type: "text_delta", text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          ];
    events.push(["content_block_start", { index, content_block: start }]);
    events.push(["content_block_delta", { index, delta }]);
    events.push(["content_block_stop", { index }]);
  });
  events.push(["message_delta", { delta: { stop_reason, stop_sequence: null }, usage }]);
  events.push(["message_stop", {}]);
  return events.map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`).join("");
}

function shortId(): string {
  return randomUUID().replaceAll("-", "").slice(0, 20);
}
