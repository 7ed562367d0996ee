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
const STUCK_AFTER_MS = 10 * 60 * 1000;

/**
 * From when on a role has been in its state for too long, in milliseconds since the epoch; null for never. A clock that went
 * backwards makes nothing stuck.
 */
export function stuckFrom({ state, since }: Pick<MachineRecord, "state" | "since">): number | null {
  return TRANSITIONAL[state] && since !== null ? new Date(since).getTime() + STUCK_AFTER_MS + 1 : null;
}

/** Why a role is stuck: it has been on its way for too long, or whoever was to bring it on is gone. */
export type StuckReason = "too-long" | "owner-gone";

/** Why the role is stuck, and so goes on from `active` with the next command that touches it; null where it is not. */
export function stuckReason(
  record: Pick<MachineRecord, "state" | "since">,
  now: Date,
  owner: "running" | "ended" | "unknown",
): StuckReason | null {
  const from = stuckFrom(record);
  if (from !== null && now.getTime() >= from) return "too-long";
  // A save that is not good yet is anybody's to finish; a compaction and a recovery are the client's own.
  return owner === "ended" && (record.state === "compacting" || record.state === "recovering") ? "owner-gone" : null;
}
