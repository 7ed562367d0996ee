import type { HistoryEntry } from "./advance.ts";
import type { RoleName } from "./role.ts";
import type { LifecycleEventType, LifecycleState } from "./states.ts";

/** A role went from one state to another, as one who looks on sees it. */
export interface MachineChange {
  readonly role: RoleName;
  /** Null: the role had no machine before. */
  readonly from: LifecycleState | null;
  /** Null: the machine is gone. */
  readonly to: LifecycleState | null;
  /** Null where the history has no line for it: a machine that was made, removed, or rewritten by another program. */
  readonly event: LifecycleEventType | null;
  readonly revision: number;
  /** ISO 8601; null where the history does not say. */
  readonly at: string | null;
  readonly by: string | null;
  readonly sessionId: string | null;
}

/** What was last seen of a machine. */
export interface SeenMachine {
  readonly state: LifecycleState;
  readonly revision: number;
}

/**
 * The changes between two looks at a role: a line for each transition of the history between them, and one for every
 * step that left none.
 */
export function changesBetween(
  role: RoleName,
  before: SeenMachine | null,
  after: SeenMachine | null,
  entries: readonly HistoryEntry[],
): readonly MachineChange[] {
  if (after === null) {
    return before === null ? [] : [silent(role, before.state, null, before.revision)];
  }
  const changes: MachineChange[] = [];
  let state = before?.state ?? null;
  for (const { from, to, event, revision, at, by, session_id } of entries) {
    if (from !== state) changes.push(silent(role, state, from, Math.max(0, revision - 1)));
    changes.push({ role, from, to, event, revision, at, by, sessionId: session_id });
    state = to;
  }
  if (state !== after.state) changes.push(silent(role, state, after.state, after.revision));
  return changes;
}

function silent(
  role: RoleName,
  from: LifecycleState | null,
  to: LifecycleState | null,
  revision: number,
): MachineChange {
  return { role, from, to, event: null, revision, at: null, by: null, sessionId: null };
}
