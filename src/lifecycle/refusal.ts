import type { LifecycleEventType, LifecycleState } from "./states.ts";

/** An event that the machine does not take in its state, and those that it takes. */
export interface Refusal {
  readonly state: LifecycleState;
  readonly event: LifecycleEventType;
  readonly allowed: readonly LifecycleEventType[];
}

/** The refusal as a sentence. */
export function refusalText(refusal: Refusal): string {
  return `The machine is in "${refusal.state}" and does not take ${refusal.event} there; it takes ${refusal.allowed.join(", ")}.`;
}
