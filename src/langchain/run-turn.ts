import { ToolMessage } from "@langchain/core/messages";
import { errorText } from "../thread/message-text.ts";
import { serializeValue } from "../thread/serialize-value.ts";
import { textWithin } from "../thread/shorten.ts";
import { ASKED } from "./human-input.ts";
import type { AskedCall } from "./model-turn.ts";
import type { NewEvent, OpenThread } from "./open-thread.ts";
import { type CallOutcome, runCall } from "./run-call.ts";
import type { Settings } from "./settings.ts";

/** What the calls of a turn bring: an answer each, in their order, and the error that ends the run, if there is one. */
export type TurnEnd = { readonly answers: readonly ToolMessage[]; readonly fatal: string | null };

/** Runs the calls of one turn side by side; each outcome is an event as soon as it is there. */
export async function runTurn(
  settings: Settings,
  thread: OpenThread,
  calls: readonly AskedCall[],
  signal: AbortSignal | undefined,
): Promise<TurnEnd> {
  let fatal: string | null = null;
  const answerCall = async (call: AskedCall): Promise<ToolMessage> => {
    const start = settings.now();
    const outcome = await runCall(settings, thread, call, signal);
    if (outcome.kind === "error" && !outcome.recoverable) fatal ??= outcome.error;
    const kept = thread.record(...outcomeEvents(call, outcome, settings.now() - start)).at(-1);
    // A log has no word for a date or a large number: the model is told from the first what it is told later.
    const told =
      kept?.type === "tool_result" && outcome.kind === "result" ? { ...outcome, result: kept.result } : outcome;
    return answerMessage(call, told, settings.thread?.maxResultCharacters ?? Number.POSITIVE_INFINITY);
  };
  // A log that cannot be written, or a listener that throws, ends the run; the calls beside it end first.
  const settled = await Promise.allSettled(calls.map(answerCall));
  const answers = settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
  return { answers, fatal };
}

function outcomeEvents({ id: toolCallId, group }: AskedCall, outcome: CallOutcome, durationMs: number): NewEvent[] {
  const parallel = group === null ? {} : { parallelGroup: group };
  switch (outcome.kind) {
    case "result":
      return [{ type: "tool_result", toolCallId, result: outcome.result, durationMs, ...parallel }];
    case "error":
      return [{ type: "error", error: outcome.error, toolCallId, recoverable: outcome.recoverable }];
    case "human": {
      const { question, options } = outcome.request;
      // The request first: where only one of the two reaches the disk, the question is not forgotten.
      return [
        { type: "human_input_requested", question, ...options },
        { type: "tool_result", toolCallId, result: ASKED, durationMs, ...parallel },
      ];
    }
    default:
      outcome satisfies never;
      return [];
  }
}

/**
 * The answer as this iteration's model sees it: a tool's own message as it is, unless it is a text that is too long, all
 * else as `planMessages` puts it.
 */
function answerMessage({ id, name }: AskedCall, outcome: CallOutcome, maxResult: number): ToolMessage {
  switch (outcome.kind) {
    case "result": {
      const { message, result } = outcome;
      const content = textWithin(serializeValue(result), maxResult);
      if (message !== null && (typeof result !== "string" || content === result)) return message;
      return new ToolMessage({ content, tool_call_id: id, name, status: "success" });
    }
    case "error": {
      const { error, recoverable } = outcome;
      const text = errorText({ type: "error", error, recoverable, timestamp: 0, iteration: 0 });
      const content = textWithin(text, maxResult);
      return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
    }
    case "human":
      return new ToolMessage({ content: ASKED, tool_call_id: id, name, status: "success" });
    default:
      outcome satisfies never;
      throw new Error("Invariant broken: a call ends in one of three ways");
  }
}
