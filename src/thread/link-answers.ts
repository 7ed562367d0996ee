import type { AgentEvent, ErrorEvent, ToolResultEvent } from "./event.ts";
import { isRecord } from "./outcome.ts";

/** Which events answer which calls; events are named by their positions. */
export type CallAnswers = {
  /** Of each answered call, its answers in the thread's order. */
  readonly ofCall: ReadonlyMap<number, readonly number[]>;
  /** Every position that answers some call. */
  readonly answers: ReadonlySet<number>;
};

/**
 * Joins results, and errors that name a call, to the calls of a whole thread: each to the nearest earlier call of its id that has no answer,
 * since some clients use an id again. After an error a call may still get another, or its result: it was run again. What is
 * left goes to a call that was logged a little too late: after its answer, with nothing but tool events of the same
 * iteration between.
 */
export function linkAnswers(events: readonly AgentEvent[]): CallAnswers {
  const ofCall = new Map<number, number[]>();
  const open = new Map<unknown, number[]>();
  const failed = new Map<unknown, number[]>();
  const left = new Set<number>();
  for (const [position, event] of events.entries()) {
    if (!isRecord(event)) continue;
    if (event.type === "tool_call") push(open, event.toolCallId, position);
    if (!isAnswer(event)) continue;
    const id = event.toolCallId;
    const nearest = open.get(id)?.at(-1);
    const failure = failed.get(id)?.at(-1);
    if (failure !== undefined && (nearest === undefined || (failure > nearest && event.type === "tool_result"))) {
      ofCall.get(failure)?.push(position);
      if (event.type === "tool_result") failed.get(id)?.pop();
    } else if (nearest === undefined) {
      left.add(position);
    } else {
      open.get(id)?.pop();
      ofCall.set(nearest, [position]);
      if (event.type === "error") push(failed, id, nearest);
    }
  }
  if (left.size > 0) linkEarlyAnswers(events, ofCall, left);
  return { ofCall, answers: new Set([...ofCall.values()].flat()) };
}

/** Positions of the calls that nothing answers, or nothing but an error that says `notice`. */
export function unansweredCalls(events: readonly AgentEvent[], notice?: string): number[] {
  const { ofCall } = linkAnswers(events);
  return [...events.keys()].filter((position) => {
    if (events[position]?.type !== "tool_call") return false;
    const answer = events[ofCall.get(position)?.at(-1) ?? -1];
    return answer === undefined || (answer.type === "error" && answer.error === notice);
  });
}

/** Whether the event says how a call ended. */
export function isAnswer(event: AgentEvent): event is ToolResultEvent | (ErrorEvent & { toolCallId: string }) {
  return event.type === "tool_result" || (event.type === "error" && (event.toolCallId ?? null) !== null);
}

function linkEarlyAnswers(events: readonly AgentEvent[], ofCall: Map<number, number[]>, left: ReadonlySet<number>) {
  const early = new Map<unknown, number[]>();
  for (const [position, event] of events.entries()) {
    if (!isRecord(event) || !(event.type === "tool_call" || isAnswer(event))) {
      early.clear();
      continue;
    }
    if (left.has(position)) push(early, event.toolCallId, position);
    if (event.type !== "tool_call" || ofCall.has(position)) continue;
    const waiting = early.get(event.toolCallId);
    const answer = waiting?.at(-1);
    if (answer === undefined || events[answer]?.iteration !== event.iteration) continue;
    waiting?.pop();
    ofCall.set(position, [answer]);
  }
}

function push(lists: Map<unknown, number[]>, key: unknown, position: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [position]);
  else list.push(position);
}
