import { transition } from "xstate";
import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { lifecycleMachine } from "./machine.ts";
import type { Refusal } from "./refusal.ts";
import { isLifecycleState, LIFECYCLE_EVENTS, type LifecycleEventType, type LifecyclePoint } from "./states.ts";

// The build puts `apply-table.ts` in this file's place in the bundles. xstate answers an event it does not take with the
// same state and no word, so `can()` comes first.

/** One step of the machine, or why it does not take the event. */
export function applyEvent(point: LifecyclePoint, event: LifecycleEventType): Result<LifecyclePoint, Refusal> {
  const snapshot = lifecycleMachine.resolveState({ value: point.state, context: point.context });
  if (!snapshot.can({ type: event })) {
    const allowed = LIFECYCLE_EVENTS.filter((type) => snapshot.can({ type }));
    return err({ state: point.state, event, allowed });
  }
  const [next] = transition(lifecycleMachine, snapshot, { type: event });
  invariant(isLifecycleState(next.value), "the machine is in a state of ours");
  const { compactions, unsaved } = next.context;
  return ok({ state: next.value, context: { compactions, unsaved } });
}
