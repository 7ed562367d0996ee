import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { planMessages } from "../thread/build-messages.ts";
import type { AgentEvent } from "../thread/event.ts";
import { type SerializeOptions, serializeThread } from "../thread/serialize-thread.ts";
import type { ThreadMessage } from "../thread/thread-message.ts";

export type ContextMode = "standard" | "xml";

export type BuildMessagesOptions = {
  /** `standard` (where it is left out): a message for each event. `xml`: the whole thread as one `<thread>` document. */
  readonly contextMode?: ContextMode | undefined;
  /** The system message; none where it is left out or empty. */
  readonly instructions?: string | undefined;
  /** How the document of the mode `xml` is written; of it, the limits hold in both modes. */
  readonly thread?: SerializeOptions | undefined;
};

/**
 * A thread as messages for a LangChain chat model. Whatever the events: every call is answered once, directly behind its
 * message, no answer stands without its call, and the system message is the first.
 */
export function buildMessages(events: readonly AgentEvent[], options: BuildMessagesOptions = {}): BaseMessage[] {
  const { contextMode = "standard", instructions = "" } = options;
  if (contextMode === "standard") {
    const { maxResultCharacters, maxCharacters } = options.thread ?? {};
    return planMessages(events, { instructions, maxResultCharacters, maxCharacters }).map(toMessage);
  }
  const thread = new HumanMessage(serializeThread(events, options.thread));
  return instructions === "" ? [thread] : [new SystemMessage(instructions), thread];
}

function toMessage(planned: ThreadMessage): BaseMessage {
  switch (planned.role) {
    case "system":
      return new SystemMessage(planned.content);
    case "user":
      return new HumanMessage(planned.content);
    case "assistant": {
      const calls = (planned.toolCalls ?? []).map(({ id, name, args }) => ({
        id,
        name,
        args,
        type: "tool_call" as const,
      }));
      return new AIMessage({ content: planned.content, tool_calls: calls });
    }
    case "tool": {
      const { content, toolCallId, name, status } = planned;
      return new ToolMessage({ content, tool_call_id: toolCallId, name, status });
    }
    default:
      planned satisfies never;
      throw new Error("Invariant broken: a planned message has one of four roles");
  }
}
