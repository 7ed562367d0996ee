import { ToolMessage } from "@langchain/core/messages";
import { isRecord } from "../thread/outcome.ts";
import { serializeValue } from "../thread/serialize-value.ts";
import { settle } from "./abort.ts";
import { textOfThrown } from "./errors.ts";
import { HumanInputRequest } from "./human-input.ts";
import { type AskedCall, noTool } from "./model-turn.ts";
import type { OpenThread } from "./open-thread.ts";
import type { Settings } from "./settings.ts";

/** What came of a call: `message` is what the tool itself answers to the model, where it does. */
export type CallOutcome =
  | { readonly kind: "result"; readonly result: unknown; readonly message: ToolMessage | null }
  | { readonly kind: "error"; readonly error: string; readonly recoverable: boolean }
  | { readonly kind: "human"; readonly request: HumanInputRequest };

/** Runs a tool with the arguments that the model gave; what the tool throws is an outcome too. */
export async function runCall(
  { tools, isRecoverable }: Settings,
  thread: Pick<OpenThread, "id" | "events">,
  call: AskedCall,
  signal: AbortSignal | undefined,
): Promise<CallOutcome> {
  const { id, name, args, problem } = call;
  if (problem !== null) return { kind: "error", error: problem, recoverable: true };
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return { kind: "error", error: noTool(name, tools), recoverable: true };
  const ran = await settle(async (): Promise<unknown> => {
    const configurable = { thread_id: thread.id, events: [...thread.events] };
    return await tool.invoke(
      { id, name, args: structuredClone(args), type: "tool_call" },
      { ...(signal && { signal }), configurable },
    );
  }, signal);
  switch (ran.kind) {
    case "done":
      return outcomeOf(ran.value, id);
    case "aborted":
      return { kind: "error", error: ABORTED, recoverable: true };
    case "threw":
      if (ran.error instanceof HumanInputRequest) return { kind: "human", request: ran.error };
      return { kind: "error", error: textOfThrown(ran.error), recoverable: isRecoverable(ran.error, "tool") };
    default:
      ran satisfies never;
      throw new Error("Invariant broken: a call ends in one of three ways");
  }
}

const ABORTED = "The run was aborted during this call. It may or may not have taken effect.";

/** A tool may answer with a message, also one that says that it failed, or with any value. */
function outcomeOf(value: unknown, id: string): CallOutcome {
  if (!ToolMessage.isInstance(value)) return { kind: "result", result: value, message: null };
  const result = contentValue(value.content);
  if (value.status === "error") return { kind: "error", error: serializeValue(result), recoverable: true };
  return { kind: "result", result, message: value.tool_call_id === id ? value : null };
}

/** Blocks that are text alone are one text, as a provider shows them. */
function contentValue(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((block: unknown) => (isRecord(block) && block.type === "text" ? block.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : content;
}
