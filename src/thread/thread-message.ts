/** A call as a model made it: `args` holds nothing but JSON, `id` is not empty and stands once in the whole plan. */
export type PlannedCall = {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
};

/** One message to a chat model, of no library. */
export type ThreadMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | AssistantMessage
  | {
      readonly role: "tool";
      readonly content: string;
      readonly toolCallId: string;
      /** The tool's name. */
      readonly name: string;
      readonly status: "success" | "error";
    };

/** Text, calls or both; a message without calls has text. */
export type AssistantMessage = {
  readonly role: "assistant";
  readonly content: string;
  readonly toolCalls?: readonly PlannedCall[];
};
