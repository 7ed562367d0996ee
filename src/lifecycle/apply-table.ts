import { err, ok, type Result } from "../base/result.ts";
import type { Refusal } from "./refusal.ts";
import { LIFECYCLE_EVENTS, type LifecycleEventType, type LifecyclePoint, type LifecycleState } from "./states.ts";

/** What an event does in a state: where it leads, and what it does to the machine's context. */
export interface Edge {
  readonly to: LifecycleState;
  readonly addCompactions: number;
  /** Null where it stays as it is. */
  readonly setUnsaved: boolean | null;
}

export type TransitionTable = Readonly<Record<LifecycleState, Readonly<Partial<Record<LifecycleEventType, Edge>>>>>;

/** `applyEvent` for a machine that was compiled to a table: the same answers without loading a machine's engine. */
export function applyTable(
  table: TransitionTable,
  point: LifecyclePoint,
  event: LifecycleEventType,
): Result<LifecyclePoint, Refusal> {
  const edges = table[point.state];
  const edge = edges[event];
  if (edge === undefined) {
    return err({ state: point.state, event, allowed: LIFECYCLE_EVENTS.filter((type) => edges[type] !== undefined) });
  }
  const { compactions, unsaved } = point.context;
  return ok({
    state: edge.to,
    context: { compactions: compactions + edge.addCompactions, unsaved: edge.setUnsaved ?? unsaved },
  });
}
