import { unansweredCalls } from "../thread/link-answers.ts";
import type { AskedCall } from "./model-turn.ts";
import type { OpenThread } from "./open-thread.ts";

const INTERRUPTED =
  "The call was interrupted: the process ended before its result was recorded. It may or may not have taken effect; check before doing it again.";
const RERUN = "The call was interrupted and may have taken effect; it is run again, as was asked for.";

/**
 * Answers each call that an earlier process began and did not finish, also where it began it for the second time: what it
 * did is not known. With `rerun` they are given back to be run again, after the thread says so.
 */
export function settleInterrupted(thread: OpenThread, rerun: boolean): AskedCall[] {
  const calls = unansweredCalls(thread.events, RERUN).flatMap((position) => {
    const event = thread.events[position];
    return event?.type === "tool_call" ? [event] : [];
  });
  const error = rerun ? RERUN : INTERRUPTED;
  thread.record(...calls.map(({ toolCallId }) => ({ type: "error" as const, error, toolCallId, recoverable: true })));
  if (!rerun) return [];
  return calls.map(({ toolCallId, toolName, args, parallelGroup = null }) => {
    return { id: toolCallId, name: toolName, args, group: parallelGroup, problem: null };
  });
}
