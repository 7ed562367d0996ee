export interface LifecycleContext {
  /** Compactions that the client began, or that it reported without having announced them. */
  readonly compactions: number;
  /** The last compaction began before a good save. */
  readonly unsaved: boolean;
}

export const LIFECYCLE_STATES = ["active", "saving", "saved", "compacting", "recovering"] as const;
export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

export const LIFECYCLE_EVENTS = [
  "SAVE",
  "CONTEXT_VALID",
  "CONTEXT_INVALID",
  "RESUME",
  "COMPACT",
  "COMPACTED",
  "RECOVERED",
] as const;
export type LifecycleEventType = (typeof LIFECYCLE_EVENTS)[number];
export interface LifecycleEvent {
  readonly type: LifecycleEventType;
}

export function isLifecycleState(value: unknown): value is LifecycleState {
  return LIFECYCLE_STATES.some((state) => state === value);
}

export function isLifecycleEvent(value: unknown): value is LifecycleEventType {
  return LIFECYCLE_EVENTS.some((event) => event === value);
}

/** Where a machine stands, with what it has counted. */
export interface LifecyclePoint {
  readonly state: LifecycleState;
  readonly context: LifecycleContext;
}
