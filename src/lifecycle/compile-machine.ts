import { invariant } from "../base/invariant.ts";
import { applyEvent } from "./apply-event.ts";
import type { Edge, TransitionTable } from "./apply-table.ts";
import { LIFECYCLE_EVENTS, type LifecycleEventType, type LifecycleState } from "./states.ts";

/**
 * The machine as a table, found by trying every event in every state. Loading and starting xstate takes a good half of an
 * empty Node's start, and a hook's whole work is two steps, so the bundles hold this table; the machine stays the truth.
 */
export function compileMachine(): TransitionTable {
  const edgesOf = (state: LifecycleState): Partial<Record<LifecycleEventType, Edge>> => {
    const edges: Partial<Record<LifecycleEventType, Edge>> = {};
    for (const event of LIFECYCLE_EVENTS) {
      const edge = edgeOf(state, event);
      if (edge !== null) edges[event] = edge;
    }
    return edges;
  };
  return {
    active: edgesOf("active"),
    saving: edgesOf("saving"),
    saved: edgesOf("saved"),
    compacting: edgesOf("compacting"),
    recovering: edgesOf("recovering"),
  };
}

/** Two contexts that differ in everything tell a fixed outcome from a kept one. */
function edgeOf(state: LifecycleState, event: LifecycleEventType): Edge | null {
  const one = applyEvent({ state, context: { compactions: 3, unsaved: false } }, event);
  const other = applyEvent({ state, context: { compactions: 70, unsaved: true } }, event);
  invariant(one.ok === other.ok, "whether an event is taken does not depend on the context");
  if (!one.ok || !other.ok) return null;
  const addCompactions = one.value.context.compactions - 3;
  invariant(other.value.context.compactions - 70 === addCompactions, "an event adds the same whatever was counted");
  invariant(one.value.state === other.value.state, "an event leads to one state");
  const kept = !one.value.context.unsaved && other.value.context.unsaved;
  invariant(kept || one.value.context.unsaved === other.value.context.unsaved, "an event keeps or sets the mark");
  return { to: one.value.state, addCompactions, setUnsaved: kept ? null : one.value.context.unsaved };
}
