import type { MachineRecord } from "./snapshot.ts";
import type { LifecycleState } from "./states.ts";

/** States that a role only passes through. */
const TRANSITIONAL = {
  active: false,
  saving: true,
  saved: false,
  compacting: true,
  recovering: true,
} satisfies Record<LifecycleState, boolean>;

/** A transitional state that is older than this is stuck: ten minutes, from the format's definition. */
export const STUCK_AFTER_MS = 10 * 60 * 1000;

/** Whether a role has been in a transitional state for too long. A clock that went backwards makes nothing stuck. */
export function isStuck(state: LifecycleState, since: Date, now: Date): boolean {
  return TRANSITIONAL[state] && now.getTime() - since.getTime() > STUCK_AFTER_MS;
}

/** Whether the role is stuck, and so goes on from `active` with the next command that touches it. */
export function isStuckRecord(record: MachineRecord, now: Date): boolean {
  return record.since !== null && isStuck(record.state, new Date(record.since), now);
}
