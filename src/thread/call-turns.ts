import type { AgentEvent, ToolCallEvent } from "./event.ts";
import { isAnswer } from "./link-answers.ts";
import { isRecord } from "./outcome.ts";

/** A call and its position in the thread. */
export type PlacedCall = { readonly position: number; readonly call: ToolCallEvent };

/**
 * Calls that a model made in one turn, by the position of the first: those of one iteration that stand side by side, or
 * that share a `parallelGroup` with nothing but calls and their answers between.
 */
export function callTurns(events: readonly AgentEvent[]): ReadonlyMap<number, readonly PlacedCall[]> {
  const turns = new Map<number, PlacedCall[]>();
  let open: PlacedCall[] | null = null;
  for (const [position, event] of events.entries()) {
    if (!isRecord(event) || !(event.type === "tool_call" || isAnswer(event))) {
      open = null;
      continue;
    }
    if (event.type !== "tool_call") continue;
    const placed = { position, call: event };
    const last: PlacedCall | undefined = open?.at(-1);
    if (open !== null && last !== undefined && isSameTurn(last, placed)) {
      open.push(placed);
    } else {
      open = [placed];
      turns.set(position, open);
    }
  }
  return turns;
}

function isSameTurn(last: PlacedCall, next: PlacedCall): boolean {
  const group = next.call.parallelGroup ?? null;
  if (last.call.iteration !== next.call.iteration || (last.call.parallelGroup ?? null) !== group) return false;
  return group !== null || last.position === next.position - 1;
}
