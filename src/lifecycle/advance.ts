import { isoText } from "../base/iso-text.ts";
import { ok, type Result } from "../base/result.ts";
import { applyEvent } from "./apply-event.ts";
import type { Refusal } from "./refusal.ts";
import type { MachineRecord } from "./snapshot.ts";
import type { LifecycleEventType, LifecycleState } from "./states.ts";

/** One line of `<machine>.history.jsonl`. */
export interface HistoryEntry {
  readonly revision: number;
  readonly at: string;
  readonly event: LifecycleEventType;
  readonly from: LifecycleState;
  readonly to: LifecycleState;
  /** The command or hook that sent the event, and why where it was not asked for. */
  readonly by: string;
  readonly session_id: string | null;
  /** Of the context file, with a save that was good; absent in lines of an older version. */
  readonly context_bytes?: number;
}

export interface Cause {
  readonly at: Date;
  readonly by: string;
  readonly sessionId: string | null;
  /** Of the context file that is saved with these events. */
  readonly contextBytes?: number | undefined;
}

export interface Advanced {
  readonly record: MachineRecord;
  readonly history: readonly HistoryEntry[];
}

/** Sends events one after the other; the first one that is refused refuses them all. */
export function advance(
  record: MachineRecord,
  events: readonly LifecycleEventType[],
  cause: Cause,
): Result<Advanced, Refusal> {
  const at = isoText(cause.at);
  const history: HistoryEntry[] = [];
  let current = record;
  for (const event of events) {
    const next = applyEvent({ state: current.state, context: current }, event);
    if (!next.ok) return next;
    const { state, context } = next.value;
    const revision = current.revision + 1;
    const entry = { revision, at, event, from: current.state, to: state, by: cause.by, session_id: cause.sessionId };
    const bytes = event === "CONTEXT_VALID" ? cause.contextBytes : undefined;
    history.push(bytes === undefined ? entry : { ...entry, context_bytes: bytes });
    current = {
      ...current,
      state,
      previous: current.state,
      event,
      // A save that is tried again keeps its age: one that fails for an hour is stuck. A compaction begins anew.
      since: state === "saving" && current.state === "saving" ? (current.since ?? at) : at,
      revision,
      compactions: context.compactions,
      unsaved: context.unsaved,
      recoveredAt: event === "RECOVERED" ? at : current.recoveredAt,
    };
  }
  return ok({ record: current, history });
}
